//===--- Object.swift - an object in an image -----------------------------===//
//
// ML Kit's result, with further values.
//
// Contract  `frame` is in the stored image: pixels of the buffer, origin top left, whatever the
//           orientation, as in ML Kit on iOS. `uprightFrame` is in the upright image.
//===----------------------------------------------------------------------===//

public import Foundation
public import MartletVision

/// An object in an image.
public struct Object: Sendable, Hashable {
  /// The bounding box of the object, in pixels of the stored image.
  public let frame: CGRect
  /// The labels by decreasing confidence; empty if objects are not classified or no label passes
  /// the threshold.
  public let labels: [ObjectLabel]
  /// The tracking identifier as an integer; `nil` unless in `.stream` mode. Beyond ML Kit.
  public let trackingIdentifier: Int?
  /// The bounding box of the object, in pixels of the upright image. Beyond ML Kit.
  public let uprightFrame: CGRect
  /// The probability that there is an object, 0...1. Beyond ML Kit.
  public let score: Float
  /// The coarse category; `nil` unless the coarse classifier ran. Beyond ML Kit.
  public let category: CoarseCategory?
  /// Everyday names by decreasing confidence, at most ``FineLabeler/maximumLabelCount``, each with at
  /// least ``FineLabeler/minimumConfidence``. If no name has ``FineLabeler/shownConfidence``, a
  /// hypernym that has it is the first. An empty array means that nothing is that sure; `nil` unless
  /// the options enable fine labels and the classifier ran. Beyond ML Kit.
  public let fineLabels: [ObjectLabel]?

  /// The tracking identifier: the same number in each frame while the object is tracked, never
  /// negative and never reused; `nil` unless in `.stream` mode.
  public var trackingID: NSNumber? { trackingIdentifier.map { NSNumber(value: $0) } }

  /// An object with these values, for your own tests. `uprightFrame` is `frame` by default.
  public init(
    frame: CGRect, trackingID: Int? = nil, labels: [ObjectLabel] = [], score: Float = 1,
    uprightFrame: CGRect? = nil, category: CoarseCategory? = nil, fineLabels: [ObjectLabel]? = nil
  ) {
    self.frame = frame
    trackingIdentifier = trackingID
    self.labels = labels
    self.score = score
    self.uprightFrame = uprightFrame ?? frame
    self.category = category
    self.fineLabels = fineLabels
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
    hasher.combine(fineLabels)
  }

  /// Converts a detection in the upright image to the stored image.
  init(_ found: DetectedObject, in image: InputImage) {
    let stored = image.imageOrientation.stored(found.frame, storedSize: image.size)
    self.init(
      frame: CGRect(stored), trackingID: found.trackingID, labels: found.labels,
      score: found.score, uprightFrame: CGRect(found.frame), category: found.category,
      fineLabels: found.fineLabels)
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
