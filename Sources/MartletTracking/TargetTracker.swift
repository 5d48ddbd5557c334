//===--- TargetTracker.swift - following one object from frame to frame ---===//
//
// A correlation filter on oriented gradients finds the target's shift, weighed with what its colors
// say, the more the less sure the filter is; a second filter finds its change of size, a third how it
// turns. They learn from frames that they are sure of: the second and the third from each, the first and
// the colors from every other one.
// What turned fast is searched for where it would be had it turned on.
//
// Contract  Works on pixels alone: no network, no clock. The same frames give the same boxes.
// Cost      A window of 128 x 128 samples and 68 patches of 512 a frame, and in every other frame the
//           window's part around the target again.
// Checked   Tests/MartletTrackingTests/TargetTrackerTests.swift, and against annotated sequences
//===----------------------------------------------------------------------===//

package import MartletImage

/// Follows one object.
package struct TargetTracker {
  /// What a tracker is made with. The values were chosen on seventeen annotated sequences.
  package struct Parameters: Sendable {
    /// The share of the answer that is color's, 0...1, where the filter is sure.
    package var colorShare: Float = 0.3
    /// The same where the filter answers nothing.
    package var doubtfulColorShare: Float = 0.6
    /// The filter's answer from which it is sure.
    package var sureness: Float = 0.4
    /// How much of what it sees the filter takes up each time that it learns, 0...1.
    package var learningRate: Float = 0.04
    /// How much of what they see the colors take up.
    package var colorLearningRate: Float = 0.08
    /// Every how many frames filter and colors learn.
    package var learningInterval = 2
    /// How much of what they see the filters of sizes and of angles take up, in every frame.
    package var poseLearningRate: Float = 0.025
    /// The ratio of neighboring sizes.
    package var scaleRatio: Float = 1.05
    /// The difference of neighboring angles, in radians.
    package var angleStep: Float = 0.14
    /// The extent of what the filter of angles sees, in the target's.
    package var angleFocus: Float = 1.2
    /// The turn from one frame to the next, in radians, above which a target is searched for as if it turned
    /// on at this rate.
    package var spin: Float = 0.2
    /// What keeps frequencies without energy from being amplified.
    package var regularization: Float = 0.001
    /// The same for sizes and angles.
    package var poseRegularization: Float = 0.01
    /// The standard deviation of the answer that is learnt, in geometric means of the target's
    /// extents.
    package var deviation: Float = 1.0 / 12
    /// The side of the window searched, in geometric means of the target's extents with a margin of
    /// half their sum.
    package var reach: Float = 1.5
    /// The extent of what is learnt around the target, in its extents; what lies outside is its
    /// background, which stays behind where the target moves.
    package var focus: Float = 1.4
    /// The confidence below which the target is lost, neither moved nor learnt, unless its colors are
    /// where it is searched for.
    package var leastConfidence: Float = 0.2
    /// The colors' answer from which they are.
    package var leastColor: Float = 0.6

    package init() {}

    fileprivate func poseFilter(
      _ axis: PoseFilter.Axis, width: Float, height: Float
    ) -> PoseFilter {
      PoseFilter(
        width: width, height: height, axis: axis, learningRate: poseLearningRate,
        regularization: poseRegularization)
    }
  }

  /// Cells along the window's side.
  private static let cellCount = 32
  /// No target's extent is below this, in pixels.
  private static let smallest: Float = 4

  private let parameters: Parameters
  /// The cosine of the turn above which a target is thought to turn on.
  private let leastCosine: Float
  /// The target's extents where it was first seen, and the window's side then.
  private let width: Float
  private let height: Float
  private let side: Float
  private var center: Point
  private var scale: Float = 1
  private var rotation = Rotation.none
  /// How it turned from the frame before the last to the last one.
  private var turn = Rotation.none
  /// In how many frames the target was found.
  private var foundCount = 0
  private var patch: Patch
  private var histogram: GradientHistogram
  private var filter: CorrelationFilter
  private var colors: ColorModel
  private var sizes: PoseFilter
  private var angles: PoseFilter
  private var filterResponse: [Float]
  private var colorResponse: [Float]

  /// How well the target was found in the last frame: about 1 at first, near 0 where it is lost.
  package private(set) var confidence: Float = 1

  /// Whether the target was not found in the last frame: it is where it was before.
  package private(set) var isLost = false

  /// Where the target is.
  package var box: Box { pose.bounds }

  /// Where it is, and how it is turned.
  private var pose: OrientedBox {
    OrientedBox(
      upright: Box(center: center, width: width * scale, height: height * scale),
      rotation: rotation)
  }

  /// A tracker of what fills the part of `box` that lies in the frame, or `nil` if there is none.
  package init?(_ box: Box, in pyramid: FramePyramid, parameters: Parameters = Parameters()) {
    let frame = pyramid.size
    let box = box.clipped(toWidth: Float(frame.width), height: Float(frame.height))
    guard !box.isEmpty else { return nil }
    self.parameters = parameters
    leastCosine = Rotation(parameters.spin).cosine
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

  /// The window in the frame that the filter sees.
  private var window: OrientedBox {
    OrientedBox(
      upright: Box(center: center, width: side * scale, height: side * scale),
      rotation: rotation)
  }

  /// The target's extents in the window's samples.
  private var sampled: (width: Float, height: Float) {
    (width / side * Float(patch.width), height / side * Float(patch.height))
  }

  /// Finds the target in the next frame.
  package mutating func update(_ pyramid: FramePyramid) {
    let before = rotation
    if turn.cosine < leastCosine { rotation = rotation + turn }
    patch.read(window, of: pyramid)
    histogram.read(patch)
    filter.respond(to: histogram.cells, into: &filterResponse)
    colors.respond(
      to: patch, width: sampled.width, height: sampled.height,
      step: GradientHistogram.cellSize, count: TargetTracker.cellCount, into: &colorResponse)
    let peak = self.peak()
    confidence = peak.response
    isLost = confidence < parameters.leastConfidence && peak.color <= parameters.leastColor
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
    if foundCount % parameters.learningInterval == 0 { learn(pyramid) }
    learnPose(pyramid)
    foundCount += 1
  }

  /// Where the target is, if it is about where `box` is, and how well it is found there.
  func found(at box: Box, in pyramid: FramePyramid) -> (box: Box, confidence: Float)? {
    var tracker = self
    tracker.center = box.center
    tracker.scale = min(max((box.area / (width * height)).squareRoot(), 0.2), 5)
    tracker.update(pyramid)
    return tracker.isLost ? nil : (tracker.box, tracker.confidence)
  }

  private mutating func learn(_ pyramid: FramePyramid) {
    patch.read(window, of: pyramid)
    histogram.read(patch, filter.learnt)
    filter.learn(histogram.cells)
    colors.learn(patch, width: sampled.width, height: sampled.height)
  }

  private mutating func learnPose(_ pyramid: FramePyramid) {
    sizes.learn(pose, in: pyramid)
    angles.learn(pose.expanded(by: parameters.angleFocus), in: pyramid)
  }

  /// The shift in cells that fits best, between cells by a parabola, and the filter's and the colors'
  /// responses.
  private func peak() -> (x: Float, y: Float, response: Float, color: Float) {
    let count = TargetTracker.cellCount
    let doubt = max(0, 1 - (filterResponse.max() ?? 0) / parameters.sureness)
    let share =
      parameters.colorShare + (parameters.doubtfulColorShare - parameters.colorShare) * doubt
    var mixed = filterResponse
    var best = 0
    for index in mixed.indices {
      mixed[index] = filterResponse[index] * (1 - share) + colorResponse[index] * share
      if mixed[index] > mixed[best] { best = index }
    }
    let row = best / count
    let column = best % count
    func offset(_ before: Float, _ after: Float) -> Float {
      let bend = before - 2 * mixed[best] + after
      return bend < 0 ? (before - after) / (2 * bend) : 0
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
