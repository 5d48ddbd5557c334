//===--- CaseStream.swift - the bytes that targets and their host exchange ===//
//
// Numbers of 32 bits, the lowest byte first, and blocks: a number of bytes, then those.
//
//     request   kernels (0 fast, 1 reference), model, number of inputs, for each the number of its extents
//               and those, number of steps, for each the block of each input
//     answer    0, and for each step the block of each output; or 1 and a block with the error's words
//===----------------------------------------------------------------------===//

/// Takes numbers and blocks off the beginning of some bytes.
struct BlockReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number() -> Int {
    defer { rest = rest.dropFirst(4) }
    return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  mutating func block() -> [UInt8] {
    let count = number()
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }
}

/// Puts numbers and blocks behind each other.
struct BlockWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ number: Int) {
    for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  mutating func append(_ block: [UInt8]) {
    append(block.count)
    bytes += block
  }
}
