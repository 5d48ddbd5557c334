//===--- LumaPlane.swift - luma planes and block matching -----------------===//
//
// Contract  Blocks are matched by the least sum of absolute differences, ties by the first place
//           in rows from the top; between pixels as two lines of opposite slopes meet.
// Cost      For each place within reach the differences of four sums, which the pixels' differences
//           cannot be below (Li and Salari, 1995); 256 pixels where that is not too much already.
// Checked   Tests/MartletTrackingTests/LumaPlaneTests.swift
//===----------------------------------------------------------------------===//

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
  private let sums: [UInt16]

  init(width: Int, height: Int, levels: [UInt8]) {
    self.width = width
    self.height = height
    self.levels = levels
    sums = LumaPlane.sums(levels, width: width)
  }

  /// The sums of squares of eight by eight pixels, from each pixel on: across, then down. Those that
  /// reach beyond the right edge mean nothing.
  private static func sums(_ levels: [UInt8], width: Int) -> [UInt16] {
    let count = levels.count
    var across = [UInt16](repeating: 0, count: count)
    var sums = across
    levels.withUnsafeBufferPointer { levels in
      across.withUnsafeMutableBufferPointer { across in
        for step in 0..<min(half, count) {
          for index in 0..<(count - step) { across[index] &+= UInt16(levels[index &+ step]) }
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

  /// Where the block at (`left`, `top`) was in an earlier frame of the same size; `nil` where its best
  /// place is at the search's edge.
  func match(
    left: Int, top: Int, in earlier: LumaPlane, reach: Int, expectedX: Int, expectedY: Int
  ) -> Match? {
    let size = LumaPlane.blockSize
    let columns = (left + expectedX - reach...left + expectedX + reach).clamped(
      to: 0...width - size)
    let rows = (top + expectedY - reach...top + expectedY + reach).clamped(to: 0...height - size)
    return levels.withUnsafeBytes { current in
      earlier.levels.withUnsafeBytes { before in
        let difference = { (column: Int, row: Int) in
          LumaPlane.difference(
            current, top &* width &+ left, before, row &* width &+ column, width)
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
      for column in columns {
        let bound = earlier.quarters(column, row) &- quarters
        guard LumaPlane.sumOfMagnitudes(bound) <= limit else { continue }
        let value = difference(column, row)
        if value < best.difference { best = (column, row, value) }
        limit = min(limit, value)
      }
    }
    return best
  }

  /// The sums of a block's quarters.
  @inline(__always)
  private func quarters(_ left: Int, _ top: Int) -> SIMD4<Int32> {
    let upper = top &* width &+ left
    let lower = upper &+ LumaPlane.half &* width
    return sums.withUnsafeBufferPointer { sums in
      SIMD4(
        Int32(sums[upper]), Int32(sums[upper &+ LumaPlane.half]), Int32(sums[lower]),
        Int32(sums[lower &+ LumaPlane.half]))
    }
  }

  @inline(__always)
  private static func sumOfMagnitudes(_ values: SIMD4<Int32>) -> Int {
    let signs = values &>> 31
    return Int(((values ^ signs) &- signs).wrappedSum())
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
