//===--- MovingRegions.swift - regions that move by themselves ------------===//
//
// Earlier frames are laid upon the current one by the camera's motion. A pixel that most of them
// show otherwise belongs to something that came there by itself; neighboring ones make a region.
//
// Contract  Regions come from the largest down, ties by the first pixel. The same frames give the
//           same regions.
// Cost      A block match a frame; where regions are requested, a bilinear look-up for each pixel
//           of the small frame and each earlier one.
// Checked   Tests/MartletTrackingTests/MovingRegionsTests.swift
//===----------------------------------------------------------------------===//

package import MartletImage

/// Finds moving regions in a sequence of frames.
package struct MovingRegions {
  /// What regions are found with. The values were chosen on annotated sequences.
  package struct Parameters: Sendable {
    /// How many earlier frames are compared with at most, and at least.
    package var historyCount = 8
    package var leastHistory = 3
    /// The difference of a channel, in levels, that tells a pixel from another.
    package var leastDifference: UInt8 = 14
    /// How far apart, in small pixels, parts of one region may lie.
    package var gap = 3
    /// The least share of the frame that a region covers.
    package var leastShare: Float = 0.002
    /// The largest share of the frame that all regions may cover: above, the camera's motion is
    /// not understood.
    package var mostShare: Float = 0.5

    package init() {}
  }

  package var parameters = Parameters()
  /// Earlier frames, the last one first, each with the map from the current frame to it.
  private var history: [(frame: MotionFrame, motion: MotionModel)] = []
  private var current: MotionFrame?
  /// How the camera moved in the last frame.
  private(set) var motion = MotionModel.identity

  package init() {}

  /// Takes the next frame.
  package mutating func update(_ pyramid: FramePyramid) {
    let frame = MotionFrame(pyramid)
    if let last = current {
      motion = MotionModel(fitting: frame.shifts(since: last, expected: motion))
      history.insert((last, .identity), at: 0)
      for index in history.indices {
        history[index].motion = motion.followed(by: history[index].motion)
      }
      if history.count > parameters.historyCount { history.removeLast() }
    }
    current = frame
  }

  /// Where something moves by itself in the last frame, largest first.
  package func regions() -> [Box] {
    guard let current, var mask = mask() else { return [] }
    mask.close(radius: parameters.gap)
    let area = Float(current.width * current.height)
    let regions = mask.components().filter { Float($0.count) >= parameters.leastShare * area }
    let covered = regions.reduce(0) { $0 + $1.count }
    guard Float(covered) <= parameters.mostShare * area else { return [] }
    return regions.enumerated().sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }
    .map { $0.element.box.scaled(current.reduction, current.reduction) }
  }

  /// The pixels that most of the earlier frames show otherwise.
  private func mask() -> BitMask? {
    guard let current, history.count >= parameters.leastHistory else { return nil }
    let range = ColorRange(current, margin: parameters.leastDifference)
    var mask = BitMask(width: current.width, height: current.height)
    var votes = [Int8](repeating: 0, count: current.width)
    for y in 0..<current.height {
      for x in 0..<current.width { votes[x] = 0 }
      for (frame, motion) in history { range.vote(frame, row: y, by: motion, &votes) }
      for x in 0..<current.width where votes[x] > 0 { mask[x, y] = true }
    }
    return mask
  }
}
