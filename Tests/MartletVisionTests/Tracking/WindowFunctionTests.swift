import Foundation
import Testing

@testable import MartletVision

@Suite struct WindowFunctionTests {
  @Test(arguments: [1, 2, 17, 32, 100]) func hannIsSquaredSine(count: Int) {
    for (index, value) in WindowFunction.hann(count).enumerated() {
      let expected = pow(sin(.pi * Double(index + 1) / Double(count + 1)), 2)
      #expect((Double(value) - expected).magnitude < 1e-6)
    }
  }

  @Test(arguments: [0.3, 1, 4]) func gaussianIsExponential(deviation: Float) {
    for (index, value) in WindowFunction.gaussian(32, deviation: deviation).enumerated() {
      let distance = Double(min(index, 32 - index))
      let expected = exp(-distance * distance / 2 / pow(Double(deviation), 2))
      #expect((Double(value) - expected).magnitude < 1e-5)
    }
  }

  @Test(arguments: [0.5, 9, 32, 50]) func raisedCosineIsSquaredCosine(width: Float) {
    for (index, value) in WindowFunction.raisedCosine(32, width: width).enumerated() {
      let distance = abs(Double(index) + 0.5 - 16) / Double(width)
      let expected = distance < 0.5 ? pow(cos(.pi * distance), 2) : 0
      #expect((Double(value) - expected).magnitude < 1e-6)
    }
  }
}
