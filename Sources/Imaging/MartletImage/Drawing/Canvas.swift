//===--- Canvas.swift - what shapes and letters are drawn on --------------===//
//
// Shapes and letters are patches: rectangles of one color. `RGBImage` mixes them with its pixels;
// `Drawing` keeps them for an image that is not in memory as pixels, such as a JPEG file.
//
// Contract  Patches lie inside the canvas. Those drawn later cover those drawn before.
//===----------------------------------------------------------------------===//

/// A patch: a rectangle of one color.
package struct ColoredRectangle: Equatable, Sendable {
  package var columns, rows: Range<Int>
  package var color: RGBImage.Color
  /// The color's share of the new pixels: 255 replaces the old ones.
  package var share: UInt8 = 255

  /// A sample of the patch, mixed with an old one.
  package static func mixed(_ old: UInt8, _ new: UInt8, share: UInt8) -> UInt8 {
    let (old, new, share) = (UInt32(old), UInt32(new), UInt32(share))
    return UInt8(truncatingIfNeeded: (old &* (255 &- share) &+ new &* share &+ 127) / 255)
  }
}

/// Receives the patches of shapes and letters.
package protocol Canvas {
  /// Columns and rows.
  var size: ImageSize { get }
  /// Draws a patch that lies inside the canvas and is not empty.
  mutating func paint(_ patch: ColoredRectangle)
}

extension Canvas {
  var width: Int { size.width }
  var height: Int { size.height }
}

extension RGBImage: Canvas {
  package mutating func paint(_ patch: ColoredRectangle) {
    let (width, color, share) = (width, patch.color, patch.share)
    withMutablePixels { pixels in
      for row in patch.rows {
        for column in patch.columns {
          let start = (row * width + column) * RGBImage.channels
          pixels[start] = ColoredRectangle.mixed(pixels[start], color.red, share: share)
          pixels[start + 1] = ColoredRectangle.mixed(pixels[start + 1], color.green, share: share)
          pixels[start + 2] = ColoredRectangle.mixed(pixels[start + 2], color.blue, share: share)
        }
      }
    }
  }
}

/// Patches in the order in which they are drawn.
package struct Drawing: Canvas, Equatable, Sendable {
  /// The most patches of a drawing, which take about 40 MB.
  private static let patchLimit = 1 << 20

  package private(set) var size: ImageSize
  package private(set) var patches: [ColoredRectangle] = []

  /// A drawing without patches.
  package init(on size: ImageSize) { self.size = size }

  /// The annotations of an upright image of this size. Returns nil if they would enlarge the image,
  /// or if there are too many patches to keep.
  package init?(_ annotations: [Annotation], on size: ImageSize) {
    guard size.legibleFactor == 1 else { return nil }
    self.init(on: size)
    var sides = LabelSides()
    annotate(annotations, keeping: &sides)
    guard patches.count < Self.patchLimit else { return nil }
  }

  /// Concealed boxes on an upright image of this size. Returns nil if there are too many patches to keep.
  ///
  /// - Parameter image: The image's pixels, at any size.
  package init?(
    concealing boxes: [Box], as style: Concealment, of image: RGBImage, on size: ImageSize
  ) {
    self.init(on: size)
    conceal(boxes, as: style, of: image)
    guard patches.count < Self.patchLimit else { return nil }
  }

  package mutating func paint(_ patch: ColoredRectangle) {
    if patches.count < Self.patchLimit { patches.append(patch) }
  }

  /// The drawing on the stored image, which `orientation` makes upright.
  package func stored(_ orientation: ImageOrientation) -> Drawing {
    var drawing = self
    drawing.size = orientation.upright(size)
    let (width, height) = (drawing.size.width, drawing.size.height)
    for index in patches.indices {
      var (columns, rows) = (patches[index].columns, patches[index].rows)
      if orientation.swapsAxes { swap(&columns, &rows) }
      if orientation.mirrorsStoredColumns {
        columns = width - columns.upperBound..<width - columns.lowerBound
      }
      if orientation.mirrorsStoredRows {
        rows = height - rows.upperBound..<height - rows.lowerBound
      }
      (drawing.patches[index].columns, drawing.patches[index].rows) = (columns, rows)
    }
    return drawing
  }
}
