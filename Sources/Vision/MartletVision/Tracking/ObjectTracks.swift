//===--- ObjectTracks.swift - objects with identities through frames ------===//
//
// In each frame every object is tracked by its pixels; every few frames a detector reports boxes. A box
// that overlaps an object updates it, and others start new objects. A box with a high score that overlaps
// an object only loosely corrects its place. An object without support by detections is tracked but not
// reported. A moving region counts as a detection after its second appearance; it loses support while it
// rests, unless a detector confirms it. A detection near a lost or unsupported object that looks like it
// continues that object.
//
// Between full frames the detector can run on a crop around one small object, where it is large: the one
// whose track has been least certain for longest. User-provided objects get a crop if they are uncertain,
// and keep the size of their box.
//
// Contract  Runs no network and reads no clock: intervals count frames. Identifiers count from 0 and are
//           never reused, not even after `reset`. Objects are sorted by decreasing salience, then by
//           identifier.
// Order     Detections are matched from the largest overlap down; ties go to the older object, then to
//           the earlier detection. Moving regions are matched first, the largest one first.
// Cost      A `TargetTracker` for each object, and `MovingRegions`.
// Checked   Tests/MartletVisionTests/Tracking/ObjectTracksTests.swift; scores in Tracking.md
//===----------------------------------------------------------------------===//

package import MartletImage

/// The tracked objects.
package struct ObjectTracks {
  /// When tracks start, continue and end.
  package struct Parameters: Sendable {
    /// The largest number of tracked objects.
    package var limit = 5
    /// The lowest intersection over union (IoU) at which a detection matches an object.
    package var overlap: Float = 0.25
    /// The lowest score of a detection that starts an object.
    package var minimumScore: Float = 0.33
    /// How much more salient than an object a detection must be to replace it when `limit` is reached.
    package var replacementMargin: Float = 0.25
    /// The range of IoU in which a detection of at least `minimumScore` corrects the place of an object. Below
    /// it may be another object, above there is no drift.
    package var correction: Range<Float> = 0.4..<0.8
    /// The lowest support of a reported object.
    package var minimumSupport: Float = 0.2
    /// The weight of the newest detection in the support, 0...1.
    package var supportRate: Float = 0.4
    /// The share of an object inside a detection that supports it, even if the detection shows another
    /// object or several.
    package var containment: Float = 0.8
    /// The support that a moving region which rests, and which no detector has confirmed, loses per frame,
    /// 0...1.
    package var restRate: Float = 0.65
    /// A detection of at least this share of the frame is often the whole scene; it starts an object only
    /// from this score on.
    package var scene: (minimumShare: Float, minimumScore: Float) = (0.8, 0.85)
    /// The tracker's confidence, and the IoU with its box, from which a detection continues a lost object.
    package var reidentification: (minimumConfidence: Float, minimumOverlap: Float) = (0.25, 0.3)
    /// The largest distance from an object, in units of the larger side, and the largest ratio of areas, at
    /// which a detection can continue it.
    package var searchRadius: Float = 1
    package var areaRatio: Float = 4
    /// The side of a crop in units of the object's longer side; and the share of the frame from which an
    /// object needs no crop.
    package var cropFactor: Float = 2.5
    package var largeShare: Float = 0.25
    /// The lowest number of frames from one crop of an object to the next.
    package var cropInterval = 5
    /// How much sooner an uncertain object gets a crop than a certain one.
    package var uncertaintyWeight: Float = 3
    /// For user-provided objects: the doubt, 0...1, from which they get a crop, the IoU from which a
    /// detection is the same object, and the lowest IoU at which it corrects their place.
    package var userProvided: (minimumUncertainty: Float, same: Float, minimumOverlap: Float) = (
      0.3, 0.6, 0.5
    )
    /// The number of frames for which a lost object is kept.
    package var maximumLostFrames = 15
    /// The lowest share of an object inside the frame.
    package var minimumVisible: Float = 0.3
    /// The score of a moving region.
    package var motionScore: Float = 0.33
    /// The number of frames between searches for moving regions; 0 disables them.
    package var motionInterval = 1
    /// The IoU with an earlier moving region that confirms a region.
    package var confirmation: Float = 0.5

    package init() {}
  }

  /// A tracked object and its state.
  struct Track {
    /// The object, with the box of its last frame in sight.
    var object: DetectedObject
    /// The support by detections, 0...1.
    var support: Float
    /// The number of frames since it was lost; 0 if it is in sight.
    var lostCount = 0
    /// Whether it started as a moving region that no detector has confirmed.
    var isMotionOnly: Bool
    /// Whether the latest detections support it.
    var isSupported = true
    /// The frame of its latest crop; 0 if there was none.
    var lastCropFrame = 0
    /// Whether the user provided its box, and the relation of that box to the detector's box once known.
    var isUserProvided = false
    var relation: BoxRelation?
    var tracker: TargetTracker

    var box: Box { object.frame }

    mutating func update(_ pyramid: FramePyramid) {
      tracker.update(pyramid)
      object.frame = tracker.box
      lostCount = tracker.isLost ? lostCount + 1 : 0
    }
  }

  /// A detection that matches no object yet.
  private struct Candidate {
    let object: DetectedObject
    /// Whether it is a moving region.
    var isMoving = false
    /// Whether the user provided it.
    var isUserProvided = false
  }

  /// The salience of an object in a frame of this size; the score by default.
  package typealias Prominence = @Sendable (_ object: DetectedObject, _ frame: ImageSize) -> Float

  private let parameters: Parameters
  private let prominence: Prominence
  private let trackerParameters: TargetTracker.Parameters
  private(set) var tracks: [Track] = []
  private var nextIdentifier = 0
  private var regions = MovingRegions()
  private var pyramid: FramePyramid?
  /// The moving regions of the last searched frame; none if the camera motion is unknown.
  private var candidates: [Box] = []
  /// The number of frames since the last reset.
  private var frameCount = 0

  package init(
    _ parameters: Parameters = .init(), tracker: TargetTracker.Parameters = .init(),
    prominence: @escaping Prominence = { object, _ in object.score }
  ) {
    self.parameters = parameters
    self.prominence = prominence
    trackerParameters = tracker
  }

  /// The visible objects with enough support.
  package var visible: [DetectedObject] {
    // Tracks are in the order of their identifiers.
    let visible = tracks.filter { $0.lostCount == 0 && $0.support >= parameters.minimumSupport }
    let values = visible.map { prominence(of: $0) }
    return visible.indices.sorted { (values[$1], $0) < (values[$0], $1) }
      .map { visible[$0].object }
  }

  /// The salience of an object with its support as score.
  private func prominence(of track: Track) -> Float {
    var object = track.object
    object.score = track.support
    return prominence(of: object)
  }

  private func prominence(of object: DetectedObject) -> Float {
    pyramid.map { prominence(object, $0.size) } ?? object.score
  }

  /// The identifiers of all objects, including lost ones.
  package var identifiers: [Int] { tracks.compactMap { $0.object.trackingID } }

  /// Removes all objects; their identifiers are not reused.
  package mutating func reset() {
    tracks = []
    regions = MovingRegions()
    pyramid = nil
    candidates = []
    frameCount = 0
  }

  /// Tracks all objects in the next frame. A frame of another size restarts tracking.
  package mutating func update(_ frame: RGBImage) {
    if let pyramid, pyramid.size != frame.size { reset() }
    let pyramid = FramePyramid(frame)
    self.pyramid = pyramid
    frameCount += 1
    for index in tracks.indices { tracks[index].update(pyramid) }
    let whole = Box(x: 0, y: 0, width: Float(frame.width), height: Float(frame.height))
    tracks.removeAll { track in
      track.lostCount > parameters.maximumLostFrames
        || track.box.intersection(whole).area < parameters.minimumVisible * track.box.area
    }
    if parameters.motionInterval > 0 { regions.update(pyramid) }
  }

  /// Starts user-provided objects in the last frame.
  package mutating func begin(_ boxes: [Box]) {
    for box in boxes {
      begin(Candidate(object: DetectedObject(frame: box, score: 1), isUserProvided: true))
    }
  }

  /// Matches detections in the last frame, and moving regions, with the objects; `nil` if no detector ran.
  package mutating func associate(_ detections: [DetectedObject]?) {
    var rest: [Candidate] = []
    if let detections { rest = match(detections, from: .detector).map { Candidate(object: $0) } }
    if parameters.motionInterval > 0, frameCount % parameters.motionInterval == 0 {
      rest = confirmed(regions.regions()).map { Candidate(object: $0, isMoving: true) } + rest
    }
    if rest.count > parameters.limit { rest = byProminence(rest) }
    for candidate in rest where mayBegin(candidate.object) && isNew(candidate.object) {
      if !resume(candidate.object), makeRoom(for: candidate.object) { begin(candidate) }
    }
  }

  /// Whether the score of a detection is high enough to start an object.
  private func mayBegin(_ detection: DetectedObject) -> Bool {
    let isScene = detection.frame.area >= parameters.scene.minimumShare * frameArea
    return detection.score >= (isScene ? parameters.scene.minimumScore : parameters.minimumScore)
  }

  private var frameArea: Float { pyramid.map { Float($0.size.width * $0.size.height) } ?? 0 }

  /// The object that is due for a crop of the last frame, and the crop; `nil` if none is small and due.
  package mutating func nextCrop() -> (identifier: Int, part: Box)? {
    guard let size = pyramid?.size else { return nil }
    var next: Int?
    var most: Float = 0
    for (index, track) in tracks.enumerated()
    where track.box.area <= parameters.largeShare * frameArea {
      let wait = frameCount - track.lastCropFrame
      guard wait >= parameters.cropInterval else { continue }
      let uncertainty = max(1 - track.tracker.confidence, 0)
      guard !track.isUserProvided || uncertainty >= parameters.userProvided.minimumUncertainty
      else { continue }
      let priority = Float(wait) * (1 + parameters.uncertaintyWeight * uncertainty)
      if priority > most { (next, most) = (index, priority) }
    }
    guard let next, let identifier = tracks[next].object.trackingID else { return nil }
    tracks[next].lastCropFrame = frameCount
    let box = tracks[next].box
    let side = parameters.cropFactor * max(box.width, box.height)
    return (identifier, box.center.square(of: side, in: size))
  }

  /// Updates an object with the detections in its crop: one with a high score that overlaps the object
  /// corrects its place. No detection changes nothing. A user-provided object keeps its size.
  package mutating func matchInCrop(of identifier: Int, found detections: [DetectedObject]) {
    guard let track = tracks.firstIndex(where: { $0.object.trackingID == identifier }) else {
      return
    }
    let box = tracks[track].box
    let isUserProvided = tracks[track].isUserProvided
    if isUserProvided, tracks[track].relation == nil {
      guard tracks[track].lostCount == 0 else { return }
      let seen = best(
        detections.map { $0.frame }, of: detections, on: box, parameters.userProvided.same)
      tracks[track].relation = seen.flatMap { BoxRelation(of: box, to: $0) }
      return
    }
    let relation = tracks[track].relation
    let boxes = detections.map { relation?.box(beside: $0.frame) ?? $0.frame }
    let least =
      isUserProvided ? parameters.userProvided.minimumOverlap : parameters.correction.lowerBound
    guard let seen = best(boxes, of: detections, on: box, least) else { return }
    tracks[track].isSupported = true
    tracks[track].isMotionOnly = false
    let overlap = seen.intersectionOverUnion(with: box)
    if overlap < parameters.correction.upperBound || tracks[track].lostCount > 0 {
      move(track, to: seen)
    }
  }

  /// Of the high-scoring boxes with at least this IoU, the one with the largest product of IoU and score.
  private func best(
    _ boxes: [Box], of detections: [DetectedObject], on box: Box, _ minimumOverlap: Float
  ) -> Box? {
    var seen: Box?
    var most: Float = 0
    for (candidate, detection) in zip(boxes, detections)
    where detection.score >= parameters.minimumScore {
      let overlap = candidate.intersectionOverUnion(with: box)
      guard overlap >= minimumOverlap, overlap * detection.score > most else { continue }
      (seen, most) = (candidate, overlap * detection.score)
    }
    return seen
  }

  /// Whether no object overlaps the detection.
  private func isNew(_ detection: DetectedObject) -> Bool {
    tracks.allSatisfy {
      $0.box.intersectionOverUnion(with: detection.frame) < parameters.overlap
    }
  }

  /// Detections by decreasing salience; ties keep their order.
  private func byProminence(_ candidates: [Candidate]) -> [Candidate] {
    let values = candidates.map { prominence(of: $0.object) }
    return candidates.indices.sorted { (values[$1], $0) < (values[$0], $1) }
      .map { candidates[$0] }
  }

  /// The regions that appeared before; the others wait for confirmation.
  private mutating func confirmed(_ boxes: [Box]) -> [DetectedObject] {
    let seen = boxes.filter { box in
      candidates.contains { $0.intersectionOverUnion(with: box) >= parameters.confirmation }
    }
    candidates = boxes
    return match(
      seen.map { DetectedObject(frame: $0, score: parameters.motionScore) }, from: .motion)
  }

  /// Assigns a candidate to a lost or unsupported object near it that looks like it: the one with the
  /// highest confidence of its tracker, ties to the older.
  private mutating func resume(_ detection: DetectedObject) -> Bool {
    guard let pyramid else { return false }
    let box = detection.frame
    var match: Int?
    var most = parameters.reidentification.minimumConfidence
    for (index, track) in tracks.enumerated() where track.lostCount > 0 || !track.isSupported {
      let (larger, smaller) = (max(track.box.area, box.area), min(track.box.area, box.area))
      let (dx, dy) = (track.box.center.x - box.center.x, track.box.center.y - box.center.y)
      let reach = parameters.searchRadius * parameters.searchRadius * larger
      guard larger < parameters.areaRatio * smaller, dx * dx + dy * dy < reach else { continue }
      let found = track.tracker.found(at: box, in: pyramid)
      if let found, found.confidence > most,
        found.box.intersectionOverUnion(with: box) > parameters.reidentification.minimumOverlap
      {
        (match, most) = (index, found.confidence)
      }
    }
    guard let match, move(match, to: box) else { return false }
    tracks[match].support = max(tracks[match].support, detection.score)
    tracks[match].isSupported = true
    return true
  }

  /// Continues a track from another box of the last frame; returns whether that box can be tracked.
  @discardableResult private mutating func move(_ track: Int, to box: Box) -> Bool {
    guard let pyramid,
      let tracker = TargetTracker(box, in: pyramid, parameters: trackerParameters)
    else { return false }
    tracks[track].tracker = tracker
    tracks[track].object.frame = tracker.box
    tracks[track].lostCount = 0
    return true
  }

  /// The source of detections. A detector that misses an object lowers its support; an object that does
  /// not move may still be there.
  private enum Source {
    case detector
    case motion
  }

  /// Matches detections with objects and corrects drifted ones; returns the detections without a match.
  private mutating func match(
    _ detections: [DetectedObject], from source: Source
  ) -> [DetectedObject] {
    var pairs: [(overlap: Float, track: Int, detection: Int)] = []
    for track in tracks.indices {
      for (index, detection) in detections.enumerated() {
        let overlap = tracks[track].box.intersectionOverUnion(with: detection.frame)
        if overlap >= parameters.overlap { pairs.append((overlap, track, index)) }
      }
    }
    pairs.sort { ($1.overlap, $0.track, $0.detection) < ($0.overlap, $1.track, $1.detection) }
    var supports = [Float](repeating: 0, count: tracks.count)
    var isTaken = [Bool](repeating: false, count: detections.count)
    for (overlap, track, index) in pairs where supports[track] == 0 && !isTaken[index] {
      let detection = detections[index]
      isTaken[index] = true
      supports[track] = detection.score
      tracks[track].object.update(detection)
      guard source == .detector else { continue }
      tracks[track].isMotionOnly = false
      if detection.score >= parameters.minimumScore, parameters.correction.contains(overlap) {
        move(track, to: detection.frame)
      }
    }
    for (index, track) in tracks.enumerated() where supports[index] == 0 {
      let area = parameters.containment * track.box.area
      for detection in detections where detection.frame.intersection(track.box).area >= area {
        supports[index] = max(supports[index], detection.score)
      }
    }
    for (index, support) in supports.enumerated() {
      tracks[index].isSupported = support > 0
      if support > 0 || source == .detector {
        tracks[index].support += (support - tracks[index].support) * parameters.supportRate
      } else if tracks[index].isMotionOnly, !candidates.isEmpty {
        tracks[index].support *= 1 - parameters.restRate
      }
    }
    return detections.indices.filter { !isTaken[$0] }.map { detections[$0] }
  }

  /// Whether another object can start; the least salient one is replaced by a more salient detection.
  private mutating func makeRoom(for detection: DetectedObject) -> Bool {
    if tracks.count < parameters.limit { return true }
    guard
      let worst = tracks.indices.min(by: {
        prominence(of: tracks[$0]) < prominence(of: tracks[$1])
      }),
      prominence(of: tracks[worst]) + parameters.replacementMargin < prominence(of: detection)
    else { return false }
    tracks.remove(at: worst)
    return true
  }

  private mutating func begin(_ candidate: Candidate) {
    var object = candidate.object
    guard let pyramid,
      let tracker = TargetTracker(object.frame, in: pyramid, parameters: trackerParameters)
    else { return }
    object.frame = tracker.box
    object.trackingID = nextIdentifier
    tracks.append(
      Track(
        object: object, support: object.score, isMotionOnly: candidate.isMoving,
        isUserProvided: candidate.isUserProvided, tracker: tracker))
    nextIdentifier += 1
  }
}

extension Point {
  /// A square around the point, moved and clipped to the frame.
  fileprivate func square(of side: Float, in frame: ImageSize) -> Box {
    let (width, height) = (Float(frame.width), Float(frame.height))
    return Box(
      x: min(max(x - side / 2, 0), max(width - side, 0)),
      y: min(max(y - side / 2, 0), max(height - side, 0)), width: min(side, width),
      height: min(side, height))
  }
}

extension DetectedObject {
  /// Takes over the values of a new detection. Missing labels and salience keep the old values; each label
  /// has the score of the object.
  fileprivate mutating func update(_ detection: DetectedObject) {
    score = detection.score
    prominence = detection.prominence ?? prominence
    labels =
      detection.labels.isEmpty
      ? labels.map { ObjectLabel(text: $0.text, index: $0.index, confidence: detection.score) }
      : detection.labels
  }
}
