//===--- CepstralCoefficients.swift - mel-frequency cepstral coefficients -===//
//
// The roots of a spectrum's powers are summed in overlapping triangular bands, equally wide on the
// mel scale, 1127 · ln(1 + f / 700). The result is the cosine transform of the bands' logarithms.
//
// Contract  TensorFlow's Mfcc. The constant bin is left out; bands below 10⁻¹² count as 10⁻¹². If the
//           upper frequency is beyond the spectrum, all coefficients are 0.
// Order     Double precision, in the order of bins and bands; rounded to single once.
// Cost      bins + bands · coefficients for each spectrum.
//===----------------------------------------------------------------------===//

import MartletBase

/// The coefficients of spectra of fixed length.
package struct CepstralCoefficients: Sendable {
  /// The bins that count.
  private let bins: Range<Int>
  /// For each of them, the band on whose falling side it lies, -1 before the first, and its weight
  /// there. The rest counts for the next band.
  private let sides: [(band: Int, weight: Double)]
  private let bands: Int
  /// The factor of each band, for one coefficient after the other.
  private let cosines: [Double]
  /// Whether the spectrum reaches the upper frequency.
  private let isComplete: Bool
  package let count: Int

  /// The numbers of a filter bank, in Hz.
  package struct Frequencies: Sendable {
    package let lowest: Double
    package let highest: Double
    package let sampleRate: Double

    /// - Precondition: The sample rate is positive, and 0 ≤ lowest < highest.
    package init(lowest: Double, highest: Double, sampleRate: Double) {
      self.lowest = lowest
      self.highest = highest
      self.sampleRate = sampleRate
    }
  }

  /// The coefficients of spectra of `length` bins, at least 2.
  ///
  /// - Parameter count: The number of coefficients, at most that of the bands.
  package init(_ frequencies: Frequencies, length: Int, bands: Int, count: Int) {
    func mel(_ frequency: Double) -> Double { 1127 * VectorMath.log(1 + frequency / 700) }
    let width = frequencies.sampleRate / 2 / Double(length - 1)
    let last = frequencies.highest / width
    isComplete = last < Double(length)
    let first = min(Int(min(1.5 + frequencies.lowest / width, Double(length))), length)
    bins = first..<max(first, min(Int(min(last, Double(length))), length - 1) + 1)
    let lowest = mel(frequencies.lowest)
    let step = (mel(frequencies.highest) - lowest) / Double(bands + 1)
    // The peak of a band is the end of the one before it.
    func peak(_ band: Int) -> Double { lowest + step * Double(band + 1) }
    var band = 0
    sides = bins.map { bin in
      let mel = mel(Double(bin) * width)
      while band < bands, peak(band) < mel { band += 1 }
      let next = peak(band)
      return (band - 1, (next - mel) / (next - (band > 0 ? peak(band - 1) : lowest)))
    }
    self.bands = bands
    self.count = count
    let norm = (2 / Double(bands)).squareRoot()
    cosines = (0..<count).flatMap { i in
      (0..<bands).map { j in
        let turns = Int64(i) * Int64(2 * j + 1) % Int64(4 * bands)
        return norm * VectorMath.cos(turns: Double(turns) / Double(4 * bands))
      }
    }
  }

  /// The number of elements of scratch memory.
  package var scratchCount: Int { bands }

  /// Computes the coefficients of a spectrum of powers.
  package func callAsFunction(
    _ x: UnsafeMutableBufferPointer<Float>, sums: UnsafeMutableBufferPointer<Double>,
    into y: UnsafeMutableBufferPointer<Float>
  ) {
    guard isComplete else { return y.update(repeating: 0) }
    sums.update(repeating: 0)
    for (bin, side) in zip(bins, sides) {
      let magnitude = Double(x[bin]).squareRoot()
      let falling = magnitude * side.weight
      if side.band >= 0 { sums[side.band] += falling }
      if side.band + 1 < bands { sums[side.band + 1] += magnitude - falling }
    }
    for band in 0..<bands {
      sums[band] = VectorMath.log(sums[band] < 1e-12 ? 1e-12 : sums[band])
    }
    for i in 0..<count {
      var sum = 0.0
      for band in 0..<bands { sum += cosines[i * bands + band] * sums[band] }
      y[i] = Float(sum)
    }
  }
}
