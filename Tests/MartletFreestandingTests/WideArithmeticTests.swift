import Testing

@testable import MartletFreestanding

/// The replacements for 64-bit instructions on 32-bit processors return the same results.
@Suite struct WideArithmeticTests {
  /// Every power of two, its neighbors and their opposites, and some other bit patterns.
  static let numbers: [Int64] = {
    var numbers: [Int64] = [0, .min, .max]
    for power in 0..<63 {
      for step: Int64 in -1...1 {
        let number = (Int64(1) << Int64(power)) + step
        numbers += [number, -number]
      }
    }
    var state: UInt64 = 1
    for _ in 0..<200 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      numbers.append(Int64(bitPattern: state) >> Int64(state >> 58))
    }
    return numbers
  }()

  @Test func shiftsMatchTheStandardLibrary() {
    for number in Self.numbers {
      let bits = UInt64(bitPattern: number)
      for count: UInt32 in 0..<64 {
        #expect(Arithmetic.shiftLeft(bits, by: count) == bits << UInt64(count))
        #expect(Arithmetic.shiftRight(bits, by: count) == bits >> UInt64(count))
        #expect(Arithmetic.shiftRight(number, by: count) == number >> Int64(count))
      }
    }
  }

  @Test func quotientsMatchTheStandardLibrary() {
    for dividend in Self.numbers {
      for divisor in Self.numbers where divisor != 0 {
        let unsigned = Arithmetic.divide(
          UInt64(bitPattern: dividend), by: UInt64(bitPattern: divisor))
        #expect(
          unsigned
            == UInt64(bitPattern: dividend).quotientAndRemainder(
              dividingBy: UInt64(bitPattern: divisor)))
        // The one quotient that overflows.
        guard (dividend, divisor) != (.min, -1) else { continue }
        let signed = Arithmetic.divide(dividend, by: divisor)
        #expect(signed == dividend.quotientAndRemainder(dividingBy: divisor))
      }
    }
  }

  @Test func conversionsToFloatingPointMatchTheStandardLibrary() {
    for number in Self.numbers {
      #expect(Arithmetic.double(number) == Double(number))
      #expect(Arithmetic.single(number) == Float(number))
      let bits = UInt64(bitPattern: number)
      #expect(Arithmetic.double(bits) == Double(bits))
      #expect(Arithmetic.single(bits) == Float(bits))
    }
    // Just above the middle between two floats, by a bit that a double cannot store.
    let pastTheMiddle: Int64 = 0x4000_0040_0000_0001
    #expect(Arithmetic.single(pastTheMiddle) == Float(pastTheMiddle))
  }

  @Test(arguments: [
    0, -0.0, 0.5, 0.999, 1, 1.5, -1.5, -0.7, 4_294_967_296.5, 0x1p52 + 1, 0x1p62, -0x1p63,
  ])
  func truncatesToWholeParts(_ value: Double) {
    #expect(Arithmetic.wholePart(value) == Int64(value))
  }

  @Test func wholePartOfAnIntegerIsUnchanged() {
    for number in Self.numbers where number.magnitude < 1 << 53 {
      #expect(Arithmetic.wholePart(Double(number)) == number)
    }
  }
}
