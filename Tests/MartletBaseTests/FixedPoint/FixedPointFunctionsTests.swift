import Foundation
import Testing

@testable import MartletBase

@Suite struct FixedPointFunctionsTests {
  @Test func exponentialIsCloseToExactValue() {
    #expect(FixedPoint.exp(ofNegative: 0) == Int32.max)
    for x in stride(from: Int32.min, to: 0, by: 65_537) {
      let exact = exp(Double(x) / 0x1p26) * 0x1p31
      let error = abs(Double(FixedPoint.exp(ofNegative: x)) - exact)
      #expect(error < 0x1p31 * 1e-5)
    }
  }

  @Test func reciprocalIsCloseToExactValue() {
    for x in stride(from: Int32(0), to: Int32.max - 65_537, by: 65_537) {
      let exact = 1 / (1 + Double(x) / 0x1p31) * 0x1p31
      let error = abs(Double(FixedPoint.reciprocal(ofOnePlus: x)) - exact)
      #expect(error < 64)
    }
  }
}
