import Foundation
import Testing

@testable import MartletTracking

@Suite struct GradientTests {
  private func eighteenths(_ x: Float, _ y: Float) -> Float {
    Gradient.eighteenths(SIMD4(repeating: x), SIMD4(repeating: y))[2]
  }

  @Test func directionIsTheArcTangent() {
    for step in 0..<720 {
      let angle = Double(step) * .pi / 360 + 0.0007
      let direction = eighteenths(Float(3 * cos(angle)), Float(3 * sin(angle)))
      #expect((Double(direction) - angle * 9 / .pi).magnitude < 0.001)
    }
  }

  @Test(arguments: [
    (1, 0, 0), (0, 2, 4.5), (-3, 0, 9), (0, -1, 13.5), (5, 5, 2.25), (0, 0, 0), (1, -0.0, 0),
  ])
  func axesAndDiagonalsAreExact(x: Float, y: Float, expected: Float) {
    #expect((eighteenths(x, y) - expected).magnitude < 0.001)
  }

  @Test func isNeverAWholeTurn() {
    #expect(eighteenths(1, -1e-30) < 18)
    #expect(eighteenths(.leastNonzeroMagnitude, -.leastNonzeroMagnitude) < 18)
  }

  @Test func theSteepestChannelDecides() {
    // Red, green and blue of four samples: the steepest is green, blue, red, and the first of two.
    let across = Gradient.Channels([3, 0, -1, 0], [0, 1, 3, 0], [-5, 1, 2, 0], [0, 4, 0, 0])
    let down = Gradient.Channels([4, 6, 0, 0], [2, 0, 0, 0], [0, 1, 1, 0], [4, 0, 4, 0])
    let gradient = Gradient(across, down)
    #expect(gradient.magnitude == [6, 3, 5, 4])
    for (lane, expected) in [4.5, 0, 9, 4.5].enumerated() {
      #expect((gradient.direction[lane] - Float(expected)).magnitude < 0.001)
    }
  }
}
