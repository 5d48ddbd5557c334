//===--- TargetTracker.swift - single-object tracker ----------------------===//
//
// A correlation filter on oriented gradients finds the target's shift. Its response is mixed with
// that of a color model, which counts more if the filter is uncertain. A second filter finds the
// change of size, a third the rotation. They learn from frames in which the target is found: the
// second and third from each, the first and the colors from every other one. Fast rotation is
// extrapolated before the search.
//
// Contract  Works on pixels alone: no network, no clock. The same frames produce the same boxes.
// Cost      A window of 128 x 128 samples and 68 patches of 512 per frame; in every other frame the
//           window's part around the target again.
// Checked   Tests/MartletVisionTests/Tracking/TargetTrackerTests.swift, and against annotated sequences
//===----------------------------------------------------------------------===//

package import MartletImage

/// Tracks one object.
package struct TargetTracker {
  /// The tracker's options. The defaults were chosen on seventeen annotated sequences.
  package struct Parameters: Sendable {
    /// The weight of the color response, 0...1, if the filter is certain.
    package var colorShare: Float = 0.3
    /// The weight of the color response, 0...1, if the filter's response is 0.
    package var uncertainColorShare: Float = 0.6
    /// The filter's response from which it is certain.
    package var confidentResponse: Float = 0.4
    /// The weight of a new frame in the filter, 0...1.
    package var learningRate: Float = 0.04
    /// The weight of a new frame in the color model, 0...1.
    package var colorLearningRate: Float = 0.08
    /// The number of frames between updates of the filter and the color model.
    package var learningInterval = 2
    /// The weight of a new frame in the filters for size and angle, 0...1; they learn in every
    /// frame.
    package var poseLearningRate: Float = 0.025
    /// The ratio of neighboring sizes.
    package var scaleRatio: Float = 1.05
    /// The difference of neighboring angles, in radians.
    package var angleStep: Float = 0.14
    /// The size of the angle filter's window in units of the target's size.
    package var angleFocus: Float = 1.2
    /// The rotation per frame, in radians, above which the search assumes that it continues.
    package var rotationThreshold: Float = 0.2
    /// Keeps frequencies without energy from being amplified.
    package var regularization: Float = 0.001
    /// The same for sizes and angles.
    package var poseRegularization: Float = 0.01
    /// The standard deviation of the learned response, in units of the geometric mean of the
    /// target's sides.
    package var deviation: Float = 1.0 / 12
    /// The side of the search window, in units of the geometric mean of the target's sides, each
    /// enlarged by half their sum.
    package var reach: Float = 1.5
    /// The size of the learned area in units of the target's size. The background outside does not
    /// move with the target.
    package var focus: Float = 1.4
    /// The confidence below which the target is lost, that is, neither moved nor learned, unless
    /// its colors are found.
    package var minimumConfidence: Float = 0.2
    /// The color response above which the target's colors are found.
    package var minimumColor: Float = 0.6

    package init() {}

    fileprivate func poseFilter(
      _ axis: PoseFilter.Axis, width: Float, height: Float
    ) -> PoseFilter {
      PoseFilter(
        width: width, height: height, axis: axis, learningRate: poseLearningRate,
        regularization: poseRegularization)
    }
  }

  /// The number of cells along the window's side.
  private static let cellCount = 32
  /// The smallest side of a target, in pixels.
  private static let smallest: Float = 4

  private let parameters: Parameters
  /// The cosine of the rotation above which the search assumes that it continues.
  private let minimumCosine: Float
  /// The target's initial size and the side of its window.
  private let width: Float
  private let height: Float
  private let side: Float
  private var center: Point
  private var scale: Float = 1
  private var rotation = Rotation.none
  /// The rotation from the frame before the last to the last one.
  private var turn = Rotation.none
  /// The number of frames in which the target was found.
  private var foundCount = 0
  private var patch: Patch
  private var histogram: GradientHistogram
  private var filter: CorrelationFilter
  private var colors: ColorModel
  private var sizes: PoseFilter
  private var angles: PoseFilter
  private var filterResponse: [Float]
  private var colorResponse: [Float]

  /// The filter's response in the last frame: about 1 at first, near 0 if the target is lost.
  package private(set) var confidence: Float = 1

  /// Whether the target was not found in the last frame; its box is then unchanged.
  package private(set) var isLost = false

  /// The axis-aligned box of the target, in the frame's pixels.
  package var box: Box { pose.bounds }

  /// The rotated box of the target.
  private var pose: OrientedBox {
    OrientedBox(
      upright: Box(center: center, width: width * scale, height: height * scale),
      rotation: rotation)
  }

  /// Creates a tracker for the part of `box` inside the frame. Returns `nil` if that part is empty.
  package init?(_ box: Box, in pyramid: FramePyramid, parameters: Parameters = Parameters()) {
    let frame = pyramid.size
    let box = box.clipped(toWidth: Float(frame.width), height: Float(frame.height))
    guard !box.isEmpty else { return nil }
    self.parameters = parameters
    minimumCosine = Rotation(parameters.rotationThreshold).cosine
    width = max(box.width, TargetTracker.smallest)
    height = max(box.height, TargetTracker.smallest)
    center = box.center
    let margin = (width + height) / 2
    side = parameters.reach * ((width + margin) * (height + margin)).squareRoot()
    let count = TargetTracker.cellCount
    let samples = count * GradientHistogram.cellSize
    patch = Patch(width: samples, height: samples)
    histogram = GradientHistogram(width: samples, height: samples)
    filter = CorrelationFilter(
      size: count,
      deviation: (width * height).squareRoot() / side * Float(count) * parameters.deviation,
      focus: (
        width * parameters.focus / side * Float(count),
        height * parameters.focus / side * Float(count)
      ),
      parameters: .init(
        learningRate: parameters.learningRate, regularization: parameters.regularization))
    colors = ColorModel(learningRate: parameters.colorLearningRate)
    sizes = parameters.poseFilter(
      .size(ratio: parameters.scaleRatio), width: width, height: height)
    angles = parameters.poseFilter(
      .angle(parameters.angleStep), width: width * parameters.angleFocus,
      height: height * parameters.angleFocus)
    filterResponse = [Float](repeating: 0, count: count * count)
    colorResponse = filterResponse
    learn(pyramid)
    learnPose(pyramid)
  }

  /// The filter's window in the frame.
  private var window: OrientedBox {
    OrientedBox(
      upright: Box(center: center, width: side * scale, height: side * scale),
      rotation: rotation)
  }

  /// The target's size in the window's samples.
  private var sampled: (width: Float, height: Float) {
    (width / side * Float(patch.width), height / side * Float(patch.height))
  }

  /// Finds the target in the next frame and updates `box`, `confidence` and `isLost`. The filters do not
  /// learn from the frame before `learn(from:)`.
  package mutating func find(in pyramid: FramePyramid) {
    let before = rotation
    if turn.cosine < minimumCosine { rotation = rotation + turn }
    patch.read(window, of: pyramid)
    histogram.read(patch)
    filter.respond(to: histogram.cells, into: &filterResponse)
    colors.respond(
      to: patch, width: sampled.width, height: sampled.height,
      step: GradientHistogram.cellSize, count: TargetTracker.cellCount, into: &colorResponse)
    let peak = self.peak()
    confidence = peak.response
    isLost = confidence < parameters.minimumConfidence && peak.color <= parameters.minimumColor
    guard !isLost else {
      (rotation, turn) = (before, .none)
      return
    }
    let cell = side * scale / Float(TargetTracker.cellCount)
    let frame = pyramid.size
    let (halfWidth, halfHeight) = (width * scale / 2, height * scale / 2)
    let shift = rotation(peak.x * cell, peak.y * cell)
    center.x = min(max(center.x + shift.x, -halfWidth), Float(frame.width) + halfWidth)
    center.y = min(max(center.y + shift.y, -halfHeight), Float(frame.height) + halfHeight)
    scale = min(max(sizes.refined(pose, in: pyramid).upright.width / width, 0.2), 5)
    rotation = angles.refined(pose.expanded(by: parameters.angleFocus), in: pyramid).rotation
    turn = rotation - before
  }

  /// Moves the target to a box of the same frame, and scales it to its area.
  package mutating func move(to box: Box) {
    scale = min(max(scale * (box.area / max(self.box.area, 1)).squareRoot(), 0.2), 5)
    center = box.center
    turn = .none
  }

  /// Learns from the frame of the last search.
  package mutating func learn(from pyramid: FramePyramid) {
    if foundCount % parameters.learningInterval == 0 { learn(pyramid) }
    learnPose(pyramid)
    foundCount += 1
  }

  private mutating func learn(_ pyramid: FramePyramid) {
    patch.read(window, of: pyramid)
    histogram.read(patch, filter.learned)
    filter.learn(histogram.cells)
    colors.learn(patch, width: sampled.width, height: sampled.height)
  }

  private mutating func learnPose(_ pyramid: FramePyramid) {
    sizes.learn(pose, in: pyramid)
    angles.learn(pose.expanded(by: parameters.angleFocus), in: pyramid)
  }

  /// The shift in cells with the highest response, interpolated by a parabola, and the responses of
  /// the filter and of the colors there.
  private func peak() -> (x: Float, y: Float, response: Float, color: Float) {
    let count = TargetTracker.cellCount
    let uncertainty = max(0, 1 - (filterResponse.max() ?? 0) / parameters.confidentResponse)
    let share =
      parameters.colorShare + (parameters.uncertainColorShare - parameters.colorShare) * uncertainty
    var mixed = filterResponse
    var best = 0
    for index in mixed.indices {
      mixed[index] = filterResponse[index] * (1 - share) + colorResponse[index] * share
      if mixed[index] > mixed[best] { best = index }
    }
    let row = best / count
    let column = best % count
    func offset(_ before: Float, _ after: Float) -> Float {
      let curvature = before - 2 * mixed[best] + after
      return curvature < 0 ? (before - after) / (2 * curvature) : 0
    }
    let across = 1..<(count - 1)
    let x = across.contains(column) ? offset(mixed[best - 1], mixed[best + 1]) : 0
    let y = across.contains(row) ? offset(mixed[best - count], mixed[best + count]) : 0
    return (
      Float(column - count / 2) + x, Float(row - count / 2) + y, filterResponse[best],
      colorResponse[best]
    )
  }
}
