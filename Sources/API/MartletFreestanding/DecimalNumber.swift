//===--- DecimalNumber.swift - correctly rounded numbers ------------------===//
//
// Parses what C's `strtod` parses in the C locale, and rounds to the nearest value of the type,
// ties to even, for any number of digits: exactly, with integers of arbitrary length.
//
// Contract  Decimal digits with a point and an exponent, hexadecimal digits with a binary exponent,
//           `inf`, `infinity` and `nan` in any case, each with an optional sign. No leading white
//           space.
// Cost      Quadratic in the digits. Of the digits after the first 800 only whether one is not zero
//           is used, which suffices for correct rounding.
//===----------------------------------------------------------------------===//

/// A number at the start of a text.
package struct DecimalNumber<Value: BinaryFloatingPoint> {
  package let value: Value
  /// The number's length in bytes.
  package let length: Int

  /// Parses the number at the start of `text`; `nil` if there is none.
  package init?(_ text: some Collection<UInt8>) {
    var reader = NumberReader(Array(text))
    let isNegative = reader.takeSign()
    guard let magnitude: Value = reader.takeMagnitude() else { return nil }
    value = isNegative ? -magnitude : magnitude
    length = reader.index
  }
}

/// Parses the parts of a number.
private struct NumberReader {
  let bytes: [UInt8]
  var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Consumes an optional sign; returns whether it is a minus.
  mutating func takeSign() -> Bool {
    guard let next, next == UInt8(ascii: "-") || next == UInt8(ascii: "+") else { return false }
    index += 1
    return next == UInt8(ascii: "-")
  }

  mutating func takeMagnitude<Value: BinaryFloatingPoint>() -> Value? {
    if takeWord("infinity") || takeWord("inf") { return .infinity }
    if takeWord("nan") { return .nan }
    let start = index
    if takeWord("0x") {
      if let value: Value = takeDigits(radix: 16) { return value }
      // Only the zero is the number.
      index = start
    }
    return takeDigits(radix: 10)
  }

  /// Consumes a word given in lower case, in any case.
  private mutating func takeWord(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard bytes.count - index >= length else { return false }
    let same = word.withUTF8Buffer { letters in
      letters.indices.allSatisfy { unsafe bytes[index + $0] | 0x20 == letters[$0] | 0x20 }
    }
    if same { index += length }
    return same
  }

  /// Consumes digits with a point and an exponent.
  private mutating func takeDigits<Value: BinaryFloatingPoint>(radix: UInt32) -> Value? {
    var digits = WholeNumber()
    var exponent = 0
    var (hasDigits, hasPoint, count, isInexact) = (false, false, 0, false)
    while let byte = next {
      if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
        index += 1
        continue
      }
      guard let digit = NumberReader.digit(byte, radix) else { break }
      hasDigits = true
      index += 1
      if count < 800 {
        if count > 0 || digit > 0 { count += 1 }
        digits.multiply(by: radix, adding: digit)
        if hasPoint { exponent -= 1 }
      } else {
        isInexact = isInexact || digit > 0
        if !hasPoint { exponent += 1 }
      }
    }
    guard hasDigits else { return nil }
    if isInexact {
      digits.multiply(by: radix, adding: 1)
      exponent -= 1
    }
    let written = takeExponent(radix == 10 ? UInt8(ascii: "e") : UInt8(ascii: "p"))
    return radix == 10
      ? digits.scaled(powerOfTen: exponent + written, powerOfTwo: 0)
      : digits.scaled(powerOfTen: 0, powerOfTwo: 4 * exponent + written)
  }

  /// Consumes a letter and an exponent; returns 0 if there is none.
  private mutating func takeExponent(_ letter: UInt8) -> Int {
    guard let byte = next, byte | 0x20 == letter else { return 0 }
    let start = index
    index += 1
    let isNegative = takeSign()
    var value = 0
    var hasDigits = false
    while let byte = next, let digit = NumberReader.digit(byte, 10) {
      hasDigits = true
      value = min(value * 10 + Int(digit), 100_000)
      index += 1
    }
    guard hasDigits else {
      index = start
      return 0
    }
    return isNegative ? -value : value
  }

  private static func digit(_ byte: UInt8, _ radix: UInt32) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"):
      radix == 16 ? UInt32(byte - UInt8(ascii: "a") + 10) : nil
    case UInt8(ascii: "A")...UInt8(ascii: "F"):
      radix == 16 ? UInt32(byte - UInt8(ascii: "A") + 10) : nil
    default: nil
    }
  }
}

/// An integer of arbitrary length, the lowest 32 bits first; the highest word is not zero.
private struct WholeNumber {
  var words: [UInt32] = []

  init() {}

  /// Two to the power of `exponent`.
  init(powerOfTwo exponent: Int) {
    words = [UInt32](repeating: 0, count: exponent / 32) + [1 << UInt32(exponent % 32)]
  }

  mutating func multiply(by factor: UInt32, adding summand: UInt32 = 0) {
    var carry = UInt64(summand)
    for index in words.indices {
      carry += UInt64(words[index]) * UInt64(factor)
      words[index] = UInt32(truncatingIfNeeded: carry)
      carry >>= 32
    }
    if carry > 0 { words.append(UInt32(carry)) }
  }

  mutating func multiply(byPowerOfTen exponent: Int) {
    for _ in 0..<exponent / 9 { multiply(by: 1_000_000_000) }
    for _ in 0..<exponent % 9 { multiply(by: 10) }
  }

  mutating func shiftLeft(by count: Int) {
    guard !words.isEmpty, count > 0 else { return }
    let bits = UInt32(count % 32)
    multiply(by: 1 << bits)
    words.insert(contentsOf: repeatElement(0, count: count / 32), at: 0)
  }

  var bitWidth: Int {
    words.last.map { 32 * words.count - $0.leadingZeroBitCount } ?? 0
  }

  /// Whether this number is at least `other`.
  func isAtLeast(_ other: WholeNumber) -> Bool {
    guard words.count == other.words.count else { return words.count > other.words.count }
    for index in words.indices.reversed() where words[index] != other.words[index] {
      return words[index] > other.words[index]
    }
    return true
  }

  mutating func subtract(_ other: WholeNumber) {
    var borrow: Int64 = 0
    for index in words.indices {
      let rest =
        Int64(words[index]) - borrow - (index < other.words.count ? Int64(other.words[index]) : 0)
      words[index] = UInt32(truncatingIfNeeded: rest)
      borrow = rest < 0 ? 1 : 0
    }
    while words.last == 0 { words.removeLast() }
  }

  /// The value of the type that is nearest to this number times powers of ten and of two.
  func scaled<Value: BinaryFloatingPoint>(powerOfTen: Int, powerOfTwo: Int) -> Value {
    guard !words.isEmpty else { return 0 }
    // Beyond these limits even 800 digits overflow to infinity or underflow to 0.
    if powerOfTen > 5_000 || powerOfTwo > 20_000 { return .infinity }
    if powerOfTen < -6_000 || powerOfTwo < -25_000 { return 0 }
    var (above, below) = (self, WholeNumber(powerOfTwo: 0))
    if powerOfTen >= 0 {
      above.multiply(byPowerOfTen: powerOfTen)
    } else {
      below.multiply(byPowerOfTen: -powerOfTen)
    }
    return WholeNumber.quotient(above, below, powerOfTwo: powerOfTwo)
  }

  /// above / below * 2^powerOfTwo, rounded to nearest, ties to even.
  private static func quotient<Value: BinaryFloatingPoint>(
    _ above: WholeNumber, _ below: WholeNumber, powerOfTwo: Int
  ) -> Value {
    let minimumExponent = Int(Value.leastNormalMagnitude.exponent) - Value.significandBitCount
    // The exponent of the lowest bit of the result. The quotient is then at most one bit wider than
    // a significand, and never finer than the type.
    var exponent = max(
      above.bitWidth - below.bitWidth + powerOfTwo - Value.significandBitCount - 1, minimumExponent)
    var (rest, divisor) = (above, below)
    let shift = exponent - powerOfTwo
    if shift > 0 { divisor.shiftLeft(by: shift) } else { rest.shiftLeft(by: -shift) }
    var significand = UInt64(0)
    for bit in stride(from: max(rest.bitWidth - divisor.bitWidth, 0), through: 0, by: -1) {
      var part = divisor
      part.shiftLeft(by: bit)
      if rest.isAtLeast(part) {
        rest.subtract(part)
        significand |= 1 << UInt64(bit)
      }
    }
    // If the quotient is one bit too wide, its lowest bit, worth one divisor, is returned to the
    // rest.
    if significand >> UInt64(Value.significandBitCount + 1) != 0 {
      if significand & 1 == 1 { rest.add(divisor) }
      significand >>= 1
      divisor.shiftLeft(by: 1)
      exponent += 1
    }
    rest.shiftLeft(by: 1)
    let isAboveHalf = rest.isAtLeast(divisor)
    let isHalf = isAboveHalf && divisor.isAtLeast(rest)
    if isAboveHalf && (!isHalf || significand & 1 == 1) { significand += 1 }
    return Value(sign: .plus, exponent: Value.Exponent(exponent), significand: Value(significand))
  }

  private mutating func add(_ other: WholeNumber) {
    var carry: UInt64 = 0
    while words.count < other.words.count { words.append(0) }
    for index in words.indices {
      carry += UInt64(words[index]) + UInt64(index < other.words.count ? other.words[index] : 0)
      words[index] = UInt32(truncatingIfNeeded: carry)
      carry >>= 32
    }
    if carry > 0 { words.append(UInt32(carry)) }
  }
}
