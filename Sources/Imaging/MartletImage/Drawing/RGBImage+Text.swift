//===--- RGBImage+Text.swift - text and labels ----------------------------===//
//
// Contract  A label lies entirely inside the image: it is moved, and its text is scaled down, then
//           shortened, until it fits. In an image smaller than one letter, the label is clipped.
// Cost      The label's pixels.
// Checked   Tests/MartletImageTests/TextTests.swift
//===----------------------------------------------------------------------===//

extension RGBImage {
  /// Draws one line of text whose top left corner is at column `x` of row `y`. Every pixel of the
  /// font becomes a square of `scale` pixels.
  package mutating func drawText(_ text: String, x: Int, y: Int, color: Color, scale: Int) {
    for (index, character) in text.unicodeScalars.enumerated() {
      let left = x + index * BitmapFont.cellWidth * scale
      guard left < width else { return }
      for (row, bits) in BitmapFont.rows(of: character).enumerated() {
        let top = y + row * scale
        for column in 0..<BitmapFont.glyphWidth where bits >> UInt8(4 - column) & 1 == 1 {
          let start = left + column * scale
          fill(columns: start..<start + scale, rows: top..<top + scale, color: color)
        }
      }
    }
  }

  /// Draws text on a filled background at the left edge of a box. It is placed above the box, or
  /// below its upper edge if there is no room. If that would cover a box of `taken`, a free place
  /// at the lower edge is used if there is one. Returns the label's box; `nil` if the text is empty
  /// or the box is outside the image.
  @discardableResult
  package mutating func drawLabel(
    _ text: String, of box: Box, background: Color, scale: Int, avoiding taken: [Box] = []
  ) -> Box? {
    let visible = box.clipped(toWidth: Float(width), height: Float(height))
    guard !text.isEmpty, !visible.isEmpty else { return nil }
    let label = Label(text, fitting: width, scale: scale)
    let places = places(for: label, of: visible)
    let place = places.first { $0.isClear(of: taken) } ?? places[0]
    draw(label, in: place, background: background)
    return place
  }

  /// Draws the first of these texts that fits near a box, in the largest letters up to `scale`. The
  /// label must not cover any of `taken` nor hide any of `boxes`. It is at most twice as wide as
  /// its box and a third as high. Returns the label's box; `nil` if nothing fits.
  package mutating func drawLabel(
    firstOf texts: [String], of box: Box, background: Color, scale: Int, avoiding taken: [Box],
    sparing boxes: [Box]
  ) -> Box? {
    let visible = box.clipped(toWidth: Float(width), height: Float(height))
    guard !visible.isEmpty else { return nil }
    for text in texts where !text.isEmpty {
      for scale in stride(from: scale, to: 0, by: -1) {
        let label = Label(text, scale: scale)
        guard label.width <= width, Float(label.width) <= 2 * box.width,
          Float(label.height) <= box.height / 3
        else { continue }
        let place = places(for: label, of: visible).first { place in
          place.isClear(of: taken) && boxes.allSatisfy { !place.hides($0) }
        }
        guard let place else { continue }
        draw(label, in: place, background: background)
        return place
      }
    }
    return nil
  }

  private mutating func draw(_ label: Label, in place: Box, background: Color) {
    let (left, top) = (Int(place.x), Int(place.y))
    fill(
      columns: left..<left + label.width, rows: top..<top + label.height, color: background)
    drawText(
      label.text, x: left + label.scale, y: top + label.scale,
      color: background.readableColor, scale: label.scale)
  }

  /// The places for a label of a box, the preferred one first.
  private func places(for label: Label, of box: Box) -> [Box] {
    let left = max(0, min(Int(box.x.rounded()), width - label.width))
    return rows(of: label.height, at: box).map { top in
      Box(
        x: Float(left), y: Float(top), width: Float(label.width), height: Float(label.height))
    }
  }

  /// The first rows for a label of a box, the preferred one first: above the box or below its upper
  /// edge, then below the box or above its lower edge.
  private func rows(of labelHeight: Int, at box: Box) -> [Int] {
    let last = max(0, height - labelHeight)
    let (upper, lower) = (Int(box.y.rounded()), Int(box.maxY.rounded()))
    let rows = [upper - labelHeight, min(upper, last), lower, max(0, lower - labelHeight)]
    return rows.filter { $0 >= 0 && $0 <= last }
  }
}

extension Box {
  fileprivate func isClear(of others: [Box]) -> Bool {
    others.allSatisfy { intersection($0).isEmpty }
  }

  /// Whether this covers more than 1/20 of a box.
  fileprivate func hides(_ box: Box) -> Bool { intersection(box).area > box.area / 20 }
}

/// A label's text and its scale.
private struct Label {
  let text: String
  let scale: Int

  init(_ text: String, scale: Int) {
    self.text = text
    self.scale = scale
  }

  /// The text at the given scale, or at the largest smaller one that fits. If it does not fit at
  /// scale 1, it is shortened.
  init(_ text: String, fitting width: Int, scale: Int) {
    let count = text.unicodeScalars.count
    let fitting = width / (count * BitmapFont.cellWidth + 1)
    self.scale = max(1, min(scale, fitting))
    let room = max(1, (width - 1) / BitmapFont.cellWidth)
    guard fitting < 1, room < count else {
      self.text = text
      return
    }
    var shortened = ""
    shortened.unicodeScalars.append(contentsOf: text.unicodeScalars.prefix(max(1, room - 2)))
    self.text = room > 2 ? shortened + ".." : shortened
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
