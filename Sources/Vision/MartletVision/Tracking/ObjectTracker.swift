//===--- ObjectTracker.swift - tracking by detection ----------------------===//
//
// Objects are continued by the detections of each frame, in this order:
//
// 1. Detections that score high enough to start an object, where the object is expected, if they look like it.
// 2. Detections in a crop around a small object that the whole frame did not show.
// 3. The other detections, as in 1 (Zhang et al., ByteTrack, 2022).
// 4. Detections within reach that look like a lost object.
// 5. Boxes that non-maximum suppression dropped in favor of another object.
//
// The remaining detections start objects, at first without identifier. If they turn out to be a lost
// object, that continues. Of two objects that overlap and look similar the one with more support stays.
//
// The localizer's boxes can be parts of objects, groups or the whole scene; such boxes start an object
// late or not at all. Boxes of other detectors are objects: two that are detected in one frame are two.
//
// Contract  Reads no clock. Identifiers count from 0 and are never reused, not even after `reset`.
//           Reported objects are sorted by decreasing salience, then by identifier. A single object is
//           reported until it is out of sight. The same frames give the same objects.
// Cost      O(n · m) overlaps for n objects and m detections; an appearance is read from at most 2,304
//           pixels of a box.
//===----------------------------------------------------------------------===//

package import MartletImage

/// Tracks the boxes of any detector from frame to frame.
///
/// ```swift
/// import MartletImage
/// import MartletVision
///
/// func track(_ frames: [(image: RGBImage, boxes: [DetectedObject])]) {
///   var tracker = ObjectTracker()
///   for frame in frames {
///     for object in tracker.update(frame.boxes, in: frame.image) {
///       print(object.trackingID ?? -1, object.frame)
///     }
///   }
/// }
/// ```
///
/// Pass all boxes from a low score on, such as 0.1, after suppression of overlapping ones: weak boxes
/// continue objects, and only those from ``TrackingParameters/startScore`` on start them. Of two boxes
/// in one place, of one class or of two, only one starts an object. An object keeps its identifier for
/// ``TrackingParameters/lostFrameCount`` frames without a box. For Martlet's own detectors use
/// ``ObjectStream``, which runs them and this tracker.
public struct ObjectTracker: Sendable {
  /// Detects objects in a crop of the frame; boxes are in pixels of the whole frame.
  package typealias Look = (_ crop: Box) throws(VisionError) -> [DetectedObject]

  /// The IoU from which two boxes are the same object.
  static let sameOverlap: Float = 0.5
  /// The score in relation to the object's from which a detection continues it; a boundary between the
  /// object and weak detections beside it.
  static let weakestShare: Float = 0.2
  /// Without a minimum score: the lowest score of a reported object, and the one from which objects are
  /// reported in any case.
  static let reported: (least: Float, always: Float) = (0.08, 0.25)
  /// The side of a crop in units of the object's longer side, its smallest side in pixels, and the share
  /// of the frame from which an object needs no crop.
  static let crop: (factor: Float, side: Float, largeShare: Float) = (2.5, 48, 0.25)
  /// A detection of this share of the frame is often the whole scene; it starts an object only from
  /// this score on.
  static let scene: (share: Float, score: Float) = (ReportingRules().sceneShare, 0.85)
  /// The share of a box inside another one from which it may be a part of it; and the score in relation
  /// to the other one's from which it is an object in front of it.
  static let (partShare, frontScore): (Float, Float) = (0.8, 0.4)
  /// The share of the smaller of two boxes inside the other one from which one may be a part of the
  /// other, or a group around it; and the number of detections that such an object starts with.
  static let (nestedShare, nestedDetectionCount): (Float, Int) = (0.5, 5)
  /// The lowest share of an object inside the frame.
  static let visibleShare: Float = 0.3

  let parameters: TrackingParameters
  let limit: Int
  /// Whether boxes can be parts of objects, groups or the whole scene.
  let hasParts: Bool
  /// The lowest score of a reported object; `nil` for `reported`. Tracking does not depend on it.
  let minimumScore: Float?
  var tracks: [ObjectTrack] = []
  var nextIdentifier = 0
  private(set) var frameCount = 0
  /// The object that is reported if only one is.
  var mainIdentifier: Int?
  /// The reported objects in the last frame.
  package private(set) var visible: [DetectedObject] = []
  /// The size of the last frame that `update` or `skip` was given.
  var size: ImageSize?

  /// A tracker of a detector's boxes.
  ///
  /// - Parameters:
  ///   - parameters: When objects start, continue and end. The interval of detections, closer looks and
  ///     the reported share are not used.
  ///   - limit: The largest number of objects that are returned, the most salient ones.
  ///   - minimumScore: The lowest score of a returned object. Tracking does not depend on it.
  public init(
    _ parameters: TrackingParameters = .detector, limit: Int = .max, minimumScore: Float = 0
  ) {
    self.init(parameters, limit: limit, minimumScore: minimumScore, hasParts: false)
  }

  /// A tracker that reports at most `limit` objects; without a minimum score those of `reported`.
  package init(
    _ parameters: TrackingParameters, limit: Int, minimumScore: Float?, hasParts: Bool
  ) {
    self.parameters = parameters
    self.limit = max(limit, 1)
    self.minimumScore = minimumScore
    self.hasParts = hasParts
  }

  /// The identifiers of all objects, including lost ones.
  package var identifiers: [Int] { tracks.compactMap { $0.object.trackingID } }

  /// Removes all objects; their identifiers are not reused.
  public mutating func reset() {
    (tracks, visible, frameCount, mainIdentifier, size) = ([], [], 0, nil, nil)
  }

  /// Continues in a frame in which the detector does not run.
  package mutating func carry(in size: ImageSize) {
    advance()
    finish(in: size)
  }

  /// Continues and starts objects by the detections of the next frame; `look` detects in crops of it.
  package mutating func update(
    _ frame: inout FrameDetections, look: Look
  ) throws(VisionError) {
    begin(&frame)
    try lookCloser(&frame, look)
    complete(&frame)
  }

  mutating func begin(_ frame: inout FrameDetections) {
    advance()
    match(&frame, minimumScore: parameters.startScore)
  }

  mutating func complete(_ frame: inout FrameDetections) {
    match(&frame, minimumScore: parameters.minimumScore)
    reidentify(&frame)
    recover(&frame)
    for index in tracks.indices where !tracks[index].isSeen {
      tracks[index].lose(scoreWeight: parameters.scoreWeight)
    }
    for index in frame.unused where mayStart(frame.objects[index], in: frame) {
      let detection = frame.objects[index]
      let box = frame.averaged(detection)
      tracks.append(
        ObjectTrack(detection, box: box, frame.appearance(of: box)))
    }
    identify()
    merge()
    finish(in: frame.size)
  }

  private mutating func advance() {
    frameCount += 1
    for index in tracks.indices { tracks[index].advance() }
  }

  /// Removes objects that are lost for too long or outside the frame, and selects those to report.
  private mutating func finish(in size: ImageSize) {
    let whole = Box(x: 0, y: 0, width: Float(size.width), height: Float(size.height))
    tracks.removeAll { track in
      let isLost =
        track.object.trackingID == nil
        ? track.missCount > 1 : track.lostFrameCount > parameters.lostFrameCount
      return isLost || track.box.share(inside: whole) < ObjectTracker.visibleShare
        || min(track.box.width, track.box.height) <= 2
    }
    visible = reported(in: size)
  }
}

extension Box {
  /// Whether two boxes are the same object.
  func isSame(as other: Box) -> Bool {
    intersectionOverUnion(with: other) > ObjectTracker.sameOverlap
  }
}
