import Foundation
import Testing

@testable import MartletTracking

@Suite struct FourierTransformTests {
  /// Four signals of numbers that repeat late.
  private func signal(_ length: Int) -> [SIMD4<Float>] {
    (0..<length).map { index in
      let values = [index * 7 % 11, index * index % 5, index & 1, 3 - index % 4]
      return SIMD4(values.map(Float.init))
    }
  }

  /// The sum as it is defined, in double precision.
  private func defined(_ signal: [SIMD4<Float>], frequency: Int) -> (SIMD4<Double>, SIMD4<Double>) {
    var real = SIMD4<Double>.zero
    var imaginary = SIMD4<Double>.zero
    for (index, value) in signal.enumerated() {
      let angle = -2 * Double.pi * Double(frequency * index) / Double(signal.count)
      real += SIMD4<Double>(value) * cos(angle)
      imaginary += SIMD4<Double>(value) * sin(angle)
    }
    return (real, imaginary)
  }

  @Test(arguments: [2, 4, 8, 16, 32, 64]) func isTheDefinedSum(length: Int) {
    let input = signal(length)
    var real = input
    var imaginary = [SIMD4<Float>](repeating: .zero, count: length)
    FourierTransform(length: length).transform(&real, &imaginary, stride: 1, inverse: false)
    for frequency in 0..<length {
      let expected = defined(input, frequency: frequency)
      let errors = (
        SIMD4<Double>(real[frequency]) - expected.0,
        SIMD4<Double>(imaginary[frequency]) - expected.1
      )
      for lane in 0..<4 {
        #expect(errors.0[lane].magnitude < 1e-3)
        #expect(errors.1[lane].magnitude < 1e-3)
      }
    }
  }

  @Test func inverseGivesLengthTimesTheSignalBack() {
    let input = signal(32)
    var real = input
    var imaginary = [SIMD4<Float>](repeating: .zero, count: 32)
    let transform = FourierTransform(length: 32)
    transform.transform(&real, &imaginary, stride: 1, inverse: false)
    transform.transform(&real, &imaginary, stride: 1, inverse: true)
    for index in 0..<32 {
      for lane in 0..<4 {
        #expect((real[index][lane] / 32 - input[index][lane]).magnitude < 1e-5)
        #expect((imaginary[index][lane] / 32).magnitude < 1e-5)
      }
    }
  }

  @Test func squareTransformsRowsThenColumns() {
    // A wave along x times a wave along y has its energy at one frequency and the mirrored ones.
    let size = 8
    var real = (0..<(size * size)).map { index -> SIMD4<Float> in
      let x = Double(index % size)
      let y = Double(index / size)
      return SIMD4(repeating: Float(cos(2 * .pi * (x * 1 + y * 3) / 8)))
    }
    var imaginary = [SIMD4<Float>](repeating: .zero, count: size * size)
    FourierTransform(length: size).transformSquare(&real, &imaginary, inverse: false)
    for row in 0..<size {
      for column in 0..<size {
        let isPeak = (row, column) == (3, 1) || (row, column) == (5, 7)
        #expect((real[row * size + column][0] - (isPeak ? 32 : 0)).magnitude < 1e-4)
        #expect(imaginary[row * size + column][0].magnitude < 1e-4)
      }
    }
  }
}
