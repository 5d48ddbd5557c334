import Foundation
import MartletTestSupport
import Testing

@testable import MartletBase

@Suite struct ExpMinusOneTests {
  private func lane(_ x: Float) -> Float {
    VectorMath.expMinusOne(ofNegative: SIMD8(repeating: x))[0]
  }

  @Test func errorStaysWithinBound() {
    for pattern in stride(from: UInt32(1), to: 0x42c8_0000, by: 2053) {
      let x = -Float(bitPattern: pattern)
      let want: Double = Foundation.expm1(Double(x))
      #expect(ulps(lane(x), from: want) < 2, "\(x)")
    }
  }

  @Test func edgeCasesAreExact() {
    #expect(isSame(lane(-0.0), -0.0))
    #expect(lane(-.infinity) == -1)
    #expect(lane(7) == 0)
    #expect(lane(.nan).isNaN)
  }
}
