import Foundation
import MartletTestSupport
import Testing

@testable import MartletBase

@Suite struct ArctangentTests {
  static let edges: [Double] = [
    0, -0.0, 1, -1, .infinity, -.infinity, .nan, 0x1p-1074, -0x1p-1074, 1e308, -1e308, 0.3,
  ]

  @Test func errorStaysWithinBoundsAroundTheCircle() {
    for step in 0..<20_000 {
      let angle = Double(step) * 0.000314
      let y: Double = Foundation.sin(angle) * 3
      let x: Double = Foundation.cos(angle) * 3
      let exact: Double = Foundation.atan2(y, x)
      #expect(ulps(VectorMath.atan2(y, x), from: exact) < 3)
      let (v, u) = (Float(y), Float(x))
      let single: Double = Foundation.atan2(Double(v), Double(u))
      #expect(ulps(VectorMath.atan2(v, u), from: single) < 0.501)
    }
  }

  @Test func edgeCasesMatchTheLibrary() {
    for y in ArctangentTests.edges {
      for x in ArctangentTests.edges {
        let want: Double = Foundation.atan2(y, x)
        #expect(isSame(VectorMath.atan2(y, x), want), "\(y) \(x)")
      }
    }
  }
}
