//===--- FourierTransform.swift - discrete Fourier transform --------------===//
//
// Radix 2, decimation in time, many signals at once: one in each lane.
//
// Contract  X[k] = Σ x[n] · exp(-2πi·kn / N), without a factor; `inverse` has the other sign and
//           none either. Lengths are powers of two. The factors come from half-angle formulas, so
//           they are the same on every machine.
// Order     Every output sums by the fixed butterfly network.
// Cost      N/2 · log2 N butterflies of ten operations for each lane.
// Checked   Tests/MartletTrackingTests/FourierTransformTests.swift, against the sum as defined
//===----------------------------------------------------------------------===//

/// The transform of signals of `length` complex samples, in separate arrays of real and imaginary
/// parts.
struct FourierTransform {
  let length: Int
  /// cos and sin of 2πk / length for the first half of the circle.
  private let cosines: [Float]
  private let sines: [Float]
  /// Where each sample goes before the butterflies.
  private let reversed: [Int]

  init(length: Int) {
    precondition(length > 1 && length & (length - 1) == 0, "the length is a power of two")
    self.length = length
    let bits = length.trailingZeroBitCount
    reversed = (0..<length).map { index in
      (0..<bits).reduce(0) { $0 << 1 | (index >> $1) & 1 }
    }
    var circle: [(cosine: Double, sine: Double)] = [(1, 0), (-1, 0)]
    while circle.count < length {
      // The angle halfway to the next: half the angle of the sum's direction.
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

  /// Transforms the `length` samples at `start`, `start + stride`, … in place.
  func transform<Lanes: SIMD>(
    _ real: UnsafeMutablePointer<Lanes>, _ imaginary: UnsafeMutablePointer<Lanes>, stride: Int,
    inverse: Bool
  ) where Lanes.Scalar == Float {
    for index in 0..<length {
      let other = reversed[index]
      if other > index {
        swapAt(real, index &* stride, other &* stride)
        swapAt(imaginary, index &* stride, other &* stride)
      }
    }
    var half = 1
    while half < length {
      let turn = length / (2 * half)
      for k in 0..<half {
        let cosine = cosines[k &* turn]
        let sine = inverse ? sines[k &* turn] : -sines[k &* turn]
        var first = k &* stride
        for _ in 0..<turn {
          let second = first &+ half &* stride
          let a = real[second]
          let b = imaginary[second]
          let x = a * cosine - b * sine
          let y = a * sine + b * cosine
          real[second] = real[first] - x
          imaginary[second] = imaginary[first] - y
          real[first] += x
          imaginary[first] += y
          first &+= 2 &* half &* stride
        }
      }
      half *= 2
    }
  }

  /// Transforms a square of `length` rows of `length` samples in place.
  func transformSquare<Lanes: SIMD>(
    _ real: UnsafeMutablePointer<Lanes>, _ imaginary: UnsafeMutablePointer<Lanes>, inverse: Bool
  ) where Lanes.Scalar == Float {
    for row in 0..<length {
      transform(
        real + row &* length, imaginary + row &* length, stride: 1, inverse: inverse)
    }
    for column in 0..<length {
      transform(real + column, imaginary + column, stride: length, inverse: inverse)
    }
  }

  @inline(__always)
  private func swapAt<Lanes>(_ values: UnsafeMutablePointer<Lanes>, _ a: Int, _ b: Int) {
    let value = values[a]
    values[a] = values[b]
    values[b] = value
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
