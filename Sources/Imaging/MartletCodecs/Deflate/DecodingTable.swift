//===--- DecodingTable.swift - prefix codes by lookup ---------------------===//
//
// The low `rootBits` bits of the stream index an entry with the symbol and the length of its code.
// Longer codes lead to a second table, just wide enough for the longest code with this prefix.
//
// An entry, from its lowest bit:
//   0-5    bits to drop: those of the code and the extra bits
//   6-9    the bits of the code alone (in a second table, from its start)
//   10-12  kind
//   16-31  literal, base of a length or distance, or start of the second table
//
// Contract  Lengths must form a complete prefix code. As in zlib, a single code of one bit and (for
//           distances) no code at all are accepted, too; bits that match no code give an entry of
//           kind `invalid`.
// Cost      Building is linear in the table's size, at most about 2,000 entries.
// Source    RFC 1951 sections 3.2.2, 3.2.5, 3.2.7
//===----------------------------------------------------------------------===//

/// A table that maps the next bits of a stream to a symbol.
struct DecodingTable {
  /// An entry of the table.
  struct Entry {
    let rawValue: UInt32

    /// The kind of the entry, one of `Kind`.
    var kind: UInt32 { rawValue >> 10 & 7 }
    var isLiteral: Bool { kind == Kind.literal }
    /// The number of bits of the code and the extra bits together.
    var bitCount: Int { Int(rawValue & 63) }
    /// The number of bits of the code alone; in a link, of the second table's index.
    var codeBitCount: Int { Int(rawValue >> 6 & 15) }
    /// The literal, the base, or the start of the second table.
    var value: Int { Int(rawValue >> 16) }
  }

  /// The kinds of entries.
  enum Kind {
    static let literal: UInt32 = 0
    static let base: UInt32 = 1
    static let endOfBlock: UInt32 = 2
    static let secondTable: UInt32 = 3
    static let invalid: UInt32 = 4
  }

  /// The number of bits that index the first table.
  let rootBits: Int
  /// The mask of these bits.
  var rootMask: UInt64 { 1 << UInt64(rootBits) - 1 }
  /// The first table, followed by the second ones.
  private(set) var entries: [UInt32]

  /// Whether the lengths form a prefix code; if not, every entry is invalid.
  let isPrefixCode: Bool

  /// Builds the table of a code.
  ///
  /// - Parameters:
  ///   - lengths: The length of each symbol's code, 0 to 15; 0 for a symbol without one.
  ///   - symbols: The entry of each symbol, without the length of its code.
  ///   - longestRoot: The maximum number of bits that index the first table.
  init(lengths: ArraySlice<UInt8>, symbols: [UInt32], longestRoot: Int) {
    var counts = [Int](repeating: 0, count: 16)
    for length in lengths { counts[Int(length)] += 1 }
    counts[0] = 0
    let longest = counts.lastIndex { $0 > 0 } ?? 0
    rootBits = max(1, min(longest, longestRoot))
    entries = [UInt32](repeating: Kind.invalid << 10, count: 1 << rootBits)
    let firstCodes = Self.firstCodes(counts, longest: longest)
    isPrefixCode = firstCodes != nil
    guard let first = firstCodes else { return }
    let codes = Self.reversedCodes(lengths, first: first)
    makeSecondTables(lengths, codes: codes)
    for (index, length) in lengths.enumerated() where length > 0 {
      insert(symbols[index], code: codes[index], length: Int(length))
    }
  }

  /// The first code of each length; `nil` if the counts form no prefix code.
  private static func firstCodes(_ counts: [Int], longest: Int) -> [Int]? {
    var first = [Int](repeating: 0, count: 16)
    var unused = 1
    for length in 1..<16 {
      first[length] = (first[length - 1] + counts[length - 1]) << 1
      unused = unused << 1 - counts[length]
      guard unused >= 0 else { return nil }
    }
    return unused == 0 || longest <= 1 ? first : nil
  }

  /// The code of every symbol with its first bit lowest, as in the stream.
  private static func reversedCodes(_ lengths: ArraySlice<UInt8>, first: [Int]) -> [Int] {
    var next = first
    return lengths.map { length in
      let code = next[Int(length)]
      next[Int(length)] += 1
      return reversed(code, length: Int(length))
    }
  }

  private mutating func makeSecondTables(_ lengths: ArraySlice<UInt8>, codes: [Int]) {
    var bits = [Int](repeating: 0, count: 1 << rootBits)
    for (index, length) in lengths.enumerated() where length > rootBits {
      let prefix = codes[index] & (1 << rootBits - 1)
      bits[prefix] = max(bits[prefix], Int(length) - rootBits)
    }
    for prefix in bits.indices where bits[prefix] > 0 {
      let start = UInt32(entries.count)
      let drop = UInt32(rootBits | bits[prefix] << 6)
      entries[prefix] = start << 16 | Kind.secondTable << 10 | drop
      entries += [UInt32](repeating: Kind.invalid << 10, count: 1 << bits[prefix])
    }
  }

  private mutating func insert(_ symbol: UInt32, code: Int, length: Int) {
    var (index, end, step, bits) = (code, 1 << rootBits, 1 << length, length)
    if length > rootBits {
      let link = entries[code & (1 << rootBits - 1)]
      bits = length - rootBits
      let start = Int(link >> 16)
      index = start + code >> rootBits
      end = start + 1 << Int(link >> 6 & 15)
      step = 1 << bits
    }
    let entry = symbol + UInt32(bits | bits << 6)
    while index < end {
      entries[index] = entry
      index += step
    }
  }
}

/// The lowest `length` bits of `code` in reverse order.
func reversed(_ code: Int, length: Int) -> Int {
  var (code, result) = (code, 0)
  for _ in 0..<length {
    result = result << 1 | code & 1
    code >>= 1
  }
  return result
}
