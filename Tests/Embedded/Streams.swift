//===--- Streams.swift - standard input and output ------------------------===//
//
// The system interface of the programs in this folder.
//===----------------------------------------------------------------------===//

@_silgen_name("read")
private func read(_ file: Int32, _ pointer: UnsafeMutableRawPointer, _ count: Int) -> Int
@_silgen_name("write")
private func write(_ file: Int32, _ pointer: UnsafeRawPointer, _ count: Int) -> Int

/// All of standard input.
func input() -> [UInt8] {
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = piece.withUnsafeMutableBytes { memory in
      memory.baseAddress.map { read(0, $0, memory.count) } ?? 0
    }
    guard count > 0 else { return bytes }
    bytes += piece[..<count]
  }
}

/// Writes a line to standard output.
func output(_ line: String) {
  Array((line + "\n").utf8).withUnsafeBytes { memory in
    if let start = memory.baseAddress { _ = write(1, start, memory.count) }
  }
}
