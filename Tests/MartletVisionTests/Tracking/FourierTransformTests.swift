import Foundation
import Testing

@testable import MartletVision

@Suite struct FourierTransformTests {
  /// Four signals of numbers with a long period.
  private func signal(_ length: Int) -> [SIMD4<Float>] {
    (0..<length).map { index in
      let values = [index * 7 % 11, index * index % 5, index & 1, 3 - index % 4]
      return SIMD4(values.map(Float.init))
    }
  }

  /// The reference sum from the definition, in double precision.
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

  /// The samples in the order that the transform expects.
  private func placed(
    _ signal: [SIMD4<Float>], _ transform: FourierTransform
  ) -> [SIMD4<Float>] {
    var placed = signal
    for (index, value) in signal.enumerated() { placed[transform.places[index]] = value }
    return placed
  }

  @Test(arguments: [4, 8, 16, 32, 64, 128]) func matchesTheDefinition(length: Int) {
    let input = signal(length)
    let transform = FourierTransform(length: length)
    var real = placed(input, transform)
    var imaginary = [SIMD4<Float>](repeating: .zero, count: length)
    transform.transform(&real, &imaginary, chunks: 1, inverse: false)
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

  @Test(arguments: [4, 8, 16, 32]) func inverseScalesSignalByLength(length: Int) {
    let input = signal(length)
    let transform = FourierTransform(length: length)
    var real = placed(input, transform)
    var imaginary = [SIMD4<Float>](repeating: .zero, count: length)
    transform.transform(&real, &imaginary, chunks: 1, inverse: false)
    real = placed(real, transform)
    imaginary = placed(imaginary, transform)
    transform.transform(&real, &imaginary, chunks: 1, inverse: true)
    for index in 0..<length {
      for lane in 0..<4 {
        #expect((real[index][lane] / Float(length) - input[index][lane]).magnitude < 1e-5)
        #expect((imaginary[index][lane] / Float(length)).magnitude < 1e-5)
      }
    }
  }

  @Test(arguments: [8, 16, 32]) func chunksAreTransformedIndependently(length: Int) {
    let transform = FourierTransform(length: length)
    let other = signal(length).reversed() as [SIMD4<Float>]
    var alone = (placed(signal(length), transform), placed(other, transform))
    var real = [SIMD4<Float>](repeating: .zero, count: 2 * length)
    var imaginary = real
    for index in 0..<length {
      // The first four signals along the real axis, the others along the imaginary one.
      real[2 * index] = alone.0[index]
      imaginary[2 * index + 1] = alone.1[index]
    }
    transform.transform(&real, &imaginary, chunks: 2, inverse: false)
    var rest = [SIMD4<Float>](repeating: .zero, count: length)
    transform.transform(&alone.0, &rest, chunks: 1, inverse: false)
    for index in 0..<length {
      #expect(real[2 * index] == alone.0[index] && imaginary[2 * index] == rest[index])
    }
    rest = [SIMD4<Float>](repeating: .zero, count: length)
    transform.transform(&rest, &alone.1, chunks: 1, inverse: false)
    for index in 0..<length {
      #expect(real[2 * index + 1] == rest[index] && imaginary[2 * index + 1] == alone.1[index])
    }
  }
}
