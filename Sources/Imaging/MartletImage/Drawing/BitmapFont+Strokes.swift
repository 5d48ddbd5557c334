//===--- BitmapFont+Strokes.swift - letters as strokes --------------------===//
//
// Letters of any size are drawn as strokes one font pixel thick with round ends, which join the
// centers of adjacent pixels of the bitmap.
//
// Contract  Coordinates are font pixels; the center of a letter's top left pixel is (0.5, 0.5).
//===----------------------------------------------------------------------===//

/// A straight stroke between the centers of two pixels of a letter.
struct FontStroke: Equatable {
  let start: SIMD2<Float>
  let end: SIMD2<Float>

  /// The distance of a point from the stroke's line.
  func distance(to point: SIMD2<Float>) -> Float {
    let (line, way) = (end - start, point - start)
    let length = (line * line).sum()
    let part = length > 0 ? min(max((line * way).sum() / length, 0), 1) : 0
    let gap = way - line * part
    return (gap * gap).sum().squareRoot()
  }

  /// Raises the shares, 0 to 255, of a row's pixels that the stroke covers at least in part. The
  /// first one is in column `first` of the letter, which is enlarged by `scale`.
  func cover(_ shares: inout [UInt8], from first: Int, row: Int, scale: Int) {
    // A stroke reaches half a font pixel to each side of its line, and its edges half a pixel more.
    let (size, reach) = (Float(scale), Float(scale) / 2 + 1)
    let y = Float(row) + 0.5
    guard y >= min(start.y, end.y) * size - reach, y <= max(start.y, end.y) * size + reach else {
      return
    }
    let left = Int(min(start.x, end.x) * size - reach) - first
    let right = Int(max(start.x, end.x) * size + reach) - first
    for index in max(left, 0)..<max(min(right + 1, shares.count), max(left, 0)) {
      let point = SIMD2(Float(first + index) + 0.5, y) / size
      let coverage = (0.5 - distance(to: point)) * size + 0.5
      shares[index] = max(shares[index], UInt8((min(max(coverage, 0), 1) * 255).rounded()))
    }
  }
}

extension BitmapFont {
  /// The strokes of a character. Diagonal neighbors are joined unless another pixel joins them; in a
  /// filled square they are, so that its middle has no gap. A pixel without neighbors is a dot.
  static func strokes(of character: Unicode.Scalar) -> [FontStroke] {
    let rows = Array(rows(of: character))
    func isSet(_ column: Int, _ row: Int) -> Bool {
      (0..<glyphWidth).contains(column) && (0..<glyphHeight).contains(row)
        && rows[row] >> UInt8(glyphWidth - 1 - column) & 1 == 1
    }
    var strokes: [FontStroke] = []
    for row in 0..<glyphHeight {
      for column in 0..<glyphWidth where isSet(column, row) {
        let start = SIMD2(Float(column) + 0.5, Float(row) + 0.5)
        let (right, below) = (isSet(column + 1, row), isSet(column, row + 1))
        var ways: [SIMD2<Float>] = []
        if right { ways.append([1, 0]) }
        if below { ways.append([0, 1]) }
        if isSet(column + 1, row + 1), right == below { ways.append([1, 1]) }
        if isSet(column - 1, row + 1), !below, !isSet(column - 1, row) { ways.append([-1, 1]) }
        strokes += ways.map { FontStroke(start: start, end: start + $0) }
        if ways.isEmpty { strokes.append(FontStroke(start: start, end: start)) }
      }
    }
    return strokes
  }
}
