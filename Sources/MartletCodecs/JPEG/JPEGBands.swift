//===--- JPEGBands.swift - an image cut across, for work side by side -----===//
//
// While the bits of one band are read, the band before is transformed, and the
// one before that becomes pixels. Each step touches its own part of the rings
// (JPEGComponent), so the three may run at the same time.
//
// Contract  The bands depend on the frame alone, so the same calls are made with
//           the same numbers at any number of workers.
// Checked   Tests/MartletCodecsTests/JPEGDecodingTests.swift
//===----------------------------------------------------------------------===//

/// Bands of whole lines of minimum coded units.
struct JPEGBands {
  /// The coefficients of a band should lie in the second cache, beside those of another.
  private static let coefficientBytes = 1 << 17

  /// Lines of units in each band but the last, which may have fewer.
  let unitLines: Int
  let count: Int

  init(_ frame: JPEGFrame) {
    let blocks = frame.specifications.reduce(0) { $0 + $1.horizontal * $1.vertical }
    let lineBytes = 128 * blocks * frame.unitsPerLine
    unitLines = max(1, Self.coefficientBytes / lineBytes)
    count = (frame.unitLines + unitLines - 1) / unitLines
  }
}
