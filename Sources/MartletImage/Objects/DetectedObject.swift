//===--- DetectedObject.swift - an object in an upright image -------------===//
//
// The one type of what is found, from a network's output through suppression, prominence and tracking
// to the API.
//
// Contract  Pixels of the upright image, origin top left.
// Checked   Tests/MartletTests/ObjectDetectorTests.swift, Tests/MartletTests/ObjectStreamTests.swift
//===----------------------------------------------------------------------===//

/// An object in an upright image.
public struct DetectedObject: Sendable, Hashable {
  /// Where it is, in pixels of the upright image, origin top left.
  public var frame: Box
  /// How sure the detector was when it last saw the object, 0...1.
  public var score: Float
  /// How likely it is what the image is about, 0...1, where the detector said so.
  package var prominence: Float?
  /// The same in each frame of a stream in which the object is followed, and no other object's, ever;
  /// `nil` of a still image.
  public var trackingID: Int?
  /// Its coarse category, or `nil` unless the coarse classifier has looked at it.
  public var category: CoarseCategory?
  /// What the classifier, or a detector that knows classes, said when it last looked, by falling
  /// confidence; empty before.
  public var labels: [ObjectLabel]

  /// An object with these values.
  public init(
    frame: Box, score: Float, trackingID: Int? = nil, category: CoarseCategory? = nil,
    labels: [ObjectLabel] = []
  ) {
    self.frame = frame
    self.score = score
    self.trackingID = trackingID
    self.category = category
    self.labels = labels
  }
}
