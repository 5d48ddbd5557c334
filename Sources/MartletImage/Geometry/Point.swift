//===--- Point.swift - a position in an image -----------------------------===//
//
// Contract  Pixels of the image that it speaks of; the origin is the outer
//           corner of the top left pixel, y grows downwards. The center of
//           pixel (0, 0) is therefore the point (0.5, 0.5).
// Checked   Tests/MartletImageTests/ImageOrientationTests.swift
//===----------------------------------------------------------------------===//

/// A position in an image, in pixels from its top left corner.
public struct Point: Equatable, Hashable, Sendable {
  /// Distance from the left edge.
  public var x: Float
  /// Distance from the top edge.
  public var y: Float

  /// A point at (`x`, `y`).
  @inlinable
  public init(x: Float, y: Float) {
    self.x = x
    self.y = y
  }
}
