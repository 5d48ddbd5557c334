import MartletFreestanding
import MartletTestSupport
import Testing

@Suite struct ArithmeticTests {
  static let values: [Double] = [
    0, -0.0, 0.25, 0.49999997, 0.5, -0.5, 0.75, 1.5, 2.5, -2.5, 8_388_607.5, 8_388_608, -8_388_609,
    1e20,
    0x1p51 + 0.5, 0x1p52 + 1, .infinity, -.infinity, .leastNonzeroMagnitude, 0.49999999999999994,
  ]

  @Test(arguments: values) func roundsHalfAwayFromZero(_ value: Double) {
    let expected = value.rounded(.toNearestOrAwayFromZero)
    #expect(Arithmetic.round(value).bitPattern == expected.bitPattern)
    let single = Float(value)
    #expect(
      Arithmetic.round(single).bitPattern
        == single.rounded(.toNearestOrAwayFromZero).bitPattern)
  }

  @Test func roundingKeepsNaN() {
    #expect(Arithmetic.round(Float.nan).isNaN)
    #expect(Arithmetic.round(Double.nan).isNaN)
  }

  @available(macOS 15, iOS 18, *)
  @Test func multipliesAs128BitIntegers() {
    var random = SplitMix64(seed: 1)
    let edges: [UInt64] = [0, 1, 0xFFFF_FFFF, 1 << 32, .max]
    for index in 0..<2000 {
      let words = (0..<4).map { word in
        index < 625 ? edges[index / [1, 5, 25, 125][word] % 5] : random.next() as UInt64
      }
      let a = UInt128(words[1]) << 64 | UInt128(words[0])
      let b = UInt128(words[3]) << 64 | UInt128(words[2])
      let product = Arithmetic.product((words[0], words[1]), (words[2], words[3]))
      #expect(UInt128(product.high) << 64 | UInt128(product.low) == a &* b)
    }
  }
}
