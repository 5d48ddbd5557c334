//===--- TrackingParameters.swift - options of object tracking ------------===//

/// When tracked objects start, continue and end. Times count frames; scores are those of the
/// detector, 0...1.
///
/// ```swift
/// let options = ObjectDetectorOptions()
/// options.tracking.detectionInterval = 3
/// ```
public struct TrackingParameters: Sendable, Hashable {
  /// The number of frames from one detection to the next, at least 1. In between, objects move on as
  /// before. Default: 1, every frame.
  public var detectionInterval = 1
  /// The number of frames for which an object that is not detected keeps its identifier. Default: 30,
  /// one second at 30 frames per second.
  public var lostFrameCount = 30
  /// The number of additional detections per frame, each in a crop around an object that the whole
  /// frame does not show clearly. Each takes as long as a detection in the whole frame. Default: 2.
  public var closerLookCount = 2
  /// The score of a detection that starts an object at once. Default: 0.3.
  public var startScore: Float = 0.3
  /// The lowest score of a detection that continues an object. Default: 0.03.
  public var minimumScore: Float = 0.03
  /// The number of detections below `startScore`, one a frame, that start an object. Default: 3.
  public var steadyDetectionCount = 3
  /// The lowest weight of the newest detection in an object's score, 0...1; the first ones have equal
  /// weights. Default: 0.15, which averages about the last six.
  public var scoreWeight: Float = 0.15
  /// The score of a reported object in relation to the best one, 0...1. Objects of at least 0.25 are
  /// reported in any case. Default: 0.5.
  public var reportedShare: Float = 0.5
  /// The lowest intersection over union of an object's expected box and a detection that continues
  /// it. Two objects that overlap more and look similar are one. Default: 0.3.
  public var minimumOverlap: Float = 0.3
  /// The lowest similarity, -1...1, of the appearance of an object and of a detection that continues
  /// it: the cosine of two descriptors. Default: 0.6.
  public var minimumSimilarity: Float = 0.6

  /// The defaults.
  public init() {}

  /// The defaults for the boxes of detectors that score classes, with the scores of Zhang et al.,
  /// ByteTrack, 2022: objects start at 0.6 and continue from 0.1 on; weaker boxes never start one.
  public static var detector: TrackingParameters {
    var parameters = TrackingParameters()
    (parameters.startScore, parameters.minimumScore) = (0.6, 0.1)
    parameters.steadyDetectionCount = .max
    return parameters
  }
}
