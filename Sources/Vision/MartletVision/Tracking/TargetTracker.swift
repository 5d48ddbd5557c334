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
//===----------------------------------------------------------------------===//

package import MartletImage

/// The tracker's constants, chosen on seventeen annotated sequences.
private enum Constants {
  /// The weight of the color response, 0...1, if the filter is certain and if its response is 0.
  static let (colorShare, uncertainColorShare): (Float, Float) = (0.3, 0.6)
  /// The filter's response from which it is certain.
  static let confidentResponse: Float = 0.4
  /// The weights of a new frame in the filter and in the color model, 0...1, and the number of frames
  /// between their updates.
  static let (learningRate, colorLearningRate): (Float, Float) = (0.04, 0.08)
  static let learningInterval = 2
  /// The weight of a new frame in the filters for size and angle, 0...1; they learn in every frame.
  static let poseLearningRate: Float = 0.025
  /// The ratio of neighboring sizes, and the difference of neighboring angles in radians.
  static let (scaleRatio, angleStep): (Float, Float) = (1.05, 0.14)
  /// The size of the angle filter's window in units of the target's size.
  static let angleFocus: Float = 1.2
  /// The rotation per frame, in radians, above which the search assumes that it continues.
  static let rotationThreshold: Float = 0.2
  /// Keep frequencies without energy from being amplified, in the filter and for sizes and angles.
  static let (regularization, poseRegularization): (Float, Float) = (0.001, 0.01)
  /// The standard deviation of the learned response, in units of the geometric mean of the target's
  /// sides.
  static let deviation: Float = 1.0 / 12
  /// The side of the search window, in units of the geometric mean of the target's sides, each
  /// enlarged by half their sum.
  static let reach: Float = 1.5
  /// The size of the learned area in units of the target's size. The background outside does not move
  /// with the target.
  static let focus: Float = 1.4
  /// The confidence and color response below which the target is lost, that is, not moved.
  static let (minimumConfidence, minimumColor): (Float, Float) = (0.2, 0.6)
}

/// Tracks one object.
package struct TargetTracker {
  /// The number of cells along the window's side.
  private static let cellCount = 32
  /// The smallest side of a target, in pixels.
  private static let smallest: Float = 4

  /// The cosine of the rotation above which the search assumes that it continues.
  private static let minimumCosine = Rotation(Constants.rotationThreshold).cosine

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
  package init?(_ box: Box, in pyramid: FramePyramid) {
    let frame = pyramid.size
    let box = box.clipped(toWidth: Float(frame.width), height: Float(frame.height))
    guard !box.isEmpty else { return nil }
    let width = max(box.width, TargetTracker.smallest)
    let height = max(box.height, TargetTracker.smallest)
    (self.width, self.height) = (width, height)
    center = box.center
    let margin = (width + height) / 2
    side = Constants.reach * ((width + margin) * (height + margin)).squareRoot()
    let count = TargetTracker.cellCount
    let samples = count * GradientHistogram.cellSize
    patch = Patch(width: samples, height: samples)
    histogram = GradientHistogram(width: samples, height: samples)
    filter = CorrelationFilter(
      size: count,
      deviation: (width * height).squareRoot() / side * Float(count) * Constants.deviation,
      focus: (
        width * Constants.focus / side * Float(count),
        height * Constants.focus / side * Float(count)
      ),
      parameters: .init(
        learningRate: Constants.learningRate, regularization: Constants.regularization))
    colors = ColorModel(learningRate: Constants.colorLearningRate)
    func poseFilter(_ axis: PoseFilter.Axis, _ factor: Float) -> PoseFilter {
      PoseFilter(
        width: width * factor, height: height * factor, axis: axis,
        learningRate: Constants.poseLearningRate, regularization: Constants.poseRegularization)
    }
    sizes = poseFilter(.size(ratio: Constants.scaleRatio), 1)
    angles = poseFilter(.angle(Constants.angleStep), Constants.angleFocus)
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
    if turn.cosine < TargetTracker.minimumCosine { rotation = rotation + turn }
    patch.read(window, of: pyramid)
    histogram.read(patch)
    filter.respond(to: histogram.cells, into: &filterResponse)
    colors.respond(
      to: patch, width: sampled.width, height: sampled.height,
      step: GradientHistogram.cellSize, count: TargetTracker.cellCount, into: &colorResponse)
    let peak = self.peak()
    confidence = peak.response
    isLost = confidence < Constants.minimumConfidence && peak.color <= Constants.minimumColor
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
    rotation = angles.refined(pose.expanded(by: Constants.angleFocus), in: pyramid).rotation
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
    if foundCount % Constants.learningInterval == 0 { learn(pyramid) }
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
    angles.learn(pose.expanded(by: Constants.angleFocus), in: pyramid)
  }

  /// The shift in cells with the highest response, interpolated by a parabola, and the responses of
  /// the filter and of the colors there.
  private func peak() -> (x: Float, y: Float, response: Float, color: Float) {
    let count = TargetTracker.cellCount
    let uncertainty = max(0, 1 - (filterResponse.max() ?? 0) / Constants.confidentResponse)
    let share =
      Constants.colorShare + (Constants.uncertainColorShare - Constants.colorShare) * uncertainty
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
