//===--- Canvas+Text.swift - text and labels ------------------------------===//
//
// Contract  A label lies entirely inside the image: it is moved, its letters are scaled down, and
//           shorter texts are tried until one fits. Texts are not cut.
// Cost      Text: the pixels of its strokes.
//===----------------------------------------------------------------------===//

extension Canvas {
  /// Draws one line of text whose top left corner is at column `x` of row `y`, in letters of `scale`
  /// times the font's size. Edges are smooth: a pixel that a stroke covers in part is blended.
  package mutating func drawText(
    _ text: String, x: Int, y: Int, color: RGBImage.Color, scale: Int
  ) {
    for (index, character) in text.unicodeScalars.enumerated() {
      let left = x + index * BitmapFont.cellWidth * scale
      guard left < width else { return }
      draw(BitmapFont.strokes(of: character), x: left, y: y, color: color, scale: scale)
    }
  }

  private mutating func draw(
    _ strokes: [FontStroke], x: Int, y: Int, color: RGBImage.Color, scale: Int
  ) {
    let columns = (x..<x + BitmapFont.glyphWidth * scale).clamped(to: 0..<width)
    let rows = (y..<y + BitmapFont.glyphHeight * scale).clamped(to: 0..<height)
    for row in rows {
      var shares = [UInt8](repeating: 0, count: columns.count)
      for stroke in strokes {
        stroke.cover(&shares, from: columns.lowerBound - x, row: row - y, scale: scale)
      }
      var start = 0
      while start < shares.count {
        let share = shares[start]
        let end = shares[start...].firstIndex { $0 != share } ?? shares.count
        let run = columns.lowerBound + start..<columns.lowerBound + end
        if share > 0 {
          paint(ColoredRectangle(columns: run, rows: row..<row + 1, color: color, share: share))
        }
        start = end
      }
    }
  }

  /// Draws the first of these texts that finds a place at a box, on a filled background, and returns
  /// the label's box and its side, a number from 0 to 7; `nil` if none does. A label covers none of
  /// `taken`. It hides none of `boxes` if there is such a place; otherwise it may, unless it must be
  /// small.
  ///
  /// - Parameters:
  ///   - scale: The largest size of letters, as a multiple of the font's; smaller ones are tried.
  ///   - isSmall: Whether the label is at most twice as wide as its box and a third as high, and
  ///     never hides a box.
  ///   - side: The side that is tried first.
  @discardableResult
  package mutating func drawLabel(
    firstOf texts: [String], of box: Box, background: RGBImage.Color, scale: Int,
    avoiding taken: [Box] = [], sparing boxes: [Box] = [], isSmall: Bool = false,
    preferring side: Int? = nil
  ) -> (box: Box, side: Int)? {
    let visible = box.clipped(toWidth: Float(width), height: Float(height))
    guard !visible.isEmpty else { return nil }
    for text in texts where !text.isEmpty {
      for scale in stride(from: scale, to: 0, by: -1) {
        let label = Label(text: text, scale: scale)
        guard label.width <= width, label.height <= height, !isSmall || label.isSmall(beside: box)
        else { continue }
        let all = places(for: label, of: visible)
        let free = (all.filter { $0.side == side } + all.filter { $0.side != side }).filter {
          place in taken.allSatisfy { place.box.intersection($0).isEmpty }
        }
        let clear = free.first { place in boxes.allSatisfy { !place.box.hides($0) } }
        guard let place = clear ?? (isSmall ? nil : free.first) else { continue }
        draw(label, in: place.box, background: background)
        return place
      }
    }
    return nil
  }

  private mutating func draw(_ label: Label, in place: Box, background: RGBImage.Color) {
    let (left, top) = (Int(place.x), Int(place.y))
    fill(
      columns: left..<left + label.width, rows: top..<top + label.height, color: background)
    drawText(
      label.text, x: left + label.scale, y: top + label.scale,
      color: background.readableColor, scale: label.scale)
  }

  /// The places for a label of a box, the preferred one first: at its left edge, then at its right.
  private func places(for label: Label, of box: Box) -> [(box: Box, side: Int)] {
    let last = width - label.width
    let columns = [Int(box.x.rounded()), Int(box.maxX.rounded()) - label.width]
    let rows = rows(of: label.height, at: box)
    return columns.enumerated().flatMap { column, left in
      rows.enumerated().compactMap { row, top in
        guard 0...max(0, height - label.height) ~= top else { return nil }
        let place = Box(
          x: Float(max(0, min(left, last))), y: Float(top), width: Float(label.width),
          height: Float(label.height))
        return (place, column * rows.count + row)
      }
    }
  }

  /// The first rows for a label of a box, the preferred one first: above the box or below its upper
  /// edge, then below the box or above its lower edge. Some may be outside the image.
  private func rows(of labelHeight: Int, at box: Box) -> [Int] {
    let last = max(0, height - labelHeight)
    let (upper, lower) = (Int(box.y.rounded()), Int(box.maxY.rounded()))
    return [upper - labelHeight, min(upper, last), lower, max(0, lower - labelHeight)]
  }
}

extension Box {
  /// Whether this covers more than 1/20 of a box.
  fileprivate func hides(_ box: Box) -> Bool { intersection(box).area > box.area / 20 }
}

/// A label's text and its scale.
private struct Label {
  let text: String
  let scale: Int

  /// Whether the label is at most twice as wide as a box and a third as high.
  func isSmall(beside box: Box) -> Bool {
    Float(width) <= 2 * box.width && Float(height) <= box.height / 3
  }

  /// One cell per character, plus one column before the first.
  var width: Int { (text.unicodeScalars.count * BitmapFont.cellWidth + 1) * scale }
  /// One cell, plus one row above the letters.
  var height: Int { (BitmapFont.cellHeight + 1) * scale }
}

extension RGBImage.Color {
  /// Black or white, whichever contrasts more with the color (luma of ITU-R BT.601).
  fileprivate var readableColor: RGBImage.Color {
    let luma = 299 * Int(red) + 587 * Int(green) + 114 * Int(blue)
    let level: UInt8 = luma > 127_500 ? 0 : 255
    return RGBImage.Color(red: level, green: level, blue: level)
  }
}
