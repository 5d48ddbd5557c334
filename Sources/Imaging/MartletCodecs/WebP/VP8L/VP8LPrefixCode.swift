//===--- VP8LPrefixCode.swift - prefix codes of lossless data -------------===//
//
// The next bits, at most eight, index an entry: a symbol and the length of its code. Longer codes
// lead to a second table, just wide enough for the longest code with this prefix (RFC 9649,
// section 3.7.2).
//
// An entry, from its lowest bit: 8 bits of code length, 24 bits of symbol. In a link to a second
// table the length is that of its longest code, more than eight, and the rest is its offset.
//
// Contract  Accepts complete codes, and codes of a single symbol, which take no bits. Memory for
//           tables counts toward the limit.
//===----------------------------------------------------------------------===//

/// The place of a code's table.
struct VP8LPrefixCode {
  /// The number of bits that index the first table, at most.
  static let rootBits = 8
  /// The maximum length of a code.
  static let longest = 15

  /// The index of the first entry.
  var start: UInt32 = 0
  /// The mask of the bits that index the first table.
  var mask: UInt32 = 0
}

/// The tables of many codes, one after the other.
struct VP8LTables {
  private(set) var entries: [UInt32] = []

  /// Adds the table of a code.
  ///
  /// - Parameter lengths: The length of each symbol's code, 0 to 15; 0 for a symbol without one.
  /// - Returns: The place of the table; `nil` if the lengths are not those of a complete code.
  mutating func add(_ lengths: ArraySlice<UInt8>) -> VP8LPrefixCode? {
    var counts = [Int](repeating: 0, count: VP8LPrefixCode.longest + 1)
    for length in lengths { counts[Int(length)] += 1 }
    counts[0] = 0
    let start = entries.count
    if counts.reduce(0, +) == 1, let symbol = lengths.firstIndex(where: { $0 > 0 }) {
      entries.append(UInt32(symbol - lengths.startIndex) << 8)
      return VP8LPrefixCode(start: UInt32(start), mask: 0)
    }
    guard let codes = Self.firstCodes(counts) else { return nil }
    let longest = counts.lastIndex { $0 > 0 } ?? 0
    let rootBits = min(longest, VP8LPrefixCode.rootBits)
    entries += [UInt32](repeating: 0, count: 1 << rootBits)
    fill(lengths, codes, start: start, rootBits: rootBits)
    return VP8LPrefixCode(start: UInt32(start), mask: 1 << UInt32(rootBits) - 1)
  }

  /// The first code of each length; `nil` unless the code is complete.
  private static func firstCodes(_ counts: [Int]) -> [Int]? {
    var first = [Int](repeating: 0, count: counts.count)
    var unused = 1
    for length in 1..<counts.count {
      first[length] = (first[length - 1] + counts[length - 1]) << 1
      unused = unused << 1 - counts[length]
      guard unused >= 0 else { return nil }
    }
    return unused == 0 ? first : nil
  }

  private mutating func fill(
    _ lengths: ArraySlice<UInt8>, _ firstCodes: [Int], start: Int, rootBits: Int
  ) {
    var next = firstCodes
    var long: [(code: Int, symbol: Int, length: Int)] = []
    // The longest code with each prefix.
    var secondBits = [Int](repeating: 0, count: 1 << rootBits)
    for (symbol, length) in lengths.enumerated() where length > 0 {
      let length = Int(length)
      // The stream has the first bit of a code lowest.
      let code = reversed(next[length], length: length)
      next[length] += 1
      if length <= rootBits {
        enter(symbol, code, length, in: start..<start + 1 << rootBits)
      } else {
        let prefix = code & (1 << rootBits - 1)
        secondBits[prefix] = max(secondBits[prefix], length - rootBits)
        long.append((code, symbol, length))
      }
    }
    var seconds = [Int](repeating: 0, count: 1 << rootBits)
    for prefix in secondBits.indices where secondBits[prefix] > 0 {
      seconds[prefix] = entries.count
      entries[start + prefix] =
        UInt32(entries.count - start) << 8 | UInt32(rootBits + secondBits[prefix])
      entries += [UInt32](repeating: 0, count: 1 << secondBits[prefix])
    }
    for (code, symbol, length) in long {
      let prefix = code & (1 << rootBits - 1)
      let second = seconds[prefix]
      enter(
        symbol, code >> rootBits, length - rootBits,
        in: second..<second + 1 << secondBits[prefix])
    }
  }

  /// Sets every entry of the table at `range` whose index ends with a code.
  private mutating func enter(_ symbol: Int, _ code: Int, _ length: Int, in range: Range<Int>) {
    let entry = UInt32(symbol) << 8 | UInt32(length)
    for index in stride(from: range.lowerBound + code, to: range.upperBound, by: 1 << length) {
      entries[index] = entry
    }
  }
}

extension VP8LBitReader {
  /// The next symbol of a code. At least 15 bits must be buffered, and `entries` must hold the
  /// code's tables, which contain every pattern of bits.
  @inline(__always)
  mutating func symbol(
    _ code: VP8LPrefixCode, _ entries: UnsafePointer<UInt32>
  ) -> Int {
    let table = unsafe entries + Int(code.start)
    var entry = unsafe table[Int(UInt32(truncatingIfNeeded: bits) & code.mask)]
    let length = Int(entry & 0xFF)
    if length > VP8LPrefixCode.rootBits {
      skip(VP8LPrefixCode.rootBits)
      let index = Int(truncatingIfNeeded: bits) & (1 &<< (length &- VP8LPrefixCode.rootBits) &- 1)
      entry = unsafe table[Int(entry &>> 8) &+ index]
    }
    skip(Int(entry & 0xFF))
    return Int(entry &>> 8)
  }
}
