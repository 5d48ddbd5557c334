//===--- Program.swift - answers the cases on standard input --------------===//
//
// Each request is a block, and so is its answer on standard output. Uses only the system calls
// `read` and `write`.
//===----------------------------------------------------------------------===//

@_silgen_name("read")
private func read(_ file: Int32, _ pointer: UnsafeMutableRawPointer, _ count: Int) -> Int
@_silgen_name("write")
private func write(_ file: Int32, _ pointer: UnsafeRawPointer, _ count: Int) -> Int

/// The next `count` bytes of standard input, or `nil` at its end.
private func input(_ count: Int) -> [UInt8]? {
  var bytes = [UInt8](repeating: 0, count: count)
  var filled = 0
  while filled < count {
    let more = bytes.withUnsafeMutableBytes { memory in
      memory.baseAddress.map { read(0, $0 + filled, count - filled) } ?? 0
    }
    guard more > 0 else { return nil }
    filled += more
  }
  return bytes
}

/// Writes all bytes to standard output, or as many as it accepts.
private func output(_ bytes: [UInt8]) {
  var written = 0
  while written < bytes.count {
    let more = bytes.withUnsafeBytes { memory in
      memory.baseAddress.map { write(1, $0 + written, memory.count - written) } ?? 0
    }
    guard more > 0 else { return }
    written += more
  }
}

@main
struct Program {
  static func main() {
    while let size = input(4) {
      var reader = BlockReader(size)
      guard let request = input(reader.number()) else { return }
      var block = BlockWriter()
      block.append(answer(request))
      output(block.bytes)
    }
  }
}
