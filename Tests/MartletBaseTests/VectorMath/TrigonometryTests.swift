import Foundation
import MartletTestSupport
import Testing

@testable import MartletBase

@Suite struct TrigonometryTests {
  /// Floats of a coarse sweep over all bit patterns, and their opposites.
  static let angles: [Float] = {
    var angles: [Float] = []
    for pattern in stride(from: UInt32(0), to: 0x7f80_0000, by: 4099) {
      angles.append(Float(bitPattern: pattern))
      angles.append(-Float(bitPattern: pattern))
    }
    return angles
  }()

  /// The largest error over all angles, in units of the exact result's last place.
  private func worst(_ found: (Float) -> Float, _ exact: (Double) -> Double) -> Double {
    var worst = 0.0
    for x in TrigonometryTests.angles {
      worst = max(worst, ulps(found(x), from: exact(Double(x))))
    }
    return worst
  }

  @Test func sineStaysWithinBoundForAnyAngle() {
    #expect(worst(VectorMath.sin, Foundation.sin) < 0.501)
  }

  @Test func cosineStaysWithinBoundForAnyAngle() {
    #expect(worst(VectorMath.cos, Foundation.cos) < 0.501)
  }

  @Test func errorStaysWithinBoundNearQuarterTurns() {
    // The single-precision number that is closest to such a multiple.
    var angles: [Float] = [16_367_173 * 0x1p72]
    for multiple in 1...20_000 { angles.append(Float(Double(multiple) * Double.pi / 2)) }
    for x in angles {
      let sine: Double = Foundation.sin(Double(x))
      let cosine: Double = Foundation.cos(Double(x))
      #expect(ulps(VectorMath.sin(x), from: sine) < 0.501, "\(x)")
      #expect(ulps(VectorMath.cos(x), from: cosine) < 0.501, "\(x)")
    }
  }

  @Test func cosineOfTurnsStaysWithinBound() {
    for i in 0...10_000 {
      let turns = Double(i) / 10_000
      let exact: Double = Foundation.cos(2 * Double.pi * turns)
      #expect(abs(VectorMath.cos(turns: turns) - exact) < 0x1p-40)
    }
    #expect([0, 0.25, 0.5, 0.75, 1].map { VectorMath.cos(turns: $0) } == [1, 0, -1, 0, 1])
  }

  @Test func edgeCasesAreExact() {
    #expect(isSame(VectorMath.sin(Float(0)), 0))
    #expect(isSame(VectorMath.sin(Float(-0.0)), -0.0))
    #expect(VectorMath.cos(Float(-0.0)) == 1)
    #expect(VectorMath.sin(Float.leastNonzeroMagnitude) == Float.leastNonzeroMagnitude)
    for x in [Float.infinity, -Float.infinity, Float.nan] {
      #expect(VectorMath.sin(x).isNaN)
      #expect(VectorMath.cos(x).isNaN)
    }
  }

  @Test func sineIsOddAndCosineIsEven() {
    for x in TrigonometryTests.angles {
      #expect(isSame(VectorMath.sin(-x), -VectorMath.sin(x)))
      #expect(isSame(VectorMath.cos(-x), VectorMath.cos(x)))
    }
  }
}
