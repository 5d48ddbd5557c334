//===--- FourierTransform.swift - discrete Fourier transform --------------===//
//
// The factors of the transform and the order of its samples; the butterflies are a microkernel.
//
// Contract  X[k] = Σ x[n] · exp(-2πi·kn / N), not scaled; `inverse` flips the sign and does not
//           scale either. Lengths are powers of two, at least 4. The factors come from half-angle
//           formulas, so they are the same on every machine.
// Order     Every output is summed by the fixed butterfly network.
// Cost      N/2 · log2 N butterflies of ten operations per lane.
//===----------------------------------------------------------------------===//

import MartletKernels
import MartletMicrokernels

/// The transform of signals of `length` complex samples, in separate arrays of real and imaginary
/// parts.
struct FourierTransform {
  let length: Int
  /// The index of each sample before the butterflies: the bit-reversed index.
  let places: [Int]
  /// cos and sin of 2πk / length for the first half of the circle.
  private let cosines: [Float]
  private let sines: [Float]
  private let kernels: Microkernels

  init(length: Int, kernels: Microkernels = .current) {
    self.kernels = kernels
    precondition(length > 3 && length & (length - 1) == 0, "the length is a power of two from 4")
    self.length = length
    let bits = length.trailingZeroBitCount
    places = (0..<length).map { index in
      (0..<bits).reduce(0) { $0 << 1 | (index >> $1) & 1 }
    }
    var circle: [(cosine: Double, sine: Double)] = [(1, 0), (-1, 0)]
    while circle.count < length {
      // Half the angle to the next point.
      let half = Double.cosineAndSine(ofHalf: circle[1 % circle.count])
      circle = circle.flatMap { point in
        [
          point,
          (
            point.cosine * half.cosine - point.sine * half.sine,
            point.sine * half.cosine + point.cosine * half.sine
          ),
        ]
      }
    }
    cosines = circle.prefix(length / 2).map { Float($0.cosine) }
    sines = circle.prefix(length / 2).map { Float($0.sine) }
  }

  /// Transforms floats in place: `chunks` times four signals. Sample n of all of them is read from
  /// `places[n] · chunks · 4`; frequency k of the result is written to `k · chunks · 4`.
  func transform(
    _ real: UnsafeMutableRawPointer, _ imaginary: UnsafeMutableRawPointer, chunks: Int,
    inverse: Bool
  ) {
    cosines.withUnsafeBufferPointer { cosines in
      sines.withUnsafeBufferPointer { sines in
        guard let cosines = cosines.baseAddress, let sines = sines.baseAddress else { return }
        kernels.float32Fourier(
          Float32Fourier(
            real: real.assumingMemoryBound(to: Float.self),
            imaginary: imaginary.assumingMemoryBound(to: Float.self), length: length,
            signals: 4 &* chunks, cosines: cosines, sines: sines, isInverse: inverse))
      }
    }
  }
}

extension Double {
  /// cos and sin of half the angle of a point in the upper half of the unit circle.
  fileprivate static func cosineAndSine(
    ofHalf point: (cosine: Double, sine: Double)
  ) -> (cosine: Double, sine: Double) {
    (((1 + point.cosine) / 2).squareRoot(), ((1 - point.cosine) / 2).squareRoot())
  }
}
