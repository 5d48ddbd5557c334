//===--- DynamicHeader.swift - code lengths of a block --------------------===//
//
// The lengths of both codes are stored one after the other, with runs shortened: 16 repeats the
// last length 3 to 6 times, 17 and 18 are 3 to 10 and 11 to 138 zeros. These symbols have a prefix
// code of their own, whose lengths come first.
//
// Source    RFC 1951 section 3.2.7
//===----------------------------------------------------------------------===//

/// The header of a dynamic block.
struct DynamicHeader {
  private let literalCount, distanceCount: Int
  /// The symbols that encode the lengths, each with the value of its extra bits.
  private let symbols: [(symbol: Int, extra: Int)]
  private let code: PrefixCode
  /// The number of lengths of `code` that are written.
  private let codeLengthCount: Int

  init(_ literals: [UInt8], _ distances: [UInt8]) {
    literalCount = max(257, (literals.lastIndex { $0 > 0 } ?? 0) + 1)
    distanceCount = (distances.lastIndex { $0 > 0 } ?? 0) + 1
    symbols = Self.symbols(of: literals[..<literalCount] + distances[..<distanceCount])
    var frequencies = [Int](repeating: 0, count: 19)
    for (symbol, _) in symbols { frequencies[symbol] += 1 }
    let code = PrefixCode(frequencies: frequencies, longest: 7)
    let last = DeflateAlphabet.codeLengthOrder.lastIndex { code.lengths[$0] > 0 } ?? 0
    codeLengthCount = max(4, last + 1)
    self.code = code
  }

  private static func symbols(of lengths: ArraySlice<UInt8>) -> [(symbol: Int, extra: Int)] {
    var symbols: [(symbol: Int, extra: Int)] = []
    var rest = lengths
    while let value = rest.first {
      let run = (rest.firstIndex { $0 != value } ?? rest.endIndex) - rest.startIndex
      rest = rest.dropFirst(run)
      append(run: run, of: Int(value), to: &symbols)
    }
    return symbols
  }

  private static func append(
    run: Int, of value: Int, to symbols: inout [(symbol: Int, extra: Int)]
  ) {
    var left = run
    if value > 0 {
      symbols.append((value, 0))
      left -= 1
    }
    while left >= 3 {
      let symbol = value > 0 ? 16 : left >= 11 ? 18 : 17
      let (extraBits, base) = DeflateAlphabet.runs[symbol - 16]
      let repeats = min(left, base + 1 << extraBits - 1)
      symbols.append((symbol, repeats - base))
      left -= repeats
    }
    for _ in 0..<left { symbols.append((value, 0)) }
  }

  private static func extraBits(_ symbol: Int) -> Int {
    symbol >= 16 ? DeflateAlphabet.runs[symbol - 16].extraBits : 0
  }

  /// The number of bits that `write` writes.
  var size: Int {
    symbols.reduce(14 + 3 * codeLengthCount) { bits, item in
      bits + Int(code.lengths[item.symbol]) + Self.extraBits(item.symbol)
    }
  }

  func write(to writer: inout BitWriter) {
    writer.write(literalCount - 257, 5)
    writer.write(distanceCount - 1, 5)
    writer.write(codeLengthCount - 4, 4)
    for symbol in DeflateAlphabet.codeLengthOrder.prefix(codeLengthCount) {
      writer.write(Int(code.lengths[symbol]), 3)
    }
    for (symbol, extra) in symbols {
      writer.write(code.codes[symbol], Int(code.lengths[symbol]))
      writer.write(extra, Self.extraBits(symbol))
    }
  }
}
