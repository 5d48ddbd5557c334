//===--- MovingRegions.swift - independently moving regions ---------------===//
//
// Earlier frames are aligned with the current one by the camera motion. A pixel whose color differs
// from most of them belongs to an independently moving object; neighboring pixels form a region.
//
// Contract  Regions are sorted by decreasing size, ties by the first pixel. The same frames produce
//           the same regions.
// Cost      A block match per frame; if regions are requested, a bilinear look-up for each pixel of
//           the small frame in each earlier one.
// Checked   Tests/MartletVisionTests/Tracking/MovingRegionsTests.swift
//===----------------------------------------------------------------------===//

package import MartletImage

/// Finds moving regions in a sequence of frames.
package struct MovingRegions {
  /// The search's options. The defaults were chosen on annotated sequences.
  package struct Parameters: Sendable {
    /// The largest and the smallest number of earlier frames to compare with.
    package var historyCount = 8
    package var minimumHistory = 3
    /// The difference of a channel, in levels, from which colors differ.
    package var minimumDifference: UInt8 = 14
    /// Half the widest gap between parts of one region, in small pixels.
    package var gap = 3
    /// The smallest share of the frame that a region covers.
    package var minimumShare: Float = 0.002
    /// The largest share of the frame that all regions may cover. Above it the camera motion is
    /// assumed to be wrong and no regions are returned.
    package var maximumShare: Float = 0.5

    package init() {}
  }

  package var parameters = Parameters()
  /// Earlier frames, the latest one first, each with the map from the current frame.
  private var history: [(frame: MotionFrame, motion: MotionModel)] = []
  private var current: MotionFrame?
  /// The camera motion in the last frame.
  private(set) var motion = MotionModel.identity

  package init() {}

  /// Adds the next frame.
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

  /// Returns the boxes of the moving regions in the last frame, the largest one first.
  package func regions() -> [Box] {
    guard let current, var mask = mask() else { return [] }
    mask.close(radius: parameters.gap)
    let area = Float(current.width * current.height)
    let regions = mask.components().filter { Float($0.count) >= parameters.minimumShare * area }
    let covered = regions.reduce(0) { $0 + $1.count }
    guard Float(covered) <= parameters.maximumShare * area else { return [] }
    return regions.enumerated().sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }
    .map { $0.element.box.scaled(current.reduction, current.reduction) }
  }

  /// The pixels that differ from most of the earlier frames; `nil` if there are too few frames.
  private func mask() -> BitMask? {
    guard let current, history.count >= parameters.minimumHistory else { return nil }
    let range = ColorRange(current, margin: parameters.minimumDifference)
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
