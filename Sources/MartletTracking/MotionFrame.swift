//===--- MotionFrame.swift - a frame as motion is looked for in -----------===//
//
// A level of the pyramid whose longer side is at most 256 pixels: its colours, and a luma of a quarter
// red, half green and a quarter blue for matching blocks.
//
// Contract  Blocks are matched by the least sum of absolute differences, ties by the first place
//           in rows from the top; between pixels by a parabola.
// Cost      225 comparisons of 256 pixels for each block.
// Checked   Tests/MartletTrackingTests/MotionFrameTests.swift
//===----------------------------------------------------------------------===//

internal import MartletImage

/// A small frame.
struct MotionFrame {
  static let longestSide = 256
  /// Pixels along a block's side.
  static let blockSize = 16
  /// How far from where it is expected a block is looked for, along each axis.
  static let reach = 7
  /// Differences by noise, in levels of a pixel, that say nothing about a shift.
  private static let noise: Float = 2

  let width: Int
  let height: Int
  /// The frame's pixels for each of this one's.
  let reduction: Float
  /// Red, green and blue; the fourth lane is zero.
  let colors: [SIMD4<UInt8>]
  private let luma: [UInt8]

  init(_ pyramid: FramePyramid) {
    let index =
      pyramid.levels.firstIndex { max($0.width, $0.height) <= MotionFrame.longestSide }
      ?? pyramid.levels.count - 1
    let image = pyramid.levels[index]
    width = image.width
    height = image.height
    reduction = Float(1 << index)
    let count = image.width * image.height
    var colors = [SIMD4<UInt8>](repeating: .zero, count: count)
    var luma = [UInt8](repeating: 0, count: count)
    image.withUnsafePixels { pixels in
      for index in 0..<count {
        let (red, green, blue) = (pixels[3 * index], pixels[3 * index + 1], pixels[3 * index + 2])
        colors[index] = SIMD4(red, green, blue, 0)
        luma[index] = UInt8(
          truncatingIfNeeded: (UInt16(red) &+ 2 &* UInt16(green) &+ UInt16(blue)) >> 2)
      }
    }
    self.colors = colors
    self.luma = luma
  }

  /// The shifts of this frame's blocks since an earlier frame of the same size; `expected` is about
  /// how the camera moved.
  func shifts(since earlier: MotionFrame, expected: MotionModel) -> [MotionModel.Shift] {
    let size = MotionFrame.blockSize
    var shifts: [MotionModel.Shift] = []
    luma.withUnsafeBytes { current in
      earlier.luma.withUnsafeBytes { before in
        for top in stride(from: 0, through: height - size, by: size / 2) {
          for left in stride(from: 0, through: width - size, by: size / 2) {
            let x = Float(left + size / 2) - Float(width) / 2
            let y = Float(top + size / 2) - Float(height) / 2
            let place = expected(x, y)
            let match = match(
              current, before, left: left, top: top, expectedX: MotionFrame.whole(place.x - x),
              expectedY: MotionFrame.whole(place.y - y))
            guard let match else { continue }
            shifts.append(
              .init(
                x: x, y: y, dx: match.dx, dy: match.dy, acrossWeight: match.acrossWeight,
                downWeight: match.downWeight))
          }
        }
      }
    }
    return shifts
  }

  /// The nearest whole shift, no further than a frame of any size is wide; 0 for no number.
  private static func whole(_ shift: Float) -> Int {
    shift.isNaN ? 0 : Int(min(max(shift.rounded(), -Float(longestSide)), Float(longestSide)))
  }

  private typealias Match = (dx: Float, dy: Float, acrossWeight: Float, downWeight: Float)

  /// Where the block at (`left`, `top`) was; `nil` where its best place is at the search's edge.
  private func match(
    _ current: UnsafeRawBufferPointer, _ before: UnsafeRawBufferPointer, left: Int, top: Int,
    expectedX: Int, expectedY: Int
  ) -> Match? {
    let size = MotionFrame.blockSize
    let reach = MotionFrame.reach
    let columns = (left + expectedX - reach...left + expectedX + reach).clamped(
      to: 0...width - size)
    let rows = (top + expectedY - reach...top + expectedY + reach).clamped(to: 0...height - size)
    func difference(_ column: Int, _ row: Int) -> Int {
      MotionFrame.difference(current, top * width + left, before, row * width + column, width)
    }
    var best = Int.max
    var bestColumn = 0
    var bestRow = 0
    for row in rows {
      for column in columns {
        let value = difference(column, row)
        if value < best {
          (best, bestColumn, bestRow) = (value, column, row)
        }
      }
    }
    guard bestColumn > columns.lowerBound, bestColumn < columns.upperBound,
      bestRow > rows.lowerBound, bestRow < rows.upperBound
    else { return nil }
    let across = MotionFrame.vertex(
      difference(bestColumn - 1, bestRow), best, difference(bestColumn + 1, bestRow))
    let down = MotionFrame.vertex(
      difference(bestColumn, bestRow - 1), best, difference(bestColumn, bestRow + 1))
    return (
      Float(bestColumn - left) + across.offset, Float(bestRow - top) + down.offset, across.weight,
      down.weight
    )
  }

  /// The lowest place of three, as two lines of opposite slopes meet, and how steep they are
  /// beyond noise, in levels of a pixel.
  private static func vertex(_ before: Int, _ middle: Int, _ after: Int) -> (
    offset: Float, weight: Float
  ) {
    let steepest = max(before, after) - middle
    let count = Float(blockSize * blockSize)
    guard steepest > 0 else { return (0, 0) }
    let flat = Float(min(before, after) - middle) / count
    return (Float(before - after) / Float(2 * steepest), max(flat - noise / 2, 0))
  }

  /// The sum of absolute differences of two blocks.
  @inline(__always)
  private static func difference(
    _ first: UnsafeRawBufferPointer, _ firstStart: Int, _ second: UnsafeRawBufferPointer,
    _ secondStart: Int, _ stride: Int
  ) -> Int {
    var sum = SIMD16<UInt16>.zero
    for row in 0..<blockSize {
      let a = first.loadUnaligned(
        fromByteOffset: firstStart &+ row &* stride, as: SIMD16<UInt8>.self)
      let b = second.loadUnaligned(
        fromByteOffset: secondStart &+ row &* stride, as: SIMD16<UInt8>.self)
      let isLess = a .< b
      let large = a.replacing(with: b, where: isLess)
      let small = b.replacing(with: a, where: isLess)
      sum &+= SIMD16<UInt16>(truncatingIfNeeded: large &- small)
    }
    return Int(SIMD16<UInt32>(truncatingIfNeeded: sum).wrappedSum())
  }
}
