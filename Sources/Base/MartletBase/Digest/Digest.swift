//===--- Digest.swift - a SHA-256 digest ----------------------------------===//
//
// Contract  Aligned to at most 16 bytes. The frames of asynchronous functions are too small for a value of
//           32 bytes' alignment: with Swift 6.3 its neighbors are written beyond the end.
//===----------------------------------------------------------------------===//

/// A SHA-256 digest.
package struct Digest: Hashable, Sendable {
  private let low, high: SIMD4<UInt32>

  init(words: SIMD8<UInt32>) { (low, high) = (words.lowHalf, words.highHalf) }

  /// Parses 64 hexadecimal digits in either case; returns `nil` for other text.
  package init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 64 else { return nil }
    var words = SIMD8<UInt32>()
    for (index, digit) in digits.enumerated() {
      guard let value = Digest.value(of: digit) else { return nil }
      words[index / 8] = words[index / 8] &<< 4 | value
    }
    self.init(words: words)
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(digit - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(digit - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// The digest as 64 lowercase hexadecimal digits.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    let words = SIMD8(lowHalf: low, highHalf: high)
    var text: [UInt8] = []
    text.reserveCapacity(64)
    for index in 0..<8 {
      for nibble in 0..<8 {
        text.append(digits[Int(words[index] >> UInt32(28 - 4 * nibble)) & 15])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension Digest: CustomStringConvertible {
  package var description: String { hexadecimal }
}
