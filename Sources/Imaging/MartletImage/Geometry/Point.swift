//===--- Point.swift - a position in an image -----------------------------===//
//
// Contract  Pixels of the image. The origin is the outer corner of the top left pixel, y grows
//           downwards. So the center of pixel (0, 0) is the point (0.5, 0.5).
//===----------------------------------------------------------------------===//

/// A position in an image, in pixels from its top left corner.
public struct Point: Equatable, Hashable, Sendable {
  /// The distance from the left edge, in pixels.
  public var x: Float
  /// The distance from the top edge, in pixels.
  public var y: Float

  /// A point at (`x`, `y`).
  @inlinable
  public init(x: Float, y: Float) {
    self.x = x
    self.y = y
  }
}
