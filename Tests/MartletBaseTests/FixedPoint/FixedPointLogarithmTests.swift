import Foundation
import Testing

@testable import MartletBase

@Suite struct FixedPointLogarithmTests {
  @Test func isCloseToExactLogarithm() {
    for x in stride(from: Int32(1 << 19), through: 2_143_000_000, by: 3_999_971) {
      let want: Double = Foundation.log(Double(x) / 0x1p19)
      let found: Double = Double(FixedPoint.log(ofQ12: x)) / 0x1p26
      #expect((found - want).magnitude < 0x1p-20, "\(x)")
    }
  }
}
