//===--- BitmapFont+Strokes.swift - letters as strokes --------------------===//
//
// Letters of any size are drawn as strokes one font pixel thick with round ends, which join the
// centers of adjacent pixels of the bitmap.
//
// Contract  Coordinates are font pixels; the center of a letter's top left pixel is (0.5, 0.5).
// Checked   Tests/MartletImageTests/BitmapFontTests.swift, TextTests.swift
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
