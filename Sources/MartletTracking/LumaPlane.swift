//===--- LumaPlane.swift - luma planes and block matching -----------------===//
//
// Contract  Blocks are matched by the least sum of absolute differences, ties by the first place
//           in rows from the top; between pixels as two lines of opposite slopes meet.
// Cost      For each place within reach the differences of four sums, which the pixels' differences
//           cannot be below (Li and Salari, 1995); 256 pixels where that is not too much already.
// Checked   Tests/MartletTrackingTests/LumaPlaneTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels

/// The brightness of a frame.
struct LumaPlane {
  /// Pixels along a block's side.
  static let blockSize = 16
  /// Pixels along the side of a quarter of a block.
  private static let half = blockSize / 2
  /// Differences by noise, in levels of a pixel, that say nothing about a shift.
  private static let noise: Float = 2

  let width: Int
  let height: Int
  private let levels: [UInt8]
  /// The sums of the quarters of blocks that begin at each pixel, where they fit.
  private let sums: [Int16]

  init(width: Int, height: Int, levels: [UInt8]) {
    self.width = width
    self.height = height
    self.levels = levels
    sums = LumaPlane.sums(levels, width: width)
  }

  /// The sums of squares of eight by eight pixels, from each pixel on: across, then down. Those that
  /// reach beyond the right edge mean nothing.
  private static func sums(_ levels: [UInt8], width: Int) -> [Int16] {
    let count = levels.count
    var across = [Int16](repeating: 0, count: count)
    var sums = across
    levels.withUnsafeBufferPointer { levels in
      across.withUnsafeMutableBufferPointer { across in
        for step in 0..<min(half, count) {
          for index in 0..<(count - step) { across[index] &+= Int16(levels[index &+ step]) }
        }
      }
    }
    across.withUnsafeBufferPointer { across in
      sums.withUnsafeMutableBufferPointer { sums in
        for step in stride(from: 0, to: min(half * width, count), by: width) {
          for index in 0..<(count - step) { sums[index] &+= across[index &+ step] }
        }
      }
    }
    return sums
  }

  /// How far away a block was in another frame, and how well its texture tells that, in levels of a
  /// pixel.
  typealias Match = (dx: Float, dy: Float, acrossWeight: Float, downWeight: Float)

  /// Where the block at (`left`, `top`) was in an earlier frame of the same size; `nil` if its best
  /// place is at the search's edge.
  func match(
    left: Int, top: Int, in earlier: LumaPlane, reach: Int, expectedX: Int, expectedY: Int
  ) -> Match? {
    let size = LumaPlane.blockSize
    let columns = (left + expectedX - reach...left + expectedX + reach).clamped(
      to: 0...width - size)
    let rows = (top + expectedY - reach...top + expectedY + reach).clamped(to: 0...height - size)
    let blockDifference = Microkernels.current.uint8BlockDifference
    return levels.withUnsafeBufferPointer { current -> Match? in
      earlier.levels.withUnsafeBufferPointer { before -> Match? in
        guard let current = current.baseAddress, let before = before.baseAddress else { return nil }
        let block = current + (top &* width &+ left)
        let difference = { (column: Int, row: Int) in
          blockDifference(block, before + (row &* width &+ column), width)
        }
        let best = least(difference, left: left, top: top, in: earlier, columns, rows)
        guard best.column > columns.lowerBound, best.column < columns.upperBound,
          best.row > rows.lowerBound, best.row < rows.upperBound
        else { return nil }
        let across = LumaPlane.vertex(
          difference(best.column - 1, best.row), best.difference,
          difference(best.column + 1, best.row))
        let down = LumaPlane.vertex(
          difference(best.column, best.row - 1), best.difference,
          difference(best.column, best.row + 1))
        return (
          Float(best.column - left) + across.offset, Float(best.row - top) + down.offset,
          across.weight, down.weight
        )
      }
    }
  }

  /// The first place of the least difference.
  @inline(__always)
  private func least(
    _ difference: (Int, Int) -> Int, left: Int, top: Int, in earlier: LumaPlane,
    _ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>
  ) -> (column: Int, row: Int, difference: Int) {
    let quarters = quarters(left, top)
    // No place of the least difference has a greater one than any place.
    var limit = difference(
      (columns.lowerBound + columns.upperBound) / 2, (rows.lowerBound + rows.upperBound) / 2)
    var best = (column: columns.lowerBound, row: rows.lowerBound, difference: Int.max)
    for row in rows {
      for start in stride(from: columns.lowerBound, through: columns.upperBound, by: 16) {
        let bounds = earlier.differences(start, row, from: quarters)
        for column in start...min(start + 15, columns.upperBound)
        where Int(bounds[column &- start]) <= limit {
          let value = difference(column, row)
          if value < best.difference { best = (column, row, value) }
          limit = min(limit, value)
        }
      }
    }
    return best
  }

  /// The sums of a block's quarters.
  @inline(__always)
  private func quarters(_ left: Int, _ top: Int) -> SIMD4<Int16> {
    let upper = top &* width &+ left
    let lower = upper &+ LumaPlane.half &* width
    return [
      sums[upper], sums[upper + LumaPlane.half], sums[lower], sums[lower + LumaPlane.half],
    ]
  }

  /// By how much the quarters of the sixteen blocks that begin at (`left`, `top`) and behind it differ from
  /// others in all.
  @inline(__always)
  private func differences(_ left: Int, _ top: Int, from others: SIMD4<Int16>) -> SIMD16<UInt16> {
    sums.withUnsafeBytes { sums in
      var total = SIMD16<Int16>.zero
      for quarter in 0..<4 {
        let row = top &+ quarter / 2 &* LumaPlane.half
        let column = left &+ quarter % 2 &* LumaPlane.half
        let sum = sums.loadUnaligned(
          fromByteOffset: 2 &* (row &* width &+ column), as: SIMD16<Int16>.self)
        let difference = sum &- SIMD16(repeating: others[quarter])
        let signs = difference &>> 15
        total &+= (difference ^ signs) &- signs
      }
      return unsafeBitCast(total, to: SIMD16<UInt16>.self)
    }
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
}
