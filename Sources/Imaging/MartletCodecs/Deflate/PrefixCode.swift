//===--- PrefixCode.swift - Huffman codes ---------------------------------===//
//
// Huffman's algorithm joins the two rarest symbols or trees repeatedly. With symbols sorted by
// frequency, trees are created in ascending order, so two queues replace a heap. If a code exceeds
// the maximum length, it is shortened, and shorter codes are lengthened until the sum of 2^-length
// is 1 again. The rarest symbols get the longest codes.
//
// Contract  Symbols of frequency 0 get no code, but at least two symbols get one, because some
//           decoders require it. Equal frequencies are ordered by symbol.
// Cost      One sort of the symbols.
// Source    RFC 1951 section 3.2.2 for the order of the codes
//===----------------------------------------------------------------------===//

/// A prefix code over the symbols 0, 1, 2, …
struct PrefixCode {
  /// The number of bits of each symbol's code; 0 for a symbol without one.
  let lengths: [UInt8]
  /// The code of each symbol, its first bit lowest.
  let codes: [Int]

  /// The code of minimum total length for these frequencies, with at most `longest` bits per
  /// symbol.
  init(frequencies: [Int], longest: Int) {
    var used = frequencies.indices.filter { frequencies[$0] > 0 }
    for symbol in frequencies.indices.prefix(2) where used.count < 2 && !used.contains(symbol) {
      used.append(symbol)
    }
    used.sort { (frequencies[$0], $0) < (frequencies[$1], $1) }
    let depths = Self.depths(used.map { max(1, frequencies[$0]) })
    let counts = Self.limited(depths, to: longest)
    var lengths = [UInt8](repeating: 0, count: frequencies.count)
    var next = 0
    for length in (1...longest).reversed() {
      for symbol in used[next..<next + counts[length]] { lengths[symbol] = UInt8(length) }
      next += counts[length]
    }
    self.init(lengths: lengths)
  }

  /// The code with these lengths, in Deflate's order.
  init(lengths: [UInt8]) {
    var counts = [Int](repeating: 0, count: 16)
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var next = [Int](repeating: 0, count: 16)
    for length in 1..<16 { next[length] = (next[length - 1] + counts[length - 1]) << 1 }
    self.lengths = lengths
    codes = lengths.map { length in
      defer { next[Int(length)] += 1 }
      return reversed(next[Int(length)], length: Int(length))
    }
  }

  /// The depth of each leaf in the Huffman tree of at least two ascending weights.
  private static func depths(_ weights: [Int]) -> [Int] {
    let leaves = weights.count
    var sums: [Int] = []
    var parents = [Int](repeating: 0, count: 2 * leaves - 1)
    var (leaf, tree) = (0, 0)
    while sums.count < leaves - 1 {
      var sum = 0
      for _ in 0..<2 {
        let takesLeaf = leaf < leaves && (tree >= sums.count || weights[leaf] <= sums[tree])
        parents[takesLeaf ? leaf : leaves + tree] = leaves + sums.count
        sum += takesLeaf ? weights[leaf] : sums[tree]
        if takesLeaf { leaf += 1 } else { tree += 1 }
      }
      sums.append(sum)
    }
    var depths = [Int](repeating: 0, count: parents.count)
    for node in (0..<parents.count - 1).reversed() { depths[node] = depths[parents[node]] + 1 }
    return Array(depths[..<leaves])
  }

  /// The number of codes of each length after limiting them to `longest`.
  private static func limited(_ depths: [Int], to longest: Int) -> [Int] {
    var counts = [Int](repeating: 0, count: longest + 1)
    for depth in depths { counts[min(depth, longest)] += 1 }
    var excess = -(1 << longest)
    for length in 1...longest { excess += counts[length] << (longest - length) }
    while excess > 0 {
      let shorter = (1..<longest).last { counts[$0] > 0 } ?? 1
      counts[longest] -= 1
      counts[shorter] -= 1
      counts[shorter + 1] += 2
      excess -= 1
    }
    return counts
  }
}
