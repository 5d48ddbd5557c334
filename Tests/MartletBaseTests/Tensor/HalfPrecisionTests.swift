import MartletTestSupport
import Testing

@testable import MartletBase

@Suite struct HalfPrecisionTests {
  @Test func everyHalfRoundTrips() {
    for bits in UInt16.min...UInt16.max {
      let value = Float(halfBits: bits)
      #expect(isSame(Half(rounding: value).float, value))
    }
  }

  /// Exactly one float is in the middle of two neighbors and rounds to the even one; the floats
  /// next to it round to the nearer one.
  @Test func halvesRoundToNearestTiesToEven() {
    for bits in UInt16.min..<0x7c00 {
      let low = Float(halfBits: bits)
      let high: Float = bits == 0x7bff ? 65536 : Float(halfBits: bits + 1)
      let middle: Float = (low + high) / 2
      let even: UInt16 = bits + bits % 2
      let opposite: UInt16 = 0x8000 + bits + 1
      #expect(Half(rounding: middle).bitPattern == even)
      #expect(Half(rounding: middle.nextDown).bitPattern == bits)
      #expect(Half(rounding: middle.nextUp).bitPattern == bits + 1)
      #expect(Half(rounding: -middle.nextUp).bitPattern == opposite)
    }
    #expect(Half(rounding: .infinity).bitPattern == 0x7c00)
    #expect(Half(rounding: -3e38).bitPattern == 0xfc00)
  }

  @Test func brainFloatsRoundToNearestTiesToEven() {
    for bits in UInt16.min..<0x7f7f {
      let low = UInt32(bits) << 16
      let even: UInt16 = bits + bits % 2
      let opposite: UInt16 = 0x8001 + bits
      #expect(BrainFloat(rounding: Float(bitPattern: low)).bitPattern == bits)
      #expect(BrainFloat(rounding: Float(bitPattern: low + 0x8000)).bitPattern == even)
      #expect(BrainFloat(rounding: Float(bitPattern: low + 0x7fff)).bitPattern == bits)
      #expect(BrainFloat(rounding: -Float(bitPattern: low + 0x8001)).bitPattern == opposite)
    }
    #expect(BrainFloat(rounding: .greatestFiniteMagnitude).float == .infinity)
    #expect(BrainFloat(rounding: Float(bitPattern: 0x7f80_0001)).float.isNaN)
  }
}
