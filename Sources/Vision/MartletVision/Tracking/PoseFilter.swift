//===--- PoseFilter.swift - size or angle of the target -------------------===//
//
// A correlation filter along a row of patches of the target at several sizes or angles. It is the
// filter of CorrelationFilter.swift with one axis, along which a shift is a change of size or a
// rotation (Danelljan et al., "Accurate Scale Estimation for Robust Visual Tracking", 2014).
//
// Contract  `refined` changes the size by `ratio` to the powers -9 to 9, or the angle by -9 to 9
//           steps.
// Cost      17 small patches and their cells, a transform of length 32 per cell.
//===----------------------------------------------------------------------===//

internal import MartletImage

/// Estimates changes of a target's size or angle.
struct PoseFilter {
  /// What varies along a row of patches.
  enum Axis {
    /// The size; the ratio of neighboring patches.
    case size(ratio: Float)
    /// The angle; the difference of neighboring patches in radians.
    case angle(Float)
  }

  private static let count = 17
  private static let length = 32
  /// The approximate number of samples of a patch.
  private static let sampleCount: Float = 512

  private let learningRate: Float
  private let regularization: Float
  private let axis: Axis
  /// The scale factor and the rotation of the target's box at each step.
  private let factors: [Float]
  private let rotations: [Rotation]
  private let hannWindow: [Float]
  /// The weights of the cells. For angles only cells near the center count, because the corners of
  /// a rotated patch are background.
  private let weights: [Float]
  private let gaussian: [Float]
  private let fourier = FourierTransform(length: PoseFilter.length)
  private var patch: Patch
  private var histogram: GradientHistogram
  private var isEmpty = true
  // The coefficients of the first cell at all frequencies, then of the second, and so on.
  private var modelReal: [SIMD16<Float>]
  private var modelImaginary: [SIMD16<Float>]
  private var energies = [Float](repeating: 0, count: PoseFilter.length)
  // The same for the cells read last. The low and the high lanes of a cell are the real and the
  // imaginary part of one complex signal.
  private var real: [SIMD16<Float>]
  private var imaginary: [SIMD16<Float>]

  /// Creates a filter for targets with the shape of `width` times `height`.
  init(width: Float, height: Float, axis: Axis, learningRate: Float, regularization: Float) {
    self.axis = axis
    self.learningRate = learningRate
    self.regularization = regularization
    (factors, rotations) = PoseFilter.steps(axis)
    hannWindow = WindowFunction.hann(PoseFilter.count)
    let shrink = (PoseFilter.sampleCount / max(width * height, 1)).squareRoot()
    let samples = { (extent: Float) in
      min(max(Int((extent * min(shrink, 1) / 4).rounded()), 2), 16) * GradientHistogram.cellSize
    }
    patch = Patch(width: samples(width), height: samples(height))
    histogram = GradientHistogram(width: patch.width, height: patch.height)
    switch axis {
    case .size: weights = [Float](repeating: 1, count: histogram.columns * histogram.rows)
    case .angle:
      let columns = WindowFunction.hann(histogram.columns)
      weights = WindowFunction.hann(histogram.rows).flatMap { row in columns.map { row * $0 } }
    }
    gaussian = Line.spectrum(WindowFunction.gaussian(PoseFilter.length, deviation: 1.03), fourier)
    let count = histogram.columns * histogram.rows * PoseFilter.length
    modelReal = [SIMD16<Float>](repeating: .zero, count: count)
    modelImaginary = modelReal
    real = modelReal
    imaginary = modelReal
  }

  private static func steps(_ axis: Axis) -> ([Float], [Rotation]) {
    let reach = count / 2
    var factors = [Float](repeating: 1, count: count)
    var rotations = [Rotation](repeating: .none, count: count)
    switch axis {
    case .size(let ratio):
      for step in 1...reach {
        factors[reach + step] = factors[reach + step - 1] * ratio
        factors[reach - step] = factors[reach - step + 1] / ratio
      }
    case .angle(let angle):
      for step in 0..<count { rotations[step] = Rotation(Float(step - reach) * angle) }
    }
    return (factors, rotations)
  }

  /// Learns that the target fills `box`.
  mutating func learn(_ box: OrientedBox, in pyramid: FramePyramid) {
    transform(box, in: pyramid)
    let rate = isEmpty ? 1 : learningRate
    let kept = 1 - rate
    isEmpty = false
    var sums = [SIMD16<Float>](repeating: .zero, count: PoseFilter.length)
    for index in real.indices {
      let frequency = index & (PoseFilter.length - 1)
      let (a, b) = (real[index], imaginary[index])
      let gain = gaussian[frequency] * rate
      sums[frequency] += a * a + b * b
      modelReal[index] = modelReal[index] * kept + a * gain
      modelImaginary[index] = modelImaginary[index] * kept + b * gain
    }
    for frequency in 0..<PoseFilter.length {
      energies[frequency] = energies[frequency] * kept + sums[frequency].total * rate
    }
  }

  /// Returns the box with the target's current size or angle.
  mutating func refined(_ box: OrientedBox, in pyramid: FramePyramid) -> OrientedBox {
    transform(box, in: pyramid)
    var sums = Line(size: PoseFilter.length)
    for index in real.indices {
      let frequency = index & (PoseFilter.length - 1)
      let (a, b) = (real[index], imaginary[index])
      sums.real[frequency] += modelReal[index] * a + modelImaginary[index] * b
      sums.imaginary[frequency] += modelReal[index] * b - modelImaginary[index] * a
    }
    var answer = [SIMD4<Float>](repeating: .zero, count: PoseFilter.length)
    var rest = answer
    for frequency in 0..<PoseFilter.length {
      let scale = 1 / (energies[frequency] + regularization)
      answer[fourier.places[frequency]][0] = sums.real[frequency].total * scale
      rest[fourier.places[frequency]][0] = sums.imaginary[frequency].total * scale
    }
    fourier.transform(&answer, &rest, chunks: 1, inverse: true)
    let reach = PoseFilter.count / 2
    func response(_ shift: Int) -> Float {
      answer[(shift + PoseFilter.length) % PoseFilter.length][0]
    }
    var best = 0
    for shift in -reach...reach where response(shift) > response(best) { best = shift }
    // Interpolates between two steps by a parabola.
    let (before, after) = (response(best - 1), response(best + 1))
    let curvature = before - 2 * response(best) + after
    let offset = curvature < 0 ? (before - after) / (2 * curvature) : 0
    switch axis {
    case .size(let ratio):
      // Scales by the fraction of a step.
      let next = offset > 0 ? ratio : 1 / ratio
      return box.expanded(by: factors[reach + best] * (1 + (next - 1) * offset.magnitude))
    case .angle(let angle): return box.turned(by: Rotation((Float(best) + offset) * angle))
    }
  }

  /// Computes the spectrum of the cells of `box` at all steps.
  private mutating func transform(_ box: OrientedBox, in pyramid: FramePyramid) {
    for index in real.indices {
      real[index] = .zero
      imaginary[index] = .zero
    }
    for step in 0..<PoseFilter.count {
      patch.read(box.expanded(by: factors[step]).turned(by: rotations[step]), of: pyramid)
      histogram.read(patch)
      var index = fourier.places[step]
      for (cell, weight) in zip(histogram.cells, weights) {
        real[index] = cell.low * (hannWindow[step] * weight)
        imaginary[index] = cell.high * (hannWindow[step] * weight)
        index += PoseFilter.length
      }
    }
    real.withUnsafeMutableBytes { real in
      imaginary.withUnsafeMutableBytes { imaginary in
        guard let real = real.baseAddress, let imaginary = imaginary.baseAddress else { return }
        let cellBytes = PoseFilter.length * MemoryLayout<SIMD16<Float>>.stride
        for start in stride(from: 0, to: histogram.cells.count * cellBytes, by: cellBytes) {
          fourier.transform(real + start, imaginary + start, chunks: 4, inverse: false)
        }
      }
    }
  }
}
