//===--- ResizeTap.swift - bilinear resizing ------------------------------===//
//
// Arguments of a row of a resized image. Each pixel is the weighted mean of four, two in the row
// above its position and two in the row below.
//===----------------------------------------------------------------------===//

/// The two pixels around a position along an axis, and the distance from the first.
@usableFromInline
package struct ResizeTap<Weight: Sendable>: Sendable {
  /// The offsets in elements from the start of the row, or of the image.
  @usableFromInline package let lower, upper: Int
  @usableFromInline package let weight: Weight

  @inlinable @inline(__always)
  package init(lower: Int, upper: Int, weight: Weight) {
    self.lower = lower
    self.upper = upper
    self.weight = weight
  }
}

/// Arguments that compute a row of outputs.
@usableFromInline
package struct BilinearRow<Element, Weight: Sendable> {
  /// The rows above and below.
  @usableFromInline package let above, below: UnsafePointer<Element>
  /// The distance from the row above.
  @usableFromInline package let down: Weight
  /// The taps of each output.
  @usableFromInline package let columns: UnsafePointer<ResizeTap<Weight>>
  /// The number of outputs.
  @usableFromInline package let count: Int
  /// The number of channels.
  @usableFromInline package let depth: Int
  @usableFromInline package let y: UnsafeMutablePointer<Element>

  @inlinable @inline(__always)
  package init(
    above: UnsafePointer<Element>, below: UnsafePointer<Element>, down: Weight,
    columns: UnsafePointer<ResizeTap<Weight>>, count: Int, depth: Int,
    y: UnsafeMutablePointer<Element>
  ) {
    self.above = above
    self.below = below
    self.down = down
    self.columns = columns
    self.count = count
    self.depth = depth
    self.y = y
  }
}

/// Arguments that interpolate a row of four-byte pixels to floats.
@usableFromInline
package struct Uint8BilinearPixels {
  /// The rows above and below.
  @usableFromInline package let above, below: UnsafePointer<UInt8>
  /// The distance from the row above.
  @usableFromInline package let down: Float
  /// The taps of each pixel, padded to a multiple of four.
  @usableFromInline package let columns: UnsafePointer<ResizeTap<Float>>
  /// The number of pixels.
  @usableFromInline package let count: Int
  /// Four floats per pixel, with room for a multiple of four pixels.
  @usableFromInline package let y: UnsafeMutablePointer<Float>

  @inlinable @inline(__always)
  package init(
    above: UnsafePointer<UInt8>, below: UnsafePointer<UInt8>, down: Float,
    columns: UnsafePointer<ResizeTap<Float>>, count: Int, y: UnsafeMutablePointer<Float>
  ) {
    self.above = above
    self.below = below
    self.down = down
    self.columns = columns
    self.count = count
    self.y = y
  }
}

/// Arguments that interpolate four-byte pixels to floats at even steps along a line of any slope.
/// Positions outside the image repeat its edge.
@usableFromInline
package struct Uint8SlopePixels {
  /// The image: rows of pixels without gaps, below 2 GiB.
  @usableFromInline package let pixels: UnsafePointer<UInt8>
  @usableFromInline package let width, height: Int
  /// The position of the first pixel; (0, 0) is the center of the image's first pixel.
  @usableFromInline package let startX, startY: Float
  /// The step from one pixel to the next.
  @usableFromInline package let stepX, stepY: Float
  /// The number of pixels.
  @usableFromInline package let count: Int
  /// Four floats per pixel, with room for a multiple of four pixels.
  @usableFromInline package let y: UnsafeMutablePointer<Float>

  @inlinable @inline(__always)
  package init(
    pixels: UnsafePointer<UInt8>, width: Int, height: Int, startX: Float, startY: Float,
    stepX: Float, stepY: Float, count: Int, y: UnsafeMutablePointer<Float>
  ) {
    self.pixels = pixels
    self.width = width
    self.height = height
    self.startX = startX
    self.startY = startY
    self.stepX = stepX
    self.stepY = stepY
    self.count = count
    self.y = y
  }
}
