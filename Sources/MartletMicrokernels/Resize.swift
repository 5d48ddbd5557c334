//===--- Resize.swift - arguments of bilinear resizing --------------------===//
//
// A row of a resized image: each pixel is the weighted mean of four, two of the row above its place and
// two of the row below.
//
// Checked   Tests/MartletKernelsTests/BilinearResizeTests.swift
//===----------------------------------------------------------------------===//

/// The two pixels around a place along an axis, and how far it is from the first.
@usableFromInline
package struct ResizeTap<Weight: Sendable>: Sendable {
  /// The distances in elements from the beginning of the row, or of the image.
  @usableFromInline package let lower, upper: Int
  @usableFromInline package let weight: Weight

  @inlinable @inline(__always)
  package init(lower: Int, upper: Int, weight: Weight) {
    self.lower = lower
    self.upper = upper
    self.weight = weight
  }
}

/// A row of outputs.
@usableFromInline
package struct BilinearRow<Element, Weight: Sendable> {
  /// The rows on either side.
  @usableFromInline package let above, below: UnsafePointer<Element>
  /// How far it is from the first.
  @usableFromInline package let down: Weight
  /// A place for each output.
  @usableFromInline package let columns: UnsafePointer<ResizeTap<Weight>>
  /// The outputs.
  @usableFromInline package let count: Int
  /// The channels.
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

/// A row of pixels of four bytes between others, as floats.
@usableFromInline
package struct Uint8BilinearPixels {
  /// The rows on either side.
  @usableFromInline package let above, below: UnsafePointer<UInt8>
  /// How far it is from the first.
  @usableFromInline package let down: Float
  /// A place for each pixel, filled up to a multiple of four.
  @usableFromInline package let columns: UnsafePointer<ResizeTap<Float>>
  /// The pixels.
  @usableFromInline package let count: Int
  /// Four floats a pixel, with room for a multiple of four pixels.
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

/// Pixels of four bytes at even steps along a slope, between others, as floats. What lies outside the image
/// repeats its edge.
@usableFromInline
package struct Uint8SlopePixels {
  /// The image, rows of pixels without gaps, below 2 GiB.
  @usableFromInline package let pixels: UnsafePointer<UInt8>
  @usableFromInline package let width, height: Int
  /// Where the first pixel is, the middle of the image's first pixel being (0, 0).
  @usableFromInline package let startX, startY: Float
  /// From one pixel to the next.
  @usableFromInline package let stepX, stepY: Float
  /// The pixels.
  @usableFromInline package let count: Int
  /// Four floats a pixel, with room for a multiple of four pixels.
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
