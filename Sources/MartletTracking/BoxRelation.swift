//===--- BoxRelation.swift - how two boxes of one thing lie to each other -===//
//
// A user draws a box more or less tightly than a detector does. What one is to the other in one frame
// turns the detector's box into the user's in later ones.
//
// Contract  A relation of A to B, applied to B, is A, but for rounding.
// Cost      A few operations.
// Checked   Tests/MartletTrackingTests/BoxRelationTests.swift
//===----------------------------------------------------------------------===//

internal import MartletImage

/// A box's center and sides, in the sides of another box.
struct BoxRelation {
  /// From the other box's center to the box's.
  private let offset: Point
  private let width, height: Float

  /// `nil` if the other box is empty.
  init?(of box: Box, to other: Box) {
    guard !other.isEmpty else { return nil }
    let (center, otherCenter) = (box.center, other.center)
    offset = Point(
      x: (center.x - otherCenter.x) / other.width, y: (center.y - otherCenter.y) / other.height)
    (width, height) = (box.width / other.width, box.height / other.height)
  }

  /// The box that lies to `other` so.
  func box(beside other: Box) -> Box {
    let (width, height) = (width * other.width, height * other.height)
    let center = other.center
    return Box(
      x: center.x + offset.x * other.width - width / 2,
      y: center.y + offset.y * other.height - height / 2, width: width, height: height)
  }
}
