//===--- Line.swift - signals to be transformed together ------------------===//
//
// Contract  Samples are put where the transform wants them, `FourierTransform.places`.
// Checked   Tests/MartletTrackingTests/CorrelationFilterTests.swift
//===----------------------------------------------------------------------===//

/// One line of sixteen complex signals.
struct Line {
  var real: [SIMD16<Float>]
  var imaginary: [SIMD16<Float>]

  init(size: Int) {
    real = [SIMD16<Float>](repeating: .zero, count: size)
    imaginary = real
  }

  mutating func clear() {
    for index in real.indices {
      real[index] = .zero
      imaginary[index] = .zero
    }
  }

  /// Transforms the line, whose samples stand where the transform wants them.
  mutating func transform(_ fourier: FourierTransform) {
    real.withUnsafeMutableBytes { real in
      imaginary.withUnsafeMutableBytes { imaginary in
        guard
          let real = real.assumingMemoryBound(to: SIMD4<Float>.self).baseAddress,
          let imaginary = imaginary.assumingMemoryBound(to: SIMD4<Float>.self).baseAddress
        else { return }
        fourier.transform(real, imaginary, chunks: 4, inverse: false)
      }
    }
  }

  /// The spectrum of an even signal.
  static func spectrum(_ signal: [Float], _ fourier: FourierTransform) -> [Float] {
    var line = Line(size: signal.count)
    for (index, value) in signal.enumerated() { line.real[fourier.places[index]][0] = value }
    line.transform(fourier)
    return line.real.map { $0[0] }
  }
}
