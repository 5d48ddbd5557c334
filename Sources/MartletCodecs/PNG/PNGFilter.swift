//===--- PNGFilter.swift - the five row filters ---------------------------===//
//
// A filtered byte is the difference from a prediction: the byte one pixel to
// the left (a), the one above (b), their mean, or of a, b and the one above to
// the left (c) the nearest to a + b - c (Paeth). Outside the picture all are 0.
//
// Contract  Rows lie one after the other, each behind its filter type, and are
//           restored in place. A pixel of less than a byte counts as a byte.
// Cost      One pass.
// Source    PNG (third edition) section 9
// Checked   Tests/MartletCodecsTests/PNGDecoderTests.swift
//===----------------------------------------------------------------------===//

/// The row filters of PNG.
enum PNGFilter: UInt8, CaseIterable {
  case none = 0
  case sub = 1
  case up = 2
  case average = 3
  case paeth = 4

  /// Restores `rows` rows of `rowBytes` bytes, the first of which begins at `start`.
  static func restore(
    _ bytes: inout [UInt8], from start: Int, rows: Int, rowBytes: Int, pixelBytes: Int
  ) throws(PNGError) {
    var span = bytes.mutableSpan
    for row in 0..<rows {
      let offset = start + row * (rowBytes + 1)
      guard let filter = PNGFilter(rawValue: span[offset]) else {
        throw .badFilter(span[offset], row: row)
      }
      filter.restore(
        &span, row: offset + 1, above: row == 0 ? nil : offset - rowBytes,
        rowBytes: rowBytes, pixelBytes: min(pixelBytes, rowBytes))
    }
  }

  /// Restores the row at `row` from itself and the row at `above`.
  private func restore(
    _ bytes: inout MutableSpan<UInt8>, row: Int, above: Int?, rowBytes: Int, pixelBytes: Int
  ) {
    let (first, rest, end) = (row, row + pixelBytes, row + rowBytes)
    switch (self, above) {
    case (.none, _), (.up, nil): break
    case (.sub, _), (.paeth, nil):
      for index in rest..<end { bytes[index] &+= bytes[index - pixelBytes] }
    case (.up, let above?):
      for index in first..<end { bytes[index] &+= bytes[above + index - row] }
    case (.average, nil):
      for index in rest..<end { bytes[index] &+= bytes[index - pixelBytes] / 2 }
    case (.average, let above?):
      for index in first..<rest { bytes[index] &+= bytes[above + index - row] / 2 }
      for index in rest..<end {
        let sum = Int16(bytes[index - pixelBytes]) + Int16(bytes[above + index - row])
        bytes[index] &+= UInt8(truncatingIfNeeded: sum / 2)
      }
    case (.paeth, let above?):
      for index in first..<rest { bytes[index] &+= bytes[above + index - row] }
      for index in rest..<end {
        let up = above + index - row
        bytes[index] &+= Self.paeth(
          bytes[index - pixelBytes], bytes[up], bytes[up - pixelBytes])
      }
    }
  }

  /// Filters a row; returns the sum of the results' magnitudes as signed numbers.
  func apply(
    to row: [UInt8], above: [UInt8], pixelBytes: Int, into output: inout [UInt8]
  ) -> Int {
    let (row, above) = (row.span, above.span)
    var result = output.mutableSpan
    for index in 0..<min(pixelBytes, row.count) {
      result[index] = row[index] &- prediction(0, above[index], 0)
    }
    for index in pixelBytes..<max(pixelBytes, row.count) {
      let left = index - pixelBytes
      result[index] = row[index] &- prediction(row[left], above[index], above[left])
    }
    var sum = 0
    for index in result.indices { sum &+= Int(Int8(bitPattern: result[index]).magnitude) }
    return sum
  }

  /// What the filter expects at a byte from those at its left, above and above left.
  @inline(__always)
  private func prediction(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
    switch self {
    case .none: 0
    case .sub: left
    case .up: above
    case .average: UInt8(truncatingIfNeeded: (Int16(left) + Int16(above)) / 2)
    case .paeth: Self.paeth(left, above, corner)
    }
  }

  /// Of left, above and above left, the nearest to left + above - above left; the first of equals.
  @inline(__always)
  static func paeth(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
    let (a, b, c) = (Int16(left), Int16(above), Int16(corner))
    let (toLeft, toAbove) = (abs(b &- c), abs(a &- c))
    let toCorner = abs(a &+ b &- c &- c)
    if toLeft <= toAbove && toLeft <= toCorner { return left }
    return toAbove <= toCorner ? above : corner
  }
}
