//===--- BoxRelation.swift - relation of two boxes ------------------------===//
//
// A user draws a box more or less tightly than a detector. The relation of both boxes in one frame
// converts the detector's box into the user's box in later frames.
//
// Contract  The relation of A to B, applied to B, is A up to rounding.
// Cost      A few operations.
//===----------------------------------------------------------------------===//

internal import MartletImage

/// The center and sides of a box, in units of another box's sides.
struct BoxRelation {
  /// From the other box's center to this box's center.
  private let offset: Point
  private let width, height: Float

  /// The intersection over union of both boxes.
  var overlap: Float {
    Box(center: offset, width: width, height: height).intersectionOverUnion(
      with: Box(center: Point(x: 0, y: 0), width: 1, height: 1))
  }

  /// Returns `nil` if the other box is empty.
  init?(of box: Box, to other: Box) {
    guard !other.isEmpty else { return nil }
    let (center, otherCenter) = (box.center, other.center)
    offset = Point(
      x: (center.x - otherCenter.x) / other.width, y: (center.y - otherCenter.y) / other.height)
    (width, height) = (box.width / other.width, box.height / other.height)
  }

  /// Returns the box that has this relation to `other`.
  func box(beside other: Box) -> Box {
    let (width, height) = (width * other.width, height * other.height)
    let center = other.center
    return Box(
      x: center.x + offset.x * other.width - width / 2,
      y: center.y + offset.y * other.height - height / 2, width: width, height: height)
  }
}
