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
    /// The distance of the earlier frames compared with, in frames.
    package var spacing = 1
    /// How many of them there are at most, and at least.
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
      let needed = parameters.spacing * parameters.historyCount
      if history.count > needed { history.removeLast(history.count - needed) }
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
    guard let current else { return nil }
    let spacing = parameters.spacing
    let earlier = stride(from: spacing - 1, to: history.count, by: spacing).map { history[$0] }
    guard earlier.count >= parameters.leastHistory else { return nil }
    let (low, high) = current.neighbourhoods()
    var mask = BitMask(width: current.width, height: current.height)
    let halfWidth = Float(current.width) / 2
    let halfHeight = Float(current.height) / 2
    var votes = [Int8](repeating: 0, count: current.width)
    for y in 0..<current.height {
      for x in 0..<current.width { votes[x] = 0 }
      for (frame, motion) in earlier {
        frame.colors.withUnsafeBufferPointer { colors in
          for x in 0..<current.width {
            let place = motion(Float(x) + 0.5 - halfWidth, Float(y) + 0.5 - halfHeight)
            let sample = frame.sample(colors, place.x + halfWidth - 0.5, place.y + halfHeight - 0.5)
            guard let sample else { continue }
            let index = y &* current.width &+ x
            let margin = parameters.leastDifference
            let above = sample .> high[index].addingSaturated(margin)
            let below = sample.addingSaturated(margin) .< low[index]
            votes[x] &+= any(above .| below) ? 1 : -1
          }
        }
      }
      for x in 0..<current.width where votes[x] > 0 { mask[x, y] = true }
    }
    return mask
  }
}

extension SIMD4<UInt8> {
  @inline(__always)
  fileprivate func addingSaturated(_ value: UInt8) -> SIMD4<UInt8> {
    let sum = self &+ value
    return sum.replacing(with: 255, where: sum .< value)
  }
}

extension MotionFrame {
  /// The least and the largest colours of each pixel and its eight neighbours: what a map that is
  /// off by a pixel may show.
  fileprivate func neighbourhoods() -> (low: [SIMD4<UInt8>], high: [SIMD4<UInt8>]) {
    var low = colors
    var high = colors
    func widen(
      _ index: Int, _ before: Int, _ after: Int, _ oldLow: [SIMD4<UInt8>], _ oldHigh: [SIMD4<UInt8>]
    ) {
      low[index] = oldLow[index].least(oldLow[before]).least(oldLow[after])
      high[index] = oldHigh[index].most(oldHigh[before]).most(oldHigh[after])
    }
    for y in 0..<height {
      for x in 0..<width {
        let row = y * width
        widen(row + x, row + max(x - 1, 0), row + min(x + 1, width - 1), colors, colors)
      }
    }
    let (lowRows, highRows) = (low, high)
    for y in 0..<height {
      for x in 0..<width {
        widen(
          y * width + x, max(y - 1, 0) * width + x, min(y + 1, height - 1) * width + x, lowRows,
          highRows)
      }
    }
    return (low, high)
  }

  /// The colour at a place between pixels; `nil` outside of the frame.
  @inline(__always)
  fileprivate func sample(
    _ colors: UnsafeBufferPointer<SIMD4<UInt8>>, _ x: Float, _ y: Float
  ) -> SIMD4<UInt8>? {
    guard x >= 0, y >= 0, x <= Float(width &- 1), y <= Float(height &- 1) else { return nil }
    let left = min(Int(x), width &- 2)
    let top = min(Int(y), height &- 2)
    let right = UInt16((x - Float(left)) * 64 + 0.5)
    let lower = UInt16((y - Float(top)) * 64 + 0.5)
    let index = top &* width &+ left
    func wide(_ index: Int) -> SIMD4<UInt16> { SIMD4<UInt16>(truncatingIfNeeded: colors[index]) }
    let upperRow = wide(index) &* (64 &- right) &+ wide(index &+ 1) &* right
    let lowerRow = wide(index &+ width) &* (64 &- right) &+ wide(index &+ width &+ 1) &* right
    let sum = (upperRow &>> 4) &* (64 &- lower) &+ (lowerRow &>> 4) &* lower
    return SIMD4<UInt8>(truncatingIfNeeded: (sum &+ 128) &>> 8)
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
