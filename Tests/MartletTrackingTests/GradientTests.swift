import Foundation
import Testing

@testable import MartletTracking

@Suite struct GradientTests {
  @Test func directionIsTheArcTangent() {
    for step in 0..<720 {
      let angle = Double(step) * .pi / 360 + 0.0007
      let direction = Gradient.eighteenths(Float(3 * cos(angle)), Float(3 * sin(angle)))
      #expect((Double(direction) - angle * 9 / .pi).magnitude < 0.001)
    }
  }

  @Test(arguments: [
    (1, 0, 0), (0, 2, 4.5), (-3, 0, 9), (0, -1, 13.5), (5, 5, 2.25), (0, 0, 0), (1, -0.0, 0),
  ])
  func axesAndDiagonalsAreExact(x: Float, y: Float, expected: Float) {
    #expect((Gradient.eighteenths(x, y) - expected).magnitude < 0.001)
  }

  @Test func isNeverAWholeTurn() {
    #expect(Gradient.eighteenths(1, -1e-30) < 18)
    #expect(Gradient.eighteenths(.leastNonzeroMagnitude, -.leastNonzeroMagnitude) < 18)
  }

  @Test func theSteepestChannelDecides() {
    let gradient = Gradient(SIMD4(3, 0, -1, 0), SIMD4(4, 6, 0, 0))
    #expect(gradient.magnitude == 6)
    #expect(gradient.direction == 4.5)
  }
}
