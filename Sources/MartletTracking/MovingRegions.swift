//===--- MovingRegions.swift - what moves by itself -----------------------===//
//
// Earlier frames are laid upon the current one by the camera's motion. A pixel that most of them
// show otherwise belongs to something that came there by itself; neighbouring ones make a region.
//
// Contract  Regions come from the largest down, ties by the first pixel. The same frames give the
//           same regions.
// Cost      A block match a frame; where regions are asked for, a bilinear look-up for each pixel
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
    let range = current.range(margin: parameters.leastDifference)
    var mask = BitMask(width: current.width, height: current.height)
    var votes = [Int8](repeating: 0, count: current.width)
    for y in 0..<current.height {
      for x in 0..<current.width { votes[x] = 0 }
      for (frame, motion) in history { frame.vote(on: range, row: y, by: motion, &votes) }
      for x in 0..<current.width where votes[x] > 0 { mask[x, y] = true }
    }
    return mask
  }
}

/// The colours that each pixel may have had before.
private struct ColorRange {
  var low: [SIMD4<UInt8>]
  var high: [SIMD4<UInt8>]
}

extension MotionFrame {
  /// The colours of each pixel and its eight neighbours, which a map that is off by a pixel may show,
  /// and `margin` levels more on both sides.
  fileprivate func range(margin: UInt8) -> ColorRange {
    var across = ColorRange(low: colors, high: colors)
    for y in 0..<height {
      for x in 1..<max(width, 1) {
        let index = y &* width &+ x
        across.widen(index, by: colors[index &- 1])
        across.widen(index &- 1, by: colors[index])
      }
    }
    var range = across
    for index in 0..<(width * (height - 1)) {
      range.widen(index, by: across, index &+ width)
      range.widen(index &+ width, by: across, index)
    }
    for index in range.low.indices {
      let (low, high) = (range.low[index], range.high[index])
      range.low[index] = low &- low.least(SIMD4(repeating: margin))
      range.high[index] = high &+ (SIMD4(repeating: 255) &- high).least(SIMD4(repeating: margin))
    }
    return range
  }

  /// Adds a vote for each pixel of a later frame's row that this frame shows out of range where the
  /// motion says that it was, and takes one for each that it shows within.
  fileprivate func vote(
    on range: ColorRange, row: Int, by motion: MotionModel, _ votes: inout [Int8]
  ) {
    // Places count from the middle of the first pixel here.
    let middleX = Float(width - 1) / 2
    let middleY = Float(height - 1) / 2
    let start = motion(-middleX, Float(row) - middleY)
    let count = width
    let (lastX, lastY) = (Float(width - 1), Float(height - 1))
    colors.withUnsafeBufferPointer { colors in
      votes.withUnsafeMutableBufferPointer { votes in
        range.low.withUnsafeBufferPointer { low in
          range.high.withUnsafeBufferPointer { high in
            for x in 0..<count {
              let column = start.x + motion.across[1] * Float(x) + middleX
              let line = start.y + motion.down[1] * Float(x) + middleY
              guard column >= 0, line >= 0, column < lastX, line < lastY else { continue }
              let color = MotionFrame.between(colors, column, line, count)
              let index = row &* count &+ x
              let isOut = any((color .< low[index]) .| (color .> high[index]))
              votes[x] &+= isOut ? 1 : -1
            }
          }
        }
      }
    }
  }

  /// The colour between four pixels, bilinear in steps of a sixteenth.
  @inline(__always)
  private static func between(
    _ colors: UnsafeBufferPointer<SIMD4<UInt8>>, _ x: Float, _ y: Float, _ width: Int
  ) -> SIMD4<UInt8> {
    let (left, top) = (Int(x), Int(y))
    let right = UInt16(truncatingIfNeeded: Int((x - Float(left)) * 16))
    let lower = UInt16(truncatingIfNeeded: Int((y - Float(top)) * 16))
    let index = top &* width &+ left
    let upperRow =
      wide(colors[index]) &* (16 &- right) &+ wide(colors[index &+ 1]) &* right
    let lowerRow =
      wide(colors[index &+ width]) &* (16 &- right) &+ wide(colors[index &+ width &+ 1]) &* right
    let sum = upperRow &* (16 &- lower) &+ lowerRow &* lower
    return SIMD4<UInt8>(truncatingIfNeeded: (sum &+ 128) &>> 8)
  }

  @inline(__always)
  private static func wide(_ color: SIMD4<UInt8>) -> SIMD4<UInt16> {
    SIMD4<UInt16>(truncatingIfNeeded: color)
  }
}

extension ColorRange {
  /// Takes a colour into the range of a pixel.
  @inline(__always)
  fileprivate mutating func widen(_ index: Int, by color: SIMD4<UInt8>) {
    low[index] = low[index].least(color)
    high[index] = high[index].most(color)
  }

  /// Takes the range of another pixel into that of a pixel.
  @inline(__always)
  fileprivate mutating func widen(_ index: Int, by other: ColorRange, _ otherIndex: Int) {
    low[index] = low[index].least(other.low[otherIndex])
    high[index] = high[index].most(other.high[otherIndex])
  }
}

extension SIMD4<UInt8> {
  @inline(__always)
  fileprivate func least(_ other: SIMD4<UInt8>) -> SIMD4<UInt8> {
    replacing(with: other, where: other .< self)
  }

  @inline(__always)
  fileprivate func most(_ other: SIMD4<UInt8>) -> SIMD4<UInt8> {
    replacing(with: other, where: other .> self)
  }
}
