//===--- ArchiveFuzzer.swift - fuzzes archives appended to models ---------===//
//
// A libFuzzer target: bytes that end with a ZIP archive, and label lists.
//
// Oracles   No trap, no access outside the memory, no hang, no use beyond the limits. An entry is
//           within the bytes.
// Run       .ci/fuzz archives
//===----------------------------------------------------------------------===//

import MartletModel

/// Tests one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  _ = try? TextLines.read(bytes)
  guard let archive = try? AppendedArchive(bytes: FileBytes(bytes)) else { return 0 }
  for entry in archive.entries.prefix(64) {
    guard entry.range.lowerBound >= 0, entry.range.upperBound <= bytes.count else {
      fatalError("\(entry.name) is at \(entry.range) of \(bytes.count) bytes")
    }
    // Mutations rarely keep the checksum valid, so the contents are also read without checking it.
    if let contents = try? archive.contents(of: entry.name) { _ = try? TextLines.read(contents) }
    _ = try? TextLines.read(Array(bytes[entry.range]))
  }
  return 0
}
