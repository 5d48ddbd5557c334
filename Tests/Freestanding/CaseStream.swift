//===--- CaseStream.swift - the format of requests and answers ------------===//
//
// 32-bit little-endian numbers, and blocks: a byte count, then the bytes.
//
//     request   kernels (0 fast, 1 reference), model, number of inputs, for each its rank
//               and extents, number of steps, for each step a block per input
//     answer    0, and for each step a block per output; or 1 and a block with the error message
//===----------------------------------------------------------------------===//

/// Reads numbers and blocks from the beginning of some bytes.
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

/// Appends numbers and blocks.
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
