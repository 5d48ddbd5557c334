//===--- BlockCodes.swift - codes of a Deflate block ----------------------===//
//
// The codes of fixed blocks are constant. A dynamic block begins with the lengths of its codes,
// which are run-length coded with a third code.
//
// Source    RFC 1951 sections 3.2.6 and 3.2.7
//===----------------------------------------------------------------------===//

/// The codes of a block: one for literals and lengths, one for distances.
struct BlockCodes {
  let literals: DecodingTable
  let distances: DecodingTable

  /// The codes of fixed blocks.
  static let fixed = BlockCodes(
    literals: DeflateAlphabet.fixedLiteralLengths[...],
    distances: DeflateAlphabet.fixedDistanceLengths[...])

  /// Reads the codes at the start of a dynamic block.
  init(_ stream: Span<UInt8>, _ reader: inout BitReader) throws(InflateError) {
    let start = reader.offset
    let (literals, distances) = (257 + reader.take(5), 1 + reader.take(5))
    guard literals <= DeflateAlphabet.literalCount, distances <= DeflateAlphabet.distanceCount
    else {
      throw reader.cause(
        .tooManyCodes(offset: start, literals: literals, distances: distances), stream)
    }
    let lengths = try Self.codeLengths(literals + distances, stream, &reader)
    guard lengths[DeflateAlphabet.endOfBlock] > 0 else {
      throw reader.cause(.noEndOfBlock(offset: reader.offset), stream)
    }
    self.init(literals: lengths[..<literals], distances: lengths[literals...])
    guard self.literals.isPrefixCode, self.distances.isPrefixCode else {
      throw reader.cause(.badCodeLengths(offset: reader.offset), stream)
    }
  }

  /// The maximum number of bits that index the first table of literals and lengths: see the bit
  /// budget in `Inflate+Symbols.swift`.
  static let longestLiteralRoot = 11

  private init(literals: ArraySlice<UInt8>, distances: ArraySlice<UInt8>) {
    self.literals = DecodingTable(
      lengths: literals, symbols: Self.literalSymbols, longestRoot: Self.longestLiteralRoot)
    self.distances = DecodingTable(
      lengths: distances, symbols: Self.distanceSymbols, longestRoot: 9)
  }

  /// Reads `count` code lengths.
  private static func codeLengths(
    _ count: Int, _ stream: Span<UInt8>, _ reader: inout BitReader
  ) throws(InflateError) -> [UInt8] {
    let table = try codeLengthTable(stream, &reader)
    var lengths: [UInt8] = []
    while lengths.count < count {
      try reader.refill(from: stream)
      let entry = DecodingTable.Entry(
        rawValue: table.entries[Int(reader.bits & table.rootMask)])
      guard entry.isLiteral else {
        throw reader.cause(.badCode(offset: reader.offset), stream)
      }
      reader.drop(entry.bitCount)
      let symbol = UInt8(truncatingIfNeeded: entry.value)
      guard symbol >= 16 else {
        lengths.append(symbol)
        continue
      }
      let run = DeflateAlphabet.runs[Int(symbol) - 16]
      let repeats = run.base + reader.take(run.extraBits)
      guard repeats <= count - lengths.count, let last = symbol == 16 ? lengths.last : 0 else {
        throw reader.cause(.badCodeLengths(offset: reader.offset), stream)
      }
      lengths += [UInt8](repeating: last, count: repeats)
    }
    try reader.checkNotOverrun(stream)
    return lengths
  }

  /// Reads the code that encodes the code lengths.
  private static func codeLengthTable(
    _ stream: Span<UInt8>, _ reader: inout BitReader
  ) throws(InflateError) -> DecodingTable {
    let count = 4 + reader.take(4)
    var lengths = [UInt8](repeating: 0, count: 19)
    for symbol in DeflateAlphabet.codeLengthOrder.prefix(count) {
      try reader.refill(from: stream)
      lengths[symbol] = UInt8(reader.take(3))
    }
    let symbols = (0..<19).map { UInt32($0) << 16 }
    let table = DecodingTable(lengths: lengths[...], symbols: symbols, longestRoot: 7)
    guard table.isPrefixCode else {
      throw reader.cause(.badCodeLengths(offset: reader.offset), stream)
    }
    return table
  }

  private static let literalSymbols: [UInt32] =
    (0..<256).map { UInt32($0) << 16 | DecodingTable.Kind.literal << 10 }
    + [DecodingTable.Kind.endOfBlock << 10]
    + symbols(DeflateAlphabet.lengthBases, DeflateAlphabet.lengthExtraBits, count: 31)

  private static let distanceSymbols: [UInt32] =
    symbols(DeflateAlphabet.distanceBases, DeflateAlphabet.distanceExtraBits, count: 32)

  /// The entries of length or distance symbols; those after the last base are invalid.
  private static func symbols(_ bases: [Int], _ extraBits: [Int], count: Int) -> [UInt32] {
    zip(bases, extraBits).map { base, extra in
      UInt32(base) << 16 | DecodingTable.Kind.base << 10 | UInt32(extra)
    } + [UInt32](repeating: DecodingTable.Kind.invalid << 10, count: count - bases.count)
  }
}
