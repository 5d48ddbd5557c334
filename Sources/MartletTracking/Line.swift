//===--- Line.swift - signals to be transformed together ------------------===//
//
// Contract  Samples are put where the transform wants them, `FourierTransform.places`.
// Checked   Tests/MartletTrackingTests/CorrelationFilterTests.swift
//===----------------------------------------------------------------------===//

extension SIMD16<Float> {
  /// The sum of all lanes: of the halves, of their sum's halves, and so on.
  @inline(__always)
  var total: Float {
    // The library's halves are made lane by lane, and so would be all that they are made of.
    typealias Four = SIMD4<Float>
    let (a, b, c, d) = unsafeBitCast(self, to: (Four, Four, Four, Four).self)
    let four = (a + c) + (b + d)
    return (four[0] + four[2]) + (four[1] + four[3])
  }
}

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
    fourier.transform(&real, &imaginary, chunks: 4, inverse: false)
  }

  /// The spectrum of an even signal.
  static func spectrum(_ signal: [Float], _ fourier: FourierTransform) -> [Float] {
    var line = Line(size: signal.count)
    for (index, value) in signal.enumerated() { line.real[fourier.places[index]][0] = value }
    line.transform(fourier)
    return line.real.map { $0[0] }
  }
}
