//===--- Annotation.swift - boxes and labels on an image ------------------===//
//
// Contract  Line widths and letters scale with the image's shorter side. Boxes are drawn first,
//           then strokes, then labels, each in the order passed, so no line crosses a label. No
//           label covers another. An image too small for letters is enlarged first. In a video, a
//           label stays on its side of the box while there is a place for it.
//===----------------------------------------------------------------------===//

/// A box with a label in a palette color, and strokes in colors of their own.
package struct Annotation: Equatable, Sendable {
  package var box: Box
  /// Texts for the label, the preferred one first. The first that finds a place is drawn; none if
  /// the list is empty or none finds one.
  package var texts: [String]
  /// The index of the palette color; see `RGBImage.Color.palette`.
  package var colorIndex: Int
  /// Lines and dots drawn besides the box.
  package var strokes: [Stroke] = []
  /// Whether the image has priority: a small box gets a thin outline, and a label is small beside
  /// its box and hides no box.
  package var isDiscreet = false

  package init(box: Box, texts: [String] = [], colorIndex: Int = 0) {
    self.box = box
    self.texts = texts
    self.colorIndex = colorIndex
  }
}

/// Points connected by straight lines; a single point is a dot.
package struct Stroke: Equatable, Sendable {
  package var points: [Point]
  package var color: RGBImage.Color
  /// The width in pixels. A stroke thinner than a pixel is blended with the image.
  package var thickness: Float

  package init(_ points: [Point], _ color: RGBImage.Color, thickness: Float) {
    self.points = points
    self.color = color
    self.thickness = thickness
  }
}

extension Annotation {
  /// The annotation in coordinates of the image enlarged by `factor`.
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

  /// The width of the box's outline if lines in the image are `lines` pixels wide.
  fileprivate func thickness(of lines: Int) -> Int {
    guard isDiscreet else { return lines }
    let share = min(box.width, box.height) / 50
    return share > 1 ? Int(min(share, Float(lines))) : 1
  }
}

extension Canvas {
  /// The default line width for the image's size, in pixels.
  package var lineThickness: Int { max(1, (min(width, height) + 100) / 200) }

  /// The default text scale for the image's size, as a multiple of the font's pixels.
  package var textScale: Int { max(1, (min(width, height) + 150) / 300) }

  /// Draws all boxes, then all strokes, then all labels, these if possible on the sides of their boxes
  /// in `sides`, which become the new ones.
  package mutating func annotate(_ annotations: [Annotation], keeping sides: inout LabelSides) {
    for annotation in annotations {
      drawBox(
        annotation.box, color: .palette(annotation.colorIndex),
        thickness: annotation.thickness(of: lineThickness))
    }
    for stroke in annotations.flatMap({ $0.strokes }) { draw(stroke) }
    let boxes = annotations.map { $0.box }
    var labels: [Box] = []
    var newSides = LabelSides()
    for annotation in annotations {
      let label = drawLabel(
        firstOf: annotation.texts, of: annotation.box,
        background: .palette(annotation.colorIndex), scale: textScale, avoiding: labels,
        sparing: boxes, isSmall: annotation.isDiscreet,
        preferring: sides.byColorIndex[annotation.colorIndex])
      if let label {
        labels.append(label.box)
        newSides.byColorIndex[annotation.colorIndex] = label.side
      }
    }
    sides = newSides
  }

  private mutating func draw(_ stroke: Stroke) {
    guard stroke.thickness.magnitude < Float(width + height) else { return }
    if stroke.thickness < 1 {
      blend(stroke)
      return
    }
    let thickness = Int(stroke.thickness.rounded())
    if let only = stroke.points.first, stroke.points.count == 1 {
      drawDot(at: only, color: stroke.color, diameter: thickness)
    }
    for (start, end) in zip(stroke.points, stroke.points.dropFirst()) {
      drawLine(from: start, to: end, color: stroke.color, thickness: thickness)
    }
  }
}

/// The sides of their boxes on which labels were drawn in the frame before, by the index of the palette
/// color, which is a track's identifier.
package struct LabelSides {
  fileprivate var byColorIndex: [Int: Int] = [:]

  package init() {}
}

extension RGBImage {
  /// The annotated image. If its shorter side is under 100 pixels it is enlarged first, so that
  /// labels do not hide it.
  package func annotated(_ annotations: [Annotation]) -> RGBImage {
    var sides = LabelSides()
    return annotated(annotations, keeping: &sides)
  }

  /// The annotated frame of a video, with labels if possible on the same sides as in the one before.
  package func annotated(_ annotations: [Annotation], keeping sides: inout LabelSides) -> RGBImage {
    let factor = size.legibleFactor
    var image = enlarged(by: factor)
    image.annotate(annotations.map { $0.enlarged(by: Float(factor)) }, keeping: &sides)
    return image
  }
}

extension ImageSize {
  /// The factor by which the image is enlarged before drawing: it brings a side under 100 pixels to
  /// at least 200, but the image to at most 2²² pixels.
  var legibleFactor: Int {
    let side = min(width, height)
    guard side < 100 else { return 1 }
    var factor = (199 + side) / side
    let longest = max(width, height)
    while factor > 1,
      factor * factor > (1 << 22) / pixelCount || longest * factor > ImageLimits.maximumSide
    { factor -= 1 }
    return factor
  }
}

extension RGBImage.Color {
  /// A bright color for an index, which may be any integer. Neighboring indices differ clearly;
  /// there are twelve colors.
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
