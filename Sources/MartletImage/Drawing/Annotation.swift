//===--- Annotation.swift - marks on a picture ----------------------------===//
//
// Contract  Line widths and letters grow with the image's shorter side. All
//           boxes are drawn before all labels, each in the order given, so no
//           outline crosses a label; a label stays clear of the ones before it
//           where it can. An image too small for letters is drawn larger.
// Checked   Tests/MartletImageTests/AnnotationTests.swift
//===----------------------------------------------------------------------===//

/// A box with a text, in one of the palette's colours.
package struct Annotation: Equatable, Sendable {
  package var box: Box
  /// What the label says; no label if it is empty.
  package var text: String
  /// Which colour; annotations of equal index look alike.
  package var colorIndex: Int

  package init(box: Box, text: String = "", colorIndex: Int = 0) {
    self.box = box
    self.text = text
    self.colorIndex = colorIndex
  }
}

extension RGBImage {
  /// The width of lines that suits the image.
  package var lineThickness: Int { max(1, (min(width, height) + 100) / 200) }

  /// The size of letters that suits the image, as a multiple of the font's.
  package var textScale: Int { max(1, (min(width, height) + 150) / 300) }

  /// Draws boxes and their labels.
  package mutating func annotate(_ annotations: [Annotation]) {
    for annotation in annotations {
      drawBox(
        annotation.box, color: .palette(annotation.colorIndex), thickness: lineThickness)
    }
    var labels: [Box] = []
    for annotation in annotations {
      let label = drawLabel(
        annotation.text, of: annotation.box, background: .palette(annotation.colorIndex),
        scale: textScale, avoiding: labels)
      if let label { labels.append(label) }
    }
  }

  /// The image with boxes and their labels; where labels would hide it, each pixel is drawn several
  /// times.
  package func annotated(_ annotations: [Annotation]) -> RGBImage {
    let factor = legibleFactor
    var image = enlarged(by: factor)
    let scale = Float(factor)
    image.annotate(
      annotations.map { annotation in
        var larger = annotation
        larger.box = Box(
          x: annotation.box.x * scale, y: annotation.box.y * scale,
          width: annotation.box.width * scale, height: annotation.box.height * scale)
        return larger
      })
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
  /// A bright colour for an index. Neighbouring indices are far apart; there are twelve colours.
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
