//===--- DeflateBlock.swift - one block of a Deflate stream ---------------===//
//
// Collects literals and matches. To write the block, its size is computed in all three forms
// (stored, fixed codes, dynamic codes), and the smallest is chosen; the earlier one of equals.
//
// Source    RFC 1951 sections 3.2.3 to 3.2.7
//===----------------------------------------------------------------------===//

/// A sequence of literals and matches that share their codes.
struct DeflateBlock {
  /// A literal, or a match with its length and distance.
  private struct Token {
    let length: UInt16
    /// The literal if the length is 0; otherwise the distance minus one.
    let value: UInt16
  }

  /// The number of tokens of a full block.
  private static let capacity = 1 << 15

  private var tokens: [Token] = []
  private var literalCounts = [Int](repeating: 0, count: DeflateAlphabet.literalCount)
  private var distanceCounts = [Int](repeating: 0, count: DeflateAlphabet.distanceCount)

  init() {
    tokens.reserveCapacity(Self.capacity)
    literalCounts[DeflateAlphabet.endOfBlock] = 1
  }

  var isFull: Bool { tokens.count >= Self.capacity }

  @inline(__always)
  mutating func append(literal: UInt8) {
    tokens.append(Token(length: 0, value: UInt16(literal)))
    literalCounts[Int(literal)] += 1
  }

  @inline(__always)
  mutating func append(_ match: MatchFinder.Match) {
    tokens.append(
      Token(
        length: UInt16(truncatingIfNeeded: match.length),
        value: UInt16(truncatingIfNeeded: match.distance - 1)))
    literalCounts[257 + Self.lengthSymbol(match.length)] += 1
    distanceCounts[Self.distanceSymbol(match.distance - 1)] += 1
  }

  /// The index of a match length's base; there are four bases per power of two.
  @inline(__always)
  private static func lengthSymbol(_ length: Int) -> Int {
    let index = length - 3
    guard index >= 8 else { return index }
    guard index < 255 else { return 28 }
    let log = Int.bitWidth - 1 - index.leadingZeroBitCount
    return 4 * (log - 1) + (index >> (log - 2)) & 3
  }

  /// The index of a distance's base; there are two bases per power of two.
  @inline(__always)
  private static func distanceSymbol(_ index: Int) -> Int {
    guard index >= 4 else { return index }
    let log = Int.bitWidth - 1 - index.leadingZeroBitCount
    return 2 * log + (index >> (log - 1)) & 1
  }

  // MARK: Writing

  /// Writes the block; `source` is the data that it encodes.
  func write(to writer: inout BitWriter, source: ArraySlice<UInt8>, isLast: Bool) {
    let literals = PrefixCode(frequencies: literalCounts, longest: 15)
    let distances = PrefixCode(frequencies: distanceCounts, longest: 15)
    let header = DynamicHeader(literals.lengths, distances.lengths)
    let stored = (source.count / Self.longestStored + 1) * 42 + source.count * 8
    let fixed = size(Self.fixedLiterals, Self.fixedDistances)
    let dynamic = header.size + size(literals, distances)
    let final = isLast ? 1 : 0
    if stored <= min(fixed, dynamic) {
      writeStored(source, to: &writer, isLast: isLast)
    } else if fixed <= dynamic {
      writer.write(final | 1 << 1, 3)
      writeTokens(Self.fixedLiterals, Self.fixedDistances, to: &writer)
    } else {
      writer.write(final | 2 << 1, 3)
      header.write(to: &writer)
      writeTokens(literals, distances, to: &writer)
    }
  }

  private static let fixedLiterals = PrefixCode(lengths: DeflateAlphabet.fixedLiteralLengths)
  private static let fixedDistances = PrefixCode(lengths: DeflateAlphabet.fixedDistanceLengths)
  private static let longestStored = 65535

  /// The number of bits of the tokens with these codes.
  private func size(_ literals: PrefixCode, _ distances: PrefixCode) -> Int {
    var bits = 0
    for (symbol, count) in literalCounts.enumerated() {
      let extra = symbol > 256 ? DeflateAlphabet.lengthExtraBits[symbol - 257] : 0
      bits += count * (Int(literals.lengths[symbol]) + extra)
    }
    for (symbol, count) in distanceCounts.enumerated() {
      bits += count * (Int(distances.lengths[symbol]) + DeflateAlphabet.distanceExtraBits[symbol])
    }
    return bits
  }

  private func writeStored(_ source: ArraySlice<UInt8>, to writer: inout BitWriter, isLast: Bool) {
    var rest = source
    repeat {
      let part = rest.prefix(Self.longestStored)
      rest = rest.dropFirst(part.count)
      writer.write(isLast && rest.isEmpty ? 1 : 0, 3)
      writer.alignToByte()
      writer.write(part.count, 16)
      writer.write(part.count ^ 0xFFFF, 16)
      writer.append(part)
    } while !rest.isEmpty
  }

  private func writeTokens(
    _ literals: PrefixCode, _ distances: PrefixCode, to writer: inout BitWriter
  ) {
    for token in tokens {
      guard token.length > 0 else {
        writer.write(literals.codes[Int(token.value)], Int(literals.lengths[Int(token.value)]))
        continue
      }
      let (length, distance) = (Int(token.length), Int(token.value) + 1)
      let symbol = Self.lengthSymbol(length)
      writer.write(literals.codes[257 + symbol], Int(literals.lengths[257 + symbol]))
      writer.write(
        length - DeflateAlphabet.lengthBases[symbol], DeflateAlphabet.lengthExtraBits[symbol])
      let far = Self.distanceSymbol(distance - 1)
      writer.write(distances.codes[far], Int(distances.lengths[far]))
      writer.write(
        distance - DeflateAlphabet.distanceBases[far], DeflateAlphabet.distanceExtraBits[far])
    }
    let end = DeflateAlphabet.endOfBlock
    writer.write(literals.codes[end], Int(literals.lengths[end]))
  }
}
