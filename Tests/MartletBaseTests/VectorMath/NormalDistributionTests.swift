import Foundation
import MartletTestSupport
import Testing

@testable import MartletBase

@Suite struct NormalDistributionTests {
  private func lane(_ x: Float) -> Float {
    VectorMath.normalDistribution(SIMD8(repeating: x))[0]
  }

  @Test func distributionErrorStaysWithinBoundInTheTail() {
    for step in -12_900...9_000 {
      let x = Float(step) / 1000
      let argument: Double = -Double(x) * 0.5.squareRoot()
      let want: Double = Foundation.erfc(argument) / 2
      #expect(relativeError(Double(lane(x)), from: want) < 0x1p-20, "\(x)")
    }
  }

  @Test func distributionConvergesToZeroAndOne() {
    #expect(lane(-.infinity) < 1e-38)
    #expect(lane(.infinity) == 1)
    #expect((lane(0) - 0.5).magnitude < 1e-6)
    #expect(lane(.nan).isNaN)
  }

  @Test func errorFunctionStaysWithinBound() {
    for step in -6_000...26_000 {
      let x = Double(step) / 1000
      let want: Double = Foundation.erfc(x)
      #expect(relativeError(VectorMath.erfc(x), from: want) < 0x1p-42, "\(x)")
    }
    #expect(VectorMath.erfc(.infinity) == 0)
    #expect(VectorMath.erfc(-.infinity) == 2)
    #expect(VectorMath.erfc(.nan).isNaN)
  }
}
