//===--- DetectedObject.swift - an object in an upright image -------------===//
//
// The only type for an object, from a network's output through suppression, salience and tracking
// to the API.
//
// Contract  Pixels of the upright image, origin top left.
//===----------------------------------------------------------------------===//

/// An object in an upright image.
public struct DetectedObject: Sendable, Hashable {
  /// The bounding box in pixels of the upright image, origin top left.
  public var frame: Box
  /// The detector's score, 0...1. In a stream it is the mean of recent scores, which falls while the object is
  /// not detected; for a user-provided box, the probability that the box still holds the object.
  public var score: Float
  /// The probability that the object is the subject of the image, 0...1, if the detector estimates
  /// it.
  package var prominence: Float?
  /// The identifier, the same in all frames of a stream and never reused; `nil` for a still image.
  public var trackingID: Int?
  /// The coarse category; `nil` if the coarse classifier has not run on the object.
  public var category: CoarseCategory?
  /// The labels from the last run of the classifier, or of a detector that knows classes, by
  /// decreasing confidence; empty before.
  public var labels: [ObjectLabel]
  /// Everyday names, or a hypernym before them, by decreasing confidence; `nil` if none were requested
  /// or the classifier has not run on the object.
  public var fineLabels: [ObjectLabel]?

  /// An object with these values.
  public init(
    frame: Box, score: Float, trackingID: Int? = nil, category: CoarseCategory? = nil,
    labels: [ObjectLabel] = [], fineLabels: [ObjectLabel]? = nil
  ) {
    self.frame = frame
    self.score = score
    self.trackingID = trackingID
    self.category = category
    self.labels = labels
    self.fineLabels = fineLabels
  }
}
