//===--- Object.swift - an object in an image -----------------------------===//
//
// ML Kit's result, and beside it what ML Kit keeps to itself.
//
// Contract  `frame` is in the image as given: pixels of the buffer, origin top left, whatever the
//           orientation, as in ML Kit on iOS. `uprightFrame` is in the image as seen.
// Checked   Tests/MartletTests/ObjectTests.swift
//===----------------------------------------------------------------------===//

public import Foundation
public import MartletVision

/// An object in an image.
public struct Object: Sendable, Hashable {
  /// Where the object is, in pixels of the image as given.
  public let frame: CGRect
  /// What the classifier says, by decreasing confidence; empty where objects are not classified, or no
  /// label passes the threshold.
  public let labels: [ObjectLabel]
  /// What tells the object from others, as `trackingID` does. Beyond ML Kit.
  public let trackingIdentifier: Int?
  /// Where the object is, in pixels of the image turned upright. Beyond ML Kit.
  public let uprightFrame: CGRect
  /// How sure the detector is that there is an object, 0...1. Beyond ML Kit.
  public let score: Float
  /// The coarse category, or `nil` unless the coarse classifier was asked. Beyond ML Kit.
  public let category: CoarseCategory?

  /// What tells the object from others, the same number from frame to frame as long as the object is
  /// followed, never negative and never used again; `nil` unless in `.stream` mode.
  public var trackingID: NSNumber? { trackingIdentifier.map { NSNumber(value: $0) } }

  /// An object with these values, for tests of your own. It lies the same upright, unless
  /// `uprightFrame` says otherwise.
  public init(
    frame: CGRect, trackingID: Int? = nil, labels: [ObjectLabel] = [], score: Float = 1,
    uprightFrame: CGRect? = nil, category: CoarseCategory? = nil
  ) {
    self.frame = frame
    trackingIdentifier = trackingID
    self.labels = labels
    self.score = score
    self.uprightFrame = uprightFrame ?? frame
    self.category = category
  }

  /// Feeds all values into `hasher`.
  public func hash(into hasher: inout Hasher) {
    for frame in [frame, uprightFrame] {
      hasher.combine(frame.origin.x)
      hasher.combine(frame.origin.y)
      hasher.combine(frame.size.width)
      hasher.combine(frame.size.height)
    }
    hasher.combine(labels)
    hasher.combine(trackingIdentifier)
    hasher.combine(score)
    hasher.combine(category)
  }

  /// What was found in the upright image, seen from the image as given.
  init(_ found: DetectedObject, in image: Picture) {
    let stored = image.imageOrientation.stored(found.frame, storedSize: image.size)
    self.init(
      frame: CGRect(stored), trackingID: found.trackingID, labels: found.labels,
      score: found.score, uprightFrame: CGRect(found.frame), category: found.category)
  }
}

extension CGRect {
  /// The same rectangle.
  public init(_ box: Box) {
    self.init(
      x: CGFloat(box.x), y: CGFloat(box.y), width: CGFloat(box.width), height: CGFloat(box.height))
  }
}

extension Box {
  /// The same rectangle, in single precision.
  public init(_ rectangle: CGRect) {
    self.init(
      x: Float(rectangle.origin.x), y: Float(rectangle.origin.y),
      width: Float(rectangle.size.width), height: Float(rectangle.size.height))
  }
}
