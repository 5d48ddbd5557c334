import MartletTensor
import Testing

@testable import MartletKernels

@Suite struct RequantizationTests {
  /// Sums at which roundings tip over, and random ones of all magnitudes.
  static let sums: [Int32] = {
    var random = Seeded(state: 12)
    let edges = [0, 1, 2, 3, 1 << 15, 1 << 29, 1 << 30, .max - 1, .max] as [Int32]
    let all = (0..<4000).map { _ in
      Int32.random(in: .min ... .max, using: &random) >> Int32.random(in: 0...30, using: &random)
    }
    return edges + edges.map { ~$0 } + all
  }()

  static let factors: [FixedPointMultiplier] = {
    var random = Seeded(state: 13)
    let edges = [0, 0x1p-32, 0x1p-31, 0.5, 0.75, 1, 1.5, 0x1p10, 0x1p29].map {
      FixedPointMultiplier($0)
    }
    return edges
      + (-31...0).map { shift in
        FixedPointMultiplier(
          mantissa: Int32.random(in: 1 << 30 ... .max, using: &random), shift: Int32(shift))
      } + [FixedPointMultiplier(mantissa: .max, shift: 0)]
  }()

  @Test(arguments: factors)
  func lanesScaleLikeFixedPointMultipliers(_ factor: FixedPointMultiplier) {
    var fields = [Int32](repeating: 0, count: 5 * 4)
    for lane in 0..<4 { factor.writeFields(at: lane, stride: 4, into: &fields) }
    let range = ByteRange(
      zeroPoint: -5, low: .min, high: .max, shiftsLeft: factor.shift > 0)
    fields.withUnsafeBufferPointer { fields in
      guard let start = fields.baseAddress else { return }
      for first in stride(from: 0, to: Self.sums.count - 3, by: 4) {
        let lanes = SIMD4<Int32>(Self.sums[first..<first + 4])
        let scaled = requantize(lanes, start, 4, range)
        for lane in 0..<4 {
          #expect(scaled[lane] == factor(lanes[lane]) &- 5, "\(lanes[lane])")
        }
      }
    }
  }

  @Test func lanesAddProductsOfPairs() {
    var random = Seeded(state: 14)
    for _ in 0..<1000 {
      let x: [Int16] = random.integers(8, in: -255...255)
      let w: [Int16] = random.integers(8, in: -255...255)
      let sums: [Int32] = random.integers(4)
      func pairs(_ v: [Int16]) -> SIMD4<Int32> {
        SIMD4(pair(v[0], v[1]), pair(v[2], v[3]), pair(v[4], v[5]), pair(v[6], v[7]))
      }
      var expected = sums
      for i in 0..<8 { expected[i / 2] &+= Int32(x[i]) * Int32(w[i]) }
      let start = SIMD4<Int32>(sums)
      #expect(SIMD4.addPairs(start, pairs(x), pairs(w)) == SIMD4(expected))
      #expect(SIMD4.addHalves(start, pairs(x), pairs(w)) == SIMD4(expected))
    }
  }
}
