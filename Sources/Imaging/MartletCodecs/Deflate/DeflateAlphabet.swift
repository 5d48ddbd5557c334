//===--- DeflateAlphabet.swift - symbols of Deflate -----------------------===//
//
// Source    RFC 1951 sections 3.2.5 to 3.2.7
//===----------------------------------------------------------------------===//

/// The constants of Deflate's three alphabets.
enum DeflateAlphabet {
  /// The symbol that ends a block.
  static let endOfBlock = 256
  /// The number of valid literal and length symbols.
  static let literalCount = 286
  /// The number of valid distance symbols.
  static let distanceCount = 30
  /// The maximum length and distance of a match.
  static let (longestMatch, farthestMatch) = (258, 32768)

  /// The shortest match of each length symbol from 257 on.
  static let lengthBases: [Int] = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  /// The number of extra bits that follow each length symbol from 257 on.
  static let lengthExtraBits: [Int] = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  /// The shortest distance of each distance symbol.
  static let distanceBases: [Int] = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
    3073, 4097, 6145, 8193, 12289, 16385, 24577,
  ]
  /// The number of extra bits that follow each distance symbol.
  static let distanceExtraBits: [Int] = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
    13,
  ]
  /// The order in which a dynamic block stores the lengths of the code for code lengths.
  static let codeLengthOrder: [Int] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]
  /// The extra bits and the shortest run of the code length symbols 16, 17 and 18.
  static let runs: [(extraBits: Int, base: Int)] = [(2, 3), (3, 3), (7, 11)]

  /// The lengths of the literal and length codes of a fixed block.
  static let fixedLiteralLengths: [UInt8] =
    [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112)
    + [UInt8](repeating: 7, count: 24) + [UInt8](repeating: 8, count: 8)
  /// The lengths of the distance codes of a fixed block.
  static let fixedDistanceLengths = [UInt8](repeating: 5, count: 32)
}
