//===--- ScaleFilter.swift - how large the target is ----------------------===//
//
// The target's cells at a row of sizes, and a correlation filter along that row: the filter of
// CorrelationFilter.swift with one axis, whose shift is a change of size (Danelljan et al.,
// "Accurate Scale Estimation for Robust Visual Tracking", 2014).
//
// Contract  `factor` lies between `ratio` to the powers -9 and 9.
// Cost      17 small patches and their cells, a transform of 32 for each cell.
// Checked   Tests/MartletTrackingTests/ScaleFilterTests.swift
//===----------------------------------------------------------------------===//

internal import MartletImage

/// Estimates changes of a target's size.
struct ScaleFilter {
  private static let count = 17
  private static let length = 32
  /// The samples of a patch, about.
  private static let sampleCount: Float = 512

  private let learningRate: Float
  private let regularization: Float
  private let ratio: Float
  private let factors: [Float]
  private let taper: [Float]
  private let bell: [Float]
  private let fourier = FourierTransform(length: ScaleFilter.length)
  private var patch: Patch
  private var histogram: GradientHistogram
  private var isEmpty = true
  // The coefficients of all cells at frequency 0, then at frequency 1, and so on.
  private var modelReal: [SIMD16<Float>]
  private var modelImaginary: [SIMD16<Float>]
  private var energies = [Float](repeating: 0, count: ScaleFilter.length)
  private var real: [SIMD16<Float>]
  private var imaginary: [SIMD16<Float>]

  /// A filter for targets of the shape of `width` times `height`; sizes are `ratio` apart.
  init(width: Float, height: Float, ratio: Float, learningRate: Float, regularization: Float) {
    self.learningRate = learningRate
    self.regularization = regularization
    self.ratio = ratio
    let reach = ScaleFilter.count / 2
    var factors = [Float](repeating: 1, count: ScaleFilter.count)
    for step in 1...reach {
      factors[reach + step] = factors[reach + step - 1] * ratio
      factors[reach - step] = factors[reach - step + 1] / ratio
    }
    self.factors = factors
    taper = Taper.hann(ScaleFilter.count)
    let shrink = (ScaleFilter.sampleCount / max(width * height, 1)).squareRoot()
    let samples = { (extent: Float) in
      min(max(Int((extent * min(shrink, 1) / 4).rounded()), 2), 16) * GradientHistogram.cellSize
    }
    patch = Patch(width: samples(width), height: samples(height))
    histogram = GradientHistogram(width: patch.width, height: patch.height)
    let profile = Taper.bell(ScaleFilter.length, deviation: 1.03)
    var real = profile.map { SIMD2<Float>($0, 0) }
    var imaginary = [SIMD2<Float>](repeating: .zero, count: ScaleFilter.length)
    fourier.transform(&real, &imaginary, stride: 1, inverse: false)
    bell = real.map { $0[0] }
    let count = histogram.columns * histogram.rows * ScaleFilter.length
    modelReal = [SIMD16<Float>](repeating: .zero, count: count)
    modelImaginary = modelReal
    self.real = modelReal
    self.imaginary = modelReal
  }

  /// Learns that the target fills `box`.
  mutating func learn(_ box: Box, in pyramid: FramePyramid) {
    transform(box, in: pyramid)
    let rate = isEmpty ? 1 : learningRate
    isEmpty = false
    let cellCount = histogram.cells.count
    for frequency in 0..<ScaleFilter.length {
      var energy = SIMD16<Float>.zero
      let gain = bell[frequency] * rate
      for index in (frequency * cellCount)..<((frequency + 1) * cellCount) {
        let (a, b) = (real[index], imaginary[index])
        energy += a * a + b * b
        modelReal[index] = modelReal[index] * (1 - rate) + a * gain
        modelImaginary[index] = modelImaginary[index] * (1 - rate) + b * gain
      }
      energies[frequency] = energies[frequency] * (1 - rate) + energy.sum() * rate
    }
  }

  /// How much larger than `box` the target is.
  mutating func factor(_ box: Box, in pyramid: FramePyramid) -> Float {
    transform(box, in: pyramid)
    let cellCount = histogram.cells.count
    var responseReal = [SIMD2<Float>](repeating: .zero, count: ScaleFilter.length)
    var responseImaginary = responseReal
    for frequency in 0..<ScaleFilter.length {
      var realSum = SIMD16<Float>.zero
      var imaginarySum = SIMD16<Float>.zero
      for index in (frequency * cellCount)..<((frequency + 1) * cellCount) {
        realSum += modelReal[index] * real[index] + modelImaginary[index] * imaginary[index]
        imaginarySum += modelReal[index] * imaginary[index] - modelImaginary[index] * real[index]
      }
      let scale = 1 / (energies[frequency] + regularization)
      responseReal[frequency][0] = realSum.sum() * scale
      responseImaginary[frequency][0] = imaginarySum.sum() * scale
    }
    fourier.transform(&responseReal, &responseImaginary, stride: 1, inverse: true)
    let reach = ScaleFilter.count / 2
    func response(_ shift: Int) -> Float {
      responseReal[(shift + ScaleFilter.length) % ScaleFilter.length][0]
    }
    var best = 0
    for shift in -reach...reach where response(shift) > response(best) { best = shift }
    // Between two sizes by a parabola, as growth by the fraction of a step.
    let (before, after) = (response(best - 1), response(best + 1))
    let bend = before - 2 * response(best) + after
    let offset = bend < 0 ? (before - after) / (2 * bend) : 0
    let next = offset > 0 ? ratio : 1 / ratio
    return factors[reach + best] * (1 + (next - 1) * offset.magnitude)
  }

  /// The spectrum of the cells of `box` at all sizes. The low and the high lanes of a cell are the
  /// real and the imaginary part of one complex signal.
  private mutating func transform(_ box: Box, in pyramid: FramePyramid) {
    let cellCount = histogram.cells.count
    for index in real.indices {
      real[index] = .zero
      imaginary[index] = .zero
    }
    for (step, factor) in factors.enumerated() {
      patch.read(box.expanded(by: factor), of: pyramid)
      histogram.read(patch)
      for cell in 0..<cellCount {
        real[step * cellCount + cell] = histogram.cells[cell].low * taper[step]
        imaginary[step * cellCount + cell] = histogram.cells[cell].high * taper[step]
      }
    }
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        guard let first = real.baseAddress, let second = imaginary.baseAddress else { return }
        for cell in 0..<cellCount {
          fourier.transform(first + cell, second + cell, stride: cellCount, inverse: false)
        }
      }
    }
  }
}
