import Foundation
import MartletTestSupport
import Testing

@testable import MartletBase

@Suite struct PowTests {
  static let edges: [Float] = [
    0, -0.0, 1, -1, 2, -2, 3, -3, 0.5, -0.5, .infinity, -.infinity, .nan, 1e30, -1e30, 0x1p-140,
    16_777_218, 8_388_609, -8_388_609,
  ]

  @Test func errorStaysWithinBound() {
    for i in 1..<400 {
      for j in -60..<60 {
        let x = Float(i) * 0.07
        let y = Float(j) * 0.41
        let want: Double = Foundation.pow(Double(x), Double(y))
        #expect(ulps(VectorMath.pow(x, y), from: want) < 0.501, "\(x) \(y)")
      }
    }
  }

  @Test func edgeCasesMatchTheLibrary() {
    for x in PowTests.edges {
      for y in PowTests.edges {
        let want: Float = Foundation.pow(x, y)
        #expect(isSame(VectorMath.pow(x, y), want), "\(x) \(y)")
      }
    }
  }
}
