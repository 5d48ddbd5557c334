//===--- ScaleFilter.swift - size of the target ---------------------------===//
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
  private let hannWindow: [Float]
  private let bell: [Float]
  private let fourier = FourierTransform(length: ScaleFilter.length)
  private var patch: Patch
  private var histogram: GradientHistogram
  private var isEmpty = true
  // The coefficients of the first cell at all frequencies, then of the second, and so on.
  private var modelReal: [SIMD16<Float>]
  private var modelImaginary: [SIMD16<Float>]
  private var energies = [Float](repeating: 0, count: ScaleFilter.length)
  // The same of the cells last read. The low and the high lanes of a cell are the real and the
  // imaginary part of one complex signal.
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
    hannWindow = WindowFunction.hann(ScaleFilter.count)
    let shrink = (ScaleFilter.sampleCount / max(width * height, 1)).squareRoot()
    let samples = { (extent: Float) in
      min(max(Int((extent * min(shrink, 1) / 4).rounded()), 2), 16) * GradientHistogram.cellSize
    }
    patch = Patch(width: samples(width), height: samples(height))
    histogram = GradientHistogram(width: patch.width, height: patch.height)
    bell = Line.spectrum(WindowFunction.bell(ScaleFilter.length, deviation: 1.03), fourier)
    let count = histogram.columns * histogram.rows * ScaleFilter.length
    modelReal = [SIMD16<Float>](repeating: .zero, count: count)
    modelImaginary = modelReal
    real = modelReal
    imaginary = modelReal
  }

  /// Learns that the target fills `box`.
  mutating func learn(_ box: Box, in pyramid: FramePyramid) {
    transform(box, in: pyramid)
    let rate = isEmpty ? 1 : learningRate
    let kept = 1 - rate
    isEmpty = false
    var sums = [SIMD16<Float>](repeating: .zero, count: ScaleFilter.length)
    for index in real.indices {
      let frequency = index & (ScaleFilter.length - 1)
      let (a, b) = (real[index], imaginary[index])
      let gain = bell[frequency] * rate
      sums[frequency] += a * a + b * b
      modelReal[index] = modelReal[index] * kept + a * gain
      modelImaginary[index] = modelImaginary[index] * kept + b * gain
    }
    for frequency in 0..<ScaleFilter.length {
      energies[frequency] = energies[frequency] * kept + sums[frequency].total * rate
    }
  }

  /// How much larger than `box` the target is.
  mutating func factor(_ box: Box, in pyramid: FramePyramid) -> Float {
    transform(box, in: pyramid)
    var sums = Line(size: ScaleFilter.length)
    for index in real.indices {
      let frequency = index & (ScaleFilter.length - 1)
      let (a, b) = (real[index], imaginary[index])
      sums.real[frequency] += modelReal[index] * a + modelImaginary[index] * b
      sums.imaginary[frequency] += modelReal[index] * b - modelImaginary[index] * a
    }
    var answer = [SIMD4<Float>](repeating: .zero, count: ScaleFilter.length)
    var rest = answer
    for frequency in 0..<ScaleFilter.length {
      let scale = 1 / (energies[frequency] + regularization)
      answer[fourier.places[frequency]][0] = sums.real[frequency].total * scale
      rest[fourier.places[frequency]][0] = sums.imaginary[frequency].total * scale
    }
    fourier.transform(&answer, &rest, chunks: 1, inverse: true)
    let reach = ScaleFilter.count / 2
    func response(_ shift: Int) -> Float {
      answer[(shift + ScaleFilter.length) % ScaleFilter.length][0]
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

  /// The spectrum of the cells of `box` at all sizes.
  private mutating func transform(_ box: Box, in pyramid: FramePyramid) {
    for index in real.indices {
      real[index] = .zero
      imaginary[index] = .zero
    }
    for (step, factor) in factors.enumerated() {
      patch.read(box.expanded(by: factor), of: pyramid)
      histogram.read(patch)
      var index = fourier.places[step]
      for cell in histogram.cells {
        real[index] = cell.low * hannWindow[step]
        imaginary[index] = cell.high * hannWindow[step]
        index += ScaleFilter.length
      }
    }
    real.withUnsafeMutableBytes { real in
      imaginary.withUnsafeMutableBytes { imaginary in
        guard let real = real.baseAddress, let imaginary = imaginary.baseAddress else { return }
        let cellBytes = ScaleFilter.length * MemoryLayout<SIMD16<Float>>.stride
        for start in stride(from: 0, to: histogram.cells.count * cellBytes, by: cellBytes) {
          fourier.transform(real + start, imaginary + start, chunks: 4, inverse: false)
        }
      }
    }
  }
}
