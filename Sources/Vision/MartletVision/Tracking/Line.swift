//===--- Line.swift - line of parallel signals ----------------------------===//
//
// Contract  Samples are stored in the order of `FourierTransform.places`.
//===----------------------------------------------------------------------===//

extension SIMD16<Float> {
  /// The sum of all lanes; halves are added until one lane is left.
  @inline(__always)
  var total: Float {
    let eight = lowHalf + highHalf
    let four = eight.lowHalf + eight.highHalf
    let two = four.lowHalf + four.highHalf
    return two[0] + two[1]
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

  /// Transforms the line, whose samples are in the order of `FourierTransform.places`.
  mutating func transform(_ fourier: FourierTransform) {
    fourier.transform(&real, &imaginary, chunks: 4, inverse: false)
  }

  /// Returns the real spectrum of an even signal.
  static func spectrum(_ signal: [Float], _ fourier: FourierTransform) -> [Float] {
    var line = Line(size: signal.count)
    for (index, value) in signal.enumerated() { line.real[fourier.places[index]][0] = value }
    line.transform(fourier)
    return line.real.map { $0[0] }
  }
}
