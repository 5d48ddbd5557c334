//===--- LumaPlane.swift - luma planes and block matching -----------------===//
//
// Contract  The match has the lowest sum of absolute differences; ties go to the first position,
//           row by row from the top. Subpixel offsets are where two lines of opposite slopes
//           intersect.
// Cost      For each position within reach the differences of four sums, a lower bound of the
//           pixels' differences (Li and Salari, 1995); 256 pixels if the bound is not too large.
// Checked   Tests/MartletVisionTests/Tracking/LumaPlaneTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels

/// The brightness of a frame.
struct LumaPlane {
  /// The side of a block in pixels.
  static let blockSize = 16
  /// The side of a quarter of a block in pixels.
  private static let half = blockSize / 2
  /// The difference by noise, in levels per pixel, that is no evidence of a shift.
  private static let noise: Float = 2

  let width: Int
  let height: Int
  private let levels: [UInt8]
  /// The sums of the 8 x 8 blocks that start at each pixel; invalid if they do not fit.
  private let sums: [Int16]

  init(width: Int, height: Int, levels: [UInt8]) {
    self.width = width
    self.height = height
    self.levels = levels
    sums = LumaPlane.sums(levels, width: width)
  }

  /// Computes the sums of the 8 x 8 blocks that start at each pixel: across, then down. Sums that
  /// reach beyond the right edge are meaningless.
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

  /// The offset of a block in another frame, and how well its texture determines the offset, in
  /// levels per pixel.
  typealias Match = (dx: Float, dy: Float, acrossWeight: Float, downWeight: Float)

  /// Finds the block at (`left`, `top`) in an earlier frame of the same size. Returns `nil` if the
  /// best position is at the edge of the search range.
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

  /// The first position with the lowest difference.
  @inline(__always)
  private func least(
    _ difference: (Int, Int) -> Int, left: Int, top: Int, in earlier: LumaPlane,
    _ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>
  ) -> (column: Int, row: Int, difference: Int) {
    let quarters = quarters(left, top)
    // The lowest difference is at most that of any position.
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

  /// The sum of absolute differences between the given quarters and those of the sixteen blocks
  /// that start at (`left`, `top`) and to the right of it.
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

  /// Finds the minimum from three values, where two lines of opposite slopes intersect. The weight
  /// is their slope beyond noise, in levels per pixel.
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
