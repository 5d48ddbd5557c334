//===--- Spectrogram.swift - spectra of audio frames ----------------------===//
//
// y[f, k] = |Σ over t of hann[t] · x[f · step + t] · exp(-2πi k t / n)|² or its root, k ≤ n / 2
//
// Contract  TensorFlow's AudioSpectrogram. Frames are multiplied with a periodic Hann window and
//           padded with zeros to n, the next power of two. An incomplete frame is left out.
// Order     Double precision; powers are rounded to single once, then their roots are taken.
// Cost      frames · n · log n.
//===----------------------------------------------------------------------===//

import MartletBase

/// The spectra of frames of fixed length.
package struct Spectrogram: Sendable {
  private let window: [Double]
  private let step: Int
  private let isSquared: Bool
  private let transform: RealFourierTransform

  /// The extent of the transform for frames of `length` samples.
  package static func transformExtent(_ length: Int) -> Int {
    1 << (Int.bitWidth - (length - 1).leadingZeroBitCount)
  }

  /// The spectra of frames of `length` samples, at least 2, that begin `step` samples apart.
  ///
  /// - Parameter isSquared: Whether to compute powers instead of magnitudes.
  package init(length: Int, step: Int, isSquared: Bool) {
    window = (0..<length).map { 0.5 - 0.5 * VectorMath.cos(turns: Double($0) / Double(length)) }
    self.step = step
    self.isSquared = isSquared
    transform = RealFourierTransform(height: 1, width: Spectrogram.transformExtent(length))
  }

  /// The number of frequencies.
  package var bins: Int { transform.columns }
  /// The number of elements of scratch memory.
  package var scratchCount: Int { transform.scratchCount.line }

  /// The number of frames of `samples` samples.
  package func frames(of samples: Int) -> Int {
    samples < window.count ? 0 : 1 + (samples - window.count) / step
  }

  /// Computes the spectrum of frame `frame` of one of `channels` interleaved channels.
  package func callAsFunction(
    _ x: UnsafeMutableBufferPointer<Float>, frame: Int, channel: Int, of channels: Int,
    line: UnsafeMutableBufferPointer<Double>, into y: UnsafeMutableBufferPointer<Float>
  ) {
    line.update(repeating: 0)
    for (i, weight) in window.enumerated() {
      line[2 * i] = weight * Double(x[(frame * step + i) * channels + channel])
    }
    transform.transform(line, count: transform.width)
    for bin in 0..<bins {
      let (real, imaginary) = (line[2 * bin], line[2 * bin + 1])
      let power = Float(real * real + imaginary * imaginary)
      y[bin] = isSquared ? power : power.squareRoot()
    }
  }
}
