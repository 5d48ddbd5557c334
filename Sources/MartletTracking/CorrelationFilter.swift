//===--- CorrelationFilter.swift - where in a window the target is --------===//
//
// A ridge regression from a window's cells to a bell around the target, solved in the Fourier
// domain where all shifts of the window are its samples (Bolme et al., 2010; several channels as by
// Danelljan et al., 2014, with one denominator).
//
// Contract  `respond` gives a number for each shift by a cell, the window's middle first in each
//           axis at `size / 2`; 1 is what the target itself gives.
// Order     Channels are summed lane by lane, then lane 0 to 15, by frequency.
// Cost      One transform of 32 channels for each call.
// Checked   Tests/MartletTrackingTests/CorrelationFilterTests.swift
//===----------------------------------------------------------------------===//

/// A filter on a square grid of cells.
struct CorrelationFilter {
  /// What a filter is made with.
  struct Parameters {
    /// How fast it follows the target's changes, 0...1.
    var learningRate: Float
    /// What keeps frequencies without energy from being amplified.
    var regularization: Float
  }

  let size: Int
  private let parameters: Parameters
  private let fourier: FourierTransform
  /// What a window is weighted by where the target is looked for, and where it is learnt: near the
  /// target, so that the filter does not learn its background.
  private let taper: [Float]
  private let focus: [Float]
  /// The spectrum of the bell, which is even, so it has no imaginary part.
  private let bell: [Float]
  private var numerator: [Spectrum]
  private var denominator: [Float]
  private var isEmpty = true
  // Kept from call to call.
  private var real: [SIMD16<Float>]
  private var imaginary: [SIMD16<Float>]
  private var spectrum: [Spectrum]
  private var responseReal: [SIMD2<Float>]
  private var responseImaginary: [SIMD2<Float>]

  /// The coefficients of one frequency: those of a cell's low and high lanes.
  private struct Spectrum {
    var lowReal: SIMD16<Float>
    var lowImaginary: SIMD16<Float>
    var highReal: SIMD16<Float>
    var highImaginary: SIMD16<Float>

    static let zero = Spectrum(
      lowReal: .zero, lowImaginary: .zero, highReal: .zero, highImaginary: .zero)
  }

  /// A filter on `size` times `size` cells that answers with a bell whose standard deviation is
  /// `deviation` cells, and learns what lies within `focus` cells around the middle.
  init(
    size: Int, deviation: Float, focus: (width: Float, height: Float), parameters: Parameters
  ) {
    self.size = size
    self.parameters = parameters
    fourier = FourierTransform(length: size)
    let count = size * size
    taper = Taper.square(size)
    let across = Taper.hump(size, width: focus.width)
    self.focus = Taper.hump(size, width: focus.height).flatMap { row in across.map { row * $0 } }
    numerator = [Spectrum](repeating: .zero, count: count)
    denominator = [Float](repeating: 0, count: count)
    real = [SIMD16<Float>](repeating: .zero, count: count)
    imaginary = real
    spectrum = numerator
    responseReal = [SIMD2<Float>](repeating: .zero, count: count)
    responseImaginary = responseReal
    let profile = Taper.bell(size, deviation: deviation)
    for row in 0..<size {
      for column in 0..<size {
        responseReal[row * size + column] = SIMD2(profile[row] * profile[column], 0)
      }
    }
    fourier.transformSquare(&responseReal, &responseImaginary, inverse: false)
    bell = responseReal.map { $0[0] }
  }

  /// Learns that the target stands in the middle of the window with these cells.
  mutating func learn(_ cells: [Cell]) {
    transform(cells, focus)
    let rate = isEmpty ? 1 : parameters.learningRate
    isEmpty = false
    for index in 0..<(size * size) {
      let value = spectrum[index]
      let gain = bell[index] * rate
      let kept = 1 - rate
      numerator[index].lowReal = numerator[index].lowReal * kept + value.lowReal * gain
      numerator[index].lowImaginary =
        numerator[index].lowImaginary * kept + value.lowImaginary * gain
      numerator[index].highReal = numerator[index].highReal * kept + value.highReal * gain
      numerator[index].highImaginary =
        numerator[index].highImaginary * kept + value.highImaginary * gain
      let energy =
        value.lowReal * value.lowReal + value.lowImaginary * value.lowImaginary
        + value.highReal * value.highReal + value.highImaginary * value.highImaginary
      denominator[index] = denominator[index] * kept + energy.sum() * rate
    }
  }

  /// How well the target fits at each shift of the window with these cells.
  mutating func respond(to cells: [Cell], into response: inout [Float]) {
    transform(cells, taper)
    for index in 0..<(size * size) {
      let value = spectrum[index]
      let model = numerator[index]
      let realPart =
        model.lowReal * value.lowReal + model.lowImaginary * value.lowImaginary
        + model.highReal * value.highReal + model.highImaginary * value.highImaginary
      let imaginaryPart =
        model.lowReal * value.lowImaginary - model.lowImaginary * value.lowReal
        + model.highReal * value.highImaginary - model.highImaginary * value.highReal
      let scale = 1 / (denominator[index] + parameters.regularization)
      responseReal[index] = SIMD2(realPart.sum() * scale, 0)
      responseImaginary[index] = SIMD2(imaginaryPart.sum() * scale, 0)
    }
    fourier.transformSquare(&responseReal, &responseImaginary, inverse: true)
    let half = size / 2
    let scale = 1 / Float(size * size)
    for row in 0..<size {
      for column in 0..<size {
        let shifted = ((row + half) % size) * size + (column + half) % size
        response[shifted] = responseReal[row * size + column][0] * scale
      }
    }
  }

  /// The spectrum of the tapered cells: two real signals share one complex transform, and come
  /// apart by the symmetry of each.
  private mutating func transform(_ cells: [Cell], _ taper: [Float]) {
    for index in 0..<(size * size) {
      real[index] = cells[index].low * taper[index]
      imaginary[index] = cells[index].high * taper[index]
    }
    fourier.transformSquare(&real, &imaginary, inverse: false)
    for row in 0..<size {
      for column in 0..<size {
        let index = row * size + column
        let mirror = ((size - row) % size) * size + (size - column) % size
        spectrum[index] = Spectrum(
          lowReal: (real[index] + real[mirror]) * 0.5,
          lowImaginary: (imaginary[index] - imaginary[mirror]) * 0.5,
          highReal: (imaginary[index] + imaginary[mirror]) * 0.5,
          highImaginary: (real[mirror] - real[index]) * 0.5)
      }
    }
  }
}
