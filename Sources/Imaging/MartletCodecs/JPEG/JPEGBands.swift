//===--- JPEGBands.swift - bands of an image ------------------------------===//
//
// Bands form a pipeline: while one band is read, the band before it is transformed and the one
// before that is converted to pixels. Each stage uses its own part of the rings (JPEGComponent), so
// the three can run in parallel.
//
// Contract  The bands depend only on the frame, so the result is the same for any number of
//           workers.
//===----------------------------------------------------------------------===//

/// Bands of whole lines of minimum coded units.
struct JPEGBands {
  /// The size of a band's coefficients, chosen so that two bands fit in the second-level cache.
  private static let coefficientBytes = 1 << 17

  /// The number of lines of units in each band; the last band may have fewer.
  let unitLines: Int
  let count: Int

  init(_ frame: JPEGFrame) {
    let blocks = frame.specifications.reduce(0) { $0 + $1.horizontal * $1.vertical }
    let lineBytes = 2 * JPEGFrame.codedSide * JPEGFrame.codedSide * blocks * frame.unitsPerLine
    unitLines = max(1, Self.coefficientBytes / lineBytes)
    count = (frame.unitLines + unitLines - 1) / unitLines
  }
}
