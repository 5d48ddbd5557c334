//===--- Box.swift - an upright rectangle in an image ---------------------===//
//
// The only floating-point rectangle of the package: for detections, tracks, crops and drawing.
//
// Contract  Pixels of the image, origin top left, y downwards; covers [x, x + width) × [y, y +
//           height). A box whose width or height is not above zero (or is NaN) is empty and has
//           area zero.
// Cost      Every operation is a few float instructions; no allocation.
//===----------------------------------------------------------------------===//

/// An upright rectangle in an image, in pixels, origin top left.
///
/// ```swift
/// let box = Box(x: 10, y: 20, width: 100, height: 50)
/// let other = Box(x: 60, y: 20, width: 100, height: 50)
/// print(box.intersection(other).area, box.intersectionOverUnion(with: other))  // 2500 and 1/3
/// ```
public struct Box: Equatable, Hashable, Sendable {
  /// The left edge.
  public var x: Float
  /// The top edge.
  public var y: Float
  /// The distance from the left edge to the right one.
  public var width: Float
  /// The distance from the top edge to the bottom one.
  public var height: Float

  /// A box with its top left corner at (`x`, `y`).
  @inlinable
  public init(x: Float, y: Float, width: Float, height: Float) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The box between two corners; empty if a maximum is below its minimum.
  @inlinable
  public init(minX: Float, minY: Float, maxX: Float, maxY: Float) {
    self.init(x: minX, y: minY, width: maxX - minX, height: maxY - minY)
  }

  /// The box of the given size around `center`.
  @inlinable
  public init(center: Point, width: Float, height: Float) {
    self.init(x: center.x - width / 2, y: center.y - height / 2, width: width, height: height)
  }
}

// MARK: - Measures

extension Box {
  /// The right edge.
  @inlinable public var maxX: Float { x + width }

  /// The bottom edge.
  @inlinable public var maxY: Float { y + height }

  /// The center of the box.
  @inlinable public var center: Point { Point(x: x + width / 2, y: y + height / 2) }

  /// Whether width or height is not above zero.
  @inlinable public var isEmpty: Bool { !(width > 0 && height > 0) }

  /// Width times height; 0 if the box is empty.
  @inlinable public var area: Float { isEmpty ? 0 : width * height }

  /// Whether the box contains `point`; the right and bottom edges are excluded.
  @inlinable
  public func contains(_ point: Point) -> Bool {
    point.x >= x && point.x < maxX && point.y >= y && point.y < maxY
  }
}

// MARK: - Combining

extension Box {
  /// The area that both boxes cover; empty, with sides of at least 0, if they do not overlap.
  @inlinable
  public func intersection(_ other: Box) -> Box {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    return Box(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
  }

  /// The share of this box's area that is inside the other one, 0...1; 0 if this box is empty.
  package func share(inside other: Box) -> Float {
    let area = area
    return area > 0 ? intersection(other).area / area : 0
  }

  /// The smallest box that contains both. An empty box is ignored.
  @inlinable
  public func union(_ other: Box) -> Box {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return Box(
      minX: min(x, other.x), minY: min(y, other.y),
      maxX: max(maxX, other.maxX), maxY: max(maxY, other.maxY))
  }

  /// The Jaccard index: the area of the intersection divided by that of the union, 0...1.
  ///
  /// Zero if either box is empty.
  @inlinable
  public func intersectionOverUnion(with other: Box) -> Float {
    if isEmpty || other.isEmpty { return 0 }
    let shared = intersection(other).area
    if shared == 0 { return 0 }
    // Edges are rounded sums, so the intersection may be an ulp larger than a box.
    return min(1, shared / (area + other.area - shared))
  }
}

// MARK: - Transforming

extension Box {
  /// The part of the box inside an image of the given size.
  ///
  /// For integral sizes below 2^23, `maxX` and `maxY` do not exceed them: the rounding errors of
  /// edge plus difference are below half the distance to the next float, and ties go to the even
  /// one.
  @inlinable
  public func clipped(toWidth imageWidth: Float, height imageHeight: Float) -> Box {
    intersection(Box(x: 0, y: 0, width: imageWidth, height: imageHeight))
  }

  /// The box with horizontal and vertical coordinates multiplied by these factors.
  @inlinable
  public func scaled(_ horizontal: Float, _ vertical: Float) -> Box {
    Box(
      x: x * horizontal, y: y * vertical,
      width: width * horizontal, height: height * vertical)
  }

  /// The box moved by (`dx`, `dy`).
  @inlinable
  public func offset(x dx: Float, y dy: Float) -> Box {
    Box(x: x + dx, y: y + dy, width: width, height: height)
  }

  /// The box with the same center and `factor` times the width and height.
  @inlinable
  public func expanded(by factor: Float) -> Box {
    Box(center: center, width: width * factor, height: height * factor)
  }
}
