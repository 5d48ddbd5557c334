//===--- VP8LoopFilter.swift - filtering of macroblocks -------------------===//
//
// For each macroblock the left edge is filtered, then the vertical edges inside, the upper edge and
// the horizontal edges inside (RFC 6386, section 15).
//
// Contract  Edges of the frame are not filtered.
//===----------------------------------------------------------------------===//

/// Filters the macroblocks of a frame in order.
struct VP8LoopFilter {
  let planes: VP8Planes
  let filter: VP8Header.Filter

  /// Filters a macroblock; the edges inside only if `isInside` is true.
  func apply(_ strength: VP8FilterStrength, isInside: Bool, column: Int, row: Int) {
    guard strength.edge > 0 else { return }
    switch filter {
    case .none: return
    case .simple: applySimple(strength, isInside, column, row)
    case .normal: applyNormal(strength, isInside, column, row)
    }
  }

  /// The luma edge that begins at column `x` and row `y` of a macroblock.
  @inline(__always)
  private func luma(
    _ column: Int, _ row: Int, x: Int, y: Int, isVertical: Bool
  ) -> VP8EdgePlaces {
    // With neighbors on both sides, every place is in the planes.
    let first = unsafe planes.luma(column, row) + (x &+ y &* planes.lumaStride)
    let second = unsafe first + (isVertical ? 8 &* planes.lumaStride : 8)
    return unsafe VP8EdgePlaces(first: first, second: second, stride: planes.lumaStride)
  }

  /// The chroma edge that begins `x` columns and `y` rows after a macroblock's first samples.
  @inline(__always)
  private func chroma(_ column: Int, _ row: Int, x: Int, y: Int) -> VP8EdgePlaces {
    let chroma = unsafe planes.chroma(column, row)
    let offset = x &+ y &* planes.chromaStride
    return unsafe VP8EdgePlaces(
      first: chroma.u + offset, second: chroma.v + offset, stride: planes.chromaStride)
  }

  private func applySimple(
    _ strength: VP8FilterStrength, _ isInside: Bool, _ column: Int, _ row: Int
  ) {
    let positions = stride(from: 0, to: isInside ? 16 : 1, by: 4)
    for x in positions where x > 0 || column > 0 {
      luma(column, row, x: x, y: 0, isVertical: true)
        .filterVertical(.simple, x == 0 ? strength.outer : strength)
    }
    for y in positions where y > 0 || row > 0 {
      luma(column, row, x: 0, y: y, isVertical: false)
        .filterHorizontal(.simple, y == 0 ? strength.outer : strength)
    }
  }

  private func applyNormal(
    _ strength: VP8FilterStrength, _ isInside: Bool, _ column: Int, _ row: Int
  ) {
    if column > 0 {
      luma(column, row, x: 0, y: 0, isVertical: true)
        .filterVertical(.macroblock, strength.outer)
      chroma(column, row, x: 0, y: 0).filterVertical(.macroblock, strength.outer)
    }
    if isInside {
      for x in stride(from: 4, to: 16, by: 4) {
        luma(column, row, x: x, y: 0, isVertical: true).filterVertical(.subblock, strength)
      }
      chroma(column, row, x: 4, y: 0).filterVertical(.subblock, strength)
    }
    if row > 0 {
      luma(column, row, x: 0, y: 0, isVertical: false)
        .filterHorizontal(.macroblock, strength.outer)
      chroma(column, row, x: 0, y: 0).filterHorizontal(.macroblock, strength.outer)
    }
    if isInside {
      for y in stride(from: 4, to: 16, by: 4) {
        luma(column, row, x: 0, y: y, isVertical: false).filterHorizontal(.subblock, strength)
      }
      chroma(column, row, x: 0, y: 4).filterHorizontal(.subblock, strength)
    }
  }
}
