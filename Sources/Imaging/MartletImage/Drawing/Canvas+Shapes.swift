//===--- Canvas+Shapes.swift - rectangles, boxes, lines and dots ----------===//
//
// Contract  Shapes may lie anywhere, even far outside or at NaN coordinates: only pixels inside the
//           image are changed. A pixel gets the color or keeps its own, except under a stroke thinner
//           than a pixel. Other thicknesses and diameters under 1 count as 1.
// Cost      The shape's pixels inside the image.
//===----------------------------------------------------------------------===//

extension Canvas {
  /// Fills a rectangle of whole pixels, clipped to the image.
  package mutating func fill(columns: Range<Int>, rows: Range<Int>, color: RGBImage.Color) {
    let columns = columns.clamped(to: 0..<width)
    let rows = rows.clamped(to: 0..<height)
    guard !columns.isEmpty, !rows.isEmpty else { return }
    paint(ColoredRectangle(columns: columns, rows: rows, color: color))
  }

  /// Draws the outline of a box, `thickness` pixels wide, inside its edges. Edges are rounded to
  /// whole pixels; those outside the image are not drawn. An empty box draws nothing.
  package mutating func drawBox(_ box: Box, color: RGBImage.Color, thickness: Int) {
    guard !box.isEmpty, let left = wholePixel(box.x), let top = wholePixel(box.y),
      let right = wholePixel(box.maxX), let bottom = wholePixel(box.maxY)
    else { return }
    let (columns, rows) = (left..<max(left + 1, right), top..<max(top + 1, bottom))
    let inside = max(1, thickness)
    let horizontal = min(inside, rows.count)
    let vertical = min(inside, columns.count)
    fill(columns: columns, rows: top..<top + horizontal, color: color)
    fill(columns: columns, rows: rows.upperBound - horizontal..<rows.upperBound, color: color)
    fill(columns: left..<left + vertical, rows: rows, color: color)
    fill(columns: columns.upperBound - vertical..<columns.upperBound, rows: rows, color: color)
  }

  /// Draws a filled disc: the pixels whose center is inside.
  package mutating func drawDot(at center: Point, color: RGBImage.Color, diameter: Int) {
    let radius = Float(max(1, diameter)) / 2
    guard let left = wholePixel(center.x - radius), let top = wholePixel(center.y - radius) else {
      return
    }
    let side = max(1, diameter)
    let middle = Float(side - 1) / 2
    for row in 0..<side {
      let vertical = Float(row) - middle
      let half = (radius * radius - vertical * vertical).squareRoot()
      let first = Int((middle - half).rounded(.up))
      let columns = left + max(0, first)..<left + side - max(0, first)
      fill(columns: columns, rows: top + row..<top + row + 1, color: color)
    }
  }

  /// Draws a straight line, `thickness` pixels wide, with round ends.
  package mutating func drawLine(
    from start: Point, to end: Point, color: RGBImage.Color, thickness: Int
  ) {
    for point in points(from: start, to: end, margin: max(1, thickness)) {
      drawDot(at: point, color: color, diameter: thickness)
    }
  }

  /// Blends each pixel under a stroke once, by the stroke's thickness.
  mutating func blend(_ stroke: Stroke) {
    let share = UInt8((max(stroke.thickness, 0) * 255).rounded())
    guard share > 0, let first = stroke.points.first else { return }
    var seen: Set<SIMD2<Int>> = []
    for (start, end) in zip([first] + stroke.points, stroke.points) {
      for point in points(from: start, to: end, margin: 1) {
        guard let x = wholePixel(point.x - 0.5), let y = wholePixel(point.y - 0.5),
          0..<width ~= x, 0..<height ~= y, seen.insert(SIMD2(x, y)).inserted
        else { continue }
        paint(
          ColoredRectangle(columns: x..<x + 1, rows: y..<y + 1, color: stroke.color, share: share))
      }
    }
  }

  /// The points of a line, at most a pixel apart, within `margin` of the image.
  private func points(from start: Point, to end: Point, margin: Int) -> [Point] {
    guard let line = clipped(start, end, margin: Float(margin)) else { return [] }
    let (dx, dy) = (line.end.x - line.start.x, line.end.y - line.start.y)
    let length = max(abs(dx), abs(dy))
    // The ends are so far away that clipping has lost their direction.
    guard length <= Float(2 * (width + height + 2 * margin)) else { return [] }
    let steps = max(1, Int(length.rounded(.up)))
    return (0...steps).map { step in
      let part = Float(step) / Float(steps)
      return Point(x: line.start.x + dx * part, y: line.start.y + dy * part)
    }
  }

  /// The part of a line within `margin` of the image (Liang–Barsky); `nil` if there is none.
  private func clipped(
    _ start: Point, _ end: Point, margin: Float
  ) -> (start: Point, end: Point)? {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    guard dx.isFinite, dy.isFinite, start.x.isFinite, start.y.isFinite else { return nil }
    var (first, last): (Float, Float) = (0, 1)
    for (step, distance) in [
      (-dx, start.x + margin), (dx, Float(width) + margin - start.x),
      (-dy, start.y + margin), (dy, Float(height) + margin - start.y),
    ] {
      if step == 0 {
        guard distance >= 0 else { return nil }
      } else if step < 0 {
        first = max(first, distance / step)
      } else {
        last = min(last, distance / step)
      }
    }
    guard first <= last else { return nil }
    return (
      Point(x: start.x + dx * first, y: start.y + dy * first),
      Point(x: start.x + dx * last, y: start.y + dy * last)
    )
  }

  /// The coordinate rounded to an edge between pixels; `nil` for NaN. Coordinates beyond ±2²⁴ are
  /// clamped.
  private func wholePixel(_ coordinate: Float) -> Int? {
    guard !coordinate.isNaN else { return nil }
    let outside = Float(1 << 24)
    return Int(min(max(coordinate, -outside), outside).rounded())
  }
}
