//===--- ArchiveFuzzer.swift - hostile archives behind models -------------===//
//
// A target for libFuzzer: bytes with a ZIP archive at their end, and lists of labels.
//
// Oracles   Nothing traps, leaves its memory, hangs, or takes more than it may. An entry lies within
//           the bytes.
// Run       .ci/fuzz archives
//===----------------------------------------------------------------------===//

import MartletModel

/// Examines one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  _ = try? TextLines.read(bytes)
  guard let archive = try? AppendedArchive(bytes: FileBytes(bytes)) else { return 0 }
  for entry in archive.entries.prefix(64) {
    guard entry.range.lowerBound >= 0, entry.range.upperBound <= bytes.count else {
      fatalError("\(entry.name) lies at \(entry.range) of \(bytes.count) bytes")
    }
    // A mutation rarely leaves the checksum right, so the contents are read without it as well.
    if let contents = try? archive.contents(of: entry.name) { _ = try? TextLines.read(contents) }
    _ = try? TextLines.read(Array(bytes[entry.range]))
  }
  return 0
}
