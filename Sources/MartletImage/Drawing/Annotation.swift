//===--- Annotation.swift - marks on an image -----------------------------===//
//
// Contract  Line widths and letters grow with the image's shorter side. All
//           boxes are drawn before all strokes, and these before all labels,
//           each in the order given, so no line crosses a label; a label stays
//           clear of the ones before it where it can. An image too small for
//           letters is drawn larger.
// Checked   Tests/MartletImageTests/AnnotationTests.swift
//===----------------------------------------------------------------------===//

/// A box with a text, in one of the palette's colors, and strokes in colors of their own.
package struct Annotation: Equatable, Sendable {
  package var box: Box
  /// What the label says; no label if it is empty.
  package var text: String
  /// Which color; annotations of equal index look alike.
  package var colorIndex: Int
  /// Lines and dots beside the box.
  package var strokes: [Stroke] = []
  /// What the label of a box says that is too small for `text`. An annotation that has this gives way to
  /// the image: the outline of a small box is thin, and no label is drawn where it would hide a box.
  package var shortText: String?

  package init(box: Box, text: String = "", colorIndex: Int = 0) {
    self.box = box
    self.text = text
    self.colorIndex = colorIndex
  }
}

/// Points joined by straight lines; a point alone is a dot.
package struct Stroke: Equatable, Sendable {
  package var points: [Point]
  package var color: RGBImage.Color
  /// In pixels, at least 1.
  package var thickness: Float

  package init(_ points: [Point], _ color: RGBImage.Color, thickness: Float) {
    self.points = points
    self.color = color
    self.thickness = thickness
  }
}

extension Annotation {
  /// The annotation for the image with each pixel drawn `factor` times to each side.
  fileprivate func enlarged(by factor: Float) -> Annotation {
    var larger = self
    larger.box = box.scaled(factor, factor)
    for index in strokes.indices {
      larger.strokes[index].points = strokes[index].points.map {
        Point(x: $0.x * factor, y: $0.y * factor)
      }
      larger.strokes[index].thickness *= factor
    }
    return larger
  }

  /// The width of the box's outline, in an image whose lines are as thick as this.
  fileprivate func thickness(of lines: Int) -> Int {
    guard shortText != nil else { return lines }
    let share = min(box.width, box.height) / 50
    return share > 1 ? Int(min(share, Float(lines))) : 1
  }
}

extension RGBImage {
  /// The width of lines that suits the image.
  package var lineThickness: Int { max(1, (min(width, height) + 100) / 200) }

  /// The size of letters that suits the image, as a multiple of the font's.
  package var textScale: Int { max(1, (min(width, height) + 150) / 300) }

  /// Draws boxes, strokes and labels.
  package mutating func annotate(_ annotations: [Annotation]) {
    for annotation in annotations {
      drawBox(
        annotation.box, color: .palette(annotation.colorIndex),
        thickness: annotation.thickness(of: lineThickness))
    }
    for stroke in annotations.flatMap({ $0.strokes }) { draw(stroke) }
    let boxes = annotations.map { $0.box }
    var labels: [Box] = []
    for annotation in annotations {
      let color = Color.palette(annotation.colorIndex)
      let label =
        if let short = annotation.shortText {
          drawLabel(
            firstOf: [annotation.text, short], of: annotation.box, background: color,
            scale: textScale, avoiding: labels, sparing: boxes)
        } else {
          drawLabel(
            annotation.text, of: annotation.box, background: color, scale: textScale,
            avoiding: labels)
        }
      if let label { labels.append(label) }
    }
  }

  private mutating func draw(_ stroke: Stroke) {
    guard stroke.thickness.magnitude < Float(width + height) else { return }
    let thickness = max(1, Int(stroke.thickness.rounded()))
    if let only = stroke.points.first, stroke.points.count == 1 {
      drawDot(at: only, color: stroke.color, diameter: thickness)
    }
    for (start, end) in zip(stroke.points, stroke.points.dropFirst()) {
      drawLine(from: start, to: end, color: stroke.color, thickness: thickness)
    }
  }

  /// The image with boxes, strokes and labels; where labels would hide it, each pixel is drawn several
  /// times.
  package func annotated(_ annotations: [Annotation]) -> RGBImage {
    let factor = legibleFactor
    var image = enlarged(by: factor)
    image.annotate(annotations.map { $0.enlarged(by: Float(factor)) })
    return image
  }

  /// How often each pixel is drawn: as often as brings a side under 100 pixels to 200, but no image
  /// beyond four million pixels.
  private var legibleFactor: Int {
    let side = min(width, height)
    guard side < 100 else { return 1 }
    var factor = (199 + side) / side
    let longest = max(width, height)
    while factor > 1,
      size.pixelCount * factor * factor > 1 << 22 || longest * factor > ImageLimits.maximumSide
    { factor -= 1 }
    return factor
  }
}

extension RGBImage.Color {
  /// A bright color for an index. Neighboring indices are far apart; there are twelve colors.
  package static func palette(_ index: Int) -> RGBImage.Color {
    let remainder = index % colors.count
    let color = colors[remainder < 0 ? remainder + colors.count : remainder]
    return RGBImage.Color(
      red: UInt8(color >> 16 & 255), green: UInt8(color >> 8 & 255), blue: UInt8(color & 255))
  }

  private static let colors: [UInt32] = [
    0x00E0_40, 0xFF30_30, 0x30A0_FF, 0xFFE0_00, 0xE040_FF, 0x00E0_E0,
    0xFF90_20, 0x8060_FF, 0xB0F0_20, 0xFF60_B0, 0x00A0_80, 0xC0C0_C0,
  ]
}
