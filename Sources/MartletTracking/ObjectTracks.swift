//===--- ObjectTracks.swift - objects with identities through frames ------===//
//
// Each frame every tracked object is searched for where it was; from time to time a detector says what
// is there. Detections that overlap an object are its own, others begin new ones; a sure one that
// overlaps it but loosely takes it back to where it is. An object that detections no longer speak for
// is tracked but not reported. What moves by itself is a detection too, once it was seen twice; it loses
// its support where it rests and no detector ever saw it. What appears near an object that is lost, or
// that nothing speaks for, and looks like it, is that object.
//
// Between its looks at whole frames the detector may look at the part around one object, where even a
// small one is large: at the object that is tracked most doubtfully for longest. Those that were begun
// unasked, with a user's boxes, are processed where they are doubted, and keep the extent of these boxes.
//
// Contract  Runs no network and reads no clock: frames are counted. Identifiers count from 0 and
//           are never used again, not after `reset` either. Objects come by decreasing salience,
//           ties by identifier.
// Order     Detections are matched to objects from the largest overlap down, ties to the older
//           object, then to the earlier detection. What moves finds its objects first, largest first.
// Cost      That of a `TargetTracker` for each object, and of `MovingRegions`.
// Checked   Tests/MartletTrackingTests/ObjectTracksTests.swift; scores in Tracking.md
//===----------------------------------------------------------------------===//

package import MartletImage

/// The objects that are tracked.
package struct ObjectTracks {
  /// How objects are begun, kept and given up.
  package struct Parameters: Sendable {
    /// How many objects are tracked at most.
    package var limit = 5
    /// The intersection over union from which a detection and an object are one.
    package var overlap: Float = 0.25
    /// The least score of a detection that begins an object.
    package var leastScore: Float = 0.33
    /// How much more prominent than an object a detection has to be to take its place where there
    /// are as many as there may be.
    package var lead: Float = 0.25
    /// The intersection over union of an object with a detection of it, of at least `leastScore`, that
    /// takes it to the detection's box. Less may be another thing, more is no drift.
    package var correction: Range<Float> = 0.4..<0.8
    /// The support that an object needs to be reported.
    package var leastSupport: Float = 0.2
    /// How fast support follows detections, 0...1.
    package var supportRate: Float = 0.4
    /// The share of an object that lies in a detection which speaks for it, though it may be another
    /// thing's or several things'.
    package var containment: Float = 0.8
    /// How much support is lost in a frame by what began with its motion, rests, and was seen by no
    /// detector, 0...1.
    package var restRate: Float = 0.65
    /// A detection of at least this share of the frame is often all of the scene: it begins an object
    /// only from this score on.
    package var scene: (leastShare: Float, leastScore: Float) = (0.8, 0.85)
    /// The tracker's confidence from which something is an object that was lost, and the intersection over
    /// union of it with what the tracker finds there.
    package var likeness: (leastConfidence: Float, leastOverlap: Float) = (0.25, 0.3)
    /// How far from an object what may be it is searched for, in the larger one's extent, and by which
    /// factor their areas may differ.
    package var searchRadius: Float = 1
    package var areaRatio: Float = 4
    /// The side of the part of a frame around an object that a detector looks at, in the object's longer
    /// side, and the share of the frame from which an object is large enough without.
    package var cropFactor: Float = 2.5
    package var largeShare: Float = 0.25
    /// How many frames at least lie between two looks at one object.
    package var cropInterval = 5
    /// How much sooner it is an object's turn where its tracker finds nothing than where it is sure.
    package var doubtWeight: Float = 3
    /// How much an object that was begun unasked is doubted before a detector looks at it, 0...1, the
    /// intersection over union with a detection from which that is the same thing, and the least one
    /// that takes it to where it is.
    package var automatic: (leastDoubt: Float, same: Float, leastOverlap: Float) = (0.3, 0.6, 0.5)
    /// How many frames a lost object is kept for; then it is given up.
    package var patience = 15
    /// The least share of an object that has to be in the frame.
    package var leastVisible: Float = 0.3
    /// The score of what moves by itself.
    package var motionScore: Float = 0.33
    /// Every how many frames moving regions are searched for; never where it is 0.
    package var motionInterval = 1
    /// The intersection over union of a moving region with one before that confirms it.
    package var confirmation: Float = 0.5

    package init() {}
  }

  /// An object, and what is known of it beside.
  struct Track {
    /// Where it is, or was last, as the detector last saw it.
    var object: DetectedObject
    /// How well detections speak for it, 0...1.
    var support: Float
    /// For how many frames it has been lost; 0 if it is in sight.
    var lostCount = 0
    /// Whether it began with what moves, and no detector has seen it since.
    var isUnseen: Bool
    /// Whether the detections that came last speak for it.
    var isSupported = true
    /// In which frame a detector looked at the part around it; 0 if none did.
    var lastCrop = 0
    /// Whether it was begun unasked, and how its box lies to a detector's then, once one saw it.
    var isAutomatic = false
    var relation: BoxRelation?
    var tracker: TargetTracker

    var box: Box { object.frame }

    mutating func follow(_ pyramid: FramePyramid) {
      tracker.update(pyramid)
      object.frame = tracker.box
      lostCount = tracker.isLost ? lostCount + 1 : 0
    }
  }

  /// A detection that is no object's yet.
  private struct Candidate {
    let object: DetectedObject
    /// Whether it was seen by its motion, and not by a detector.
    var isMoving = false
    /// Whether it is a user's.
    var isAutomatic = false
  }

  /// How much an object matters in a frame of this size: by its score alone, by default.
  package typealias Prominence = @Sendable (_ object: DetectedObject, _ frame: ImageSize) -> Float

  private let parameters: Parameters
  private let prominence: Prominence
  private let trackerParameters: TargetTracker.Parameters
  private(set) var tracks: [Track] = []
  private var nextIdentifier = 0
  private var regions = MovingRegions()
  private var pyramid: FramePyramid?
  /// Where something moves in the last frame that was processed; none where the camera is not understood.
  private var candidates: [Box] = []
  /// Frames since the last reset.
  private var frameCount = 0

  package init(
    _ parameters: Parameters = .init(), tracker: TargetTracker.Parameters = .init(),
    prominence: @escaping Prominence = { object, _ in object.score }
  ) {
    self.parameters = parameters
    self.prominence = prominence
    trackerParameters = tracker
  }

  /// The objects in sight that something speaks for.
  package var visible: [DetectedObject] {
    // Tracks are in the order of their identifiers.
    let visible = tracks.filter { $0.lostCount == 0 && $0.support >= parameters.leastSupport }
    let values = visible.map { prominence(of: $0) }
    return visible.indices.sorted { (values[$1], $0) < (values[$0], $1) }
      .map { visible[$0].object }
  }

  /// How much an object matters that has the support of detections for its score.
  private func prominence(of track: Track) -> Float {
    var object = track.object
    object.score = track.support
    return prominence(of: object)
  }

  private func prominence(of object: DetectedObject) -> Float {
    pyramid.map { prominence(object, $0.size) } ?? object.score
  }

  /// The identifiers of all objects, lost ones among them.
  package var identifiers: [Int] { tracks.compactMap { $0.object.trackingID } }

  /// Forgets all objects; their identifiers stay used.
  package mutating func reset() {
    tracks = []
    regions = MovingRegions()
    pyramid = nil
    candidates = []
    frameCount = 0
  }

  /// Takes the next frame and finds the objects in it. A frame of another size than the last one
  /// begins anew.
  package mutating func update(_ frame: RGBImage) {
    if let pyramid, pyramid.size != frame.size { reset() }
    let pyramid = FramePyramid(frame)
    self.pyramid = pyramid
    frameCount += 1
    for index in tracks.indices { tracks[index].follow(pyramid) }
    let whole = Box(x: 0, y: 0, width: Float(frame.width), height: Float(frame.height))
    tracks.removeAll { track in
      track.lostCount > parameters.patience
        || track.box.intersection(whole).area < parameters.leastVisible * track.box.area
    }
    if parameters.motionInterval > 0 { regions.update(pyramid) }
  }

  /// Begins objects in the last frame, unasked.
  package mutating func begin(_ boxes: [Box]) {
    for box in boxes {
      begin(Candidate(object: DetectedObject(frame: box, score: 1), isAutomatic: true))
    }
  }

  /// Joins what a detector found in the last frame with the objects, and what moves; `nil` if no
  /// detector looked.
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

  /// Whether one is sure enough of a detection to begin an object with it.
  private func mayBegin(_ detection: DetectedObject) -> Bool {
    let isScene = detection.frame.area >= parameters.scene.leastShare * frameArea
    return detection.score >= (isScene ? parameters.scene.leastScore : parameters.leastScore)
  }

  private var frameArea: Float { pyramid.map { Float($0.size.width * $0.size.height) } ?? 0 }

  /// The object that a detector should look at closely in the last frame, and the part of the frame around
  /// it; `nil` if none is small and due.
  package mutating func nextCrop() -> (identifier: Int, part: Box)? {
    guard let size = pyramid?.size else { return nil }
    var next: Int?
    var most: Float = 0
    for (index, track) in tracks.enumerated()
    where track.box.area <= parameters.largeShare * frameArea {
      let wait = frameCount - track.lastCrop
      guard wait >= parameters.cropInterval else { continue }
      let doubt = max(1 - track.tracker.confidence, 0)
      guard !track.isAutomatic || doubt >= parameters.automatic.leastDoubt else { continue }
      let urgency = Float(wait) * (1 + parameters.doubtWeight * doubt)
      if urgency > most { (next, most) = (index, urgency) }
    }
    guard let next, let identifier = tracks[next].object.trackingID else { return nil }
    tracks[next].lastCrop = frameCount
    let box = tracks[next].box
    let side = parameters.cropFactor * max(box.width, box.height)
    return (identifier, box.center.square(of: side, in: size))
  }

  /// Takes what a detector found in the part of the last frame around an object: a sure detection that
  /// overlaps the object is where it is. One that is not seen so may be there all the same. What was begun
  /// unasked keeps the extent that it was given, as far as detections tell.
  package mutating func matchInCrop(of identifier: Int, found detections: [DetectedObject]) {
    guard let track = tracks.firstIndex(where: { $0.object.trackingID == identifier }) else {
      return
    }
    let box = tracks[track].box
    let isAutomatic = tracks[track].isAutomatic
    if isAutomatic, tracks[track].relation == nil {
      guard tracks[track].lostCount == 0 else { return }
      let seen = best(
        detections.map { $0.frame }, of: detections, on: box, parameters.automatic.same)
      tracks[track].relation = seen.flatMap { BoxRelation(of: box, to: $0) }
      return
    }
    let relation = tracks[track].relation
    let boxes = detections.map { relation?.box(beside: $0.frame) ?? $0.frame }
    let least = isAutomatic ? parameters.automatic.leastOverlap : parameters.correction.lowerBound
    guard let seen = best(boxes, of: detections, on: box, least) else { return }
    tracks[track].isSupported = true
    tracks[track].isUnseen = false
    let overlap = seen.intersectionOverUnion(with: box)
    if overlap < parameters.correction.upperBound || tracks[track].lostCount > 0 {
      move(track, to: seen)
    }
  }

  /// Of the boxes of sure detections that overlap one by at least so much, that with the largest product of
  /// overlap and score.
  private func best(
    _ boxes: [Box], of detections: [DetectedObject], on box: Box, _ leastOverlap: Float
  ) -> Box? {
    var seen: Box?
    var most: Float = 0
    for (candidate, detection) in zip(boxes, detections)
    where detection.score >= parameters.leastScore {
      let overlap = candidate.intersectionOverUnion(with: box)
      guard overlap >= leastOverlap, overlap * detection.score > most else { continue }
      (seen, most) = (candidate, overlap * detection.score)
    }
    return seen
  }

  /// Whether no object lies where the detection does.
  private func isNew(_ detection: DetectedObject) -> Bool {
    tracks.allSatisfy {
      $0.box.intersectionOverUnion(with: detection.frame) < parameters.overlap
    }
  }

  /// Detections by decreasing salience; equals keep their order.
  private func byProminence(_ candidates: [Candidate]) -> [Candidate] {
    let values = candidates.map { prominence(of: $0.object) }
    return candidates.indices.sorted { (values[$1], $0) < (values[$0], $1) }
      .map { candidates[$0] }
  }

  /// The regions that were seen before as well; the others wait.
  private mutating func confirmed(_ boxes: [Box]) -> [DetectedObject] {
    let seen = boxes.filter { box in
      candidates.contains { $0.intersectionOverUnion(with: box) >= parameters.confirmation }
    }
    candidates = boxes
    return match(
      seen.map { DetectedObject(frame: $0, score: parameters.motionScore) }, from: .motion)
  }

  /// Gives what no object has to a lost one, or one that nothing speaks for, that is near it and looks like
  /// it, if there is one: to that of which its tracker is surest, ties to the older.
  private mutating func resume(_ detection: DetectedObject) -> Bool {
    guard let pyramid else { return false }
    let box = detection.frame
    var match: Int?
    var most = parameters.likeness.leastConfidence
    for (index, track) in tracks.enumerated() where track.lostCount > 0 || !track.isSupported {
      let (larger, smaller) = (max(track.box.area, box.area), min(track.box.area, box.area))
      let (dx, dy) = (track.box.center.x - box.center.x, track.box.center.y - box.center.y)
      let reach = parameters.searchRadius * parameters.searchRadius * larger
      guard larger < parameters.areaRatio * smaller, dx * dx + dy * dy < reach else { continue }
      let found = track.tracker.found(at: box, in: pyramid)
      if let found, found.confidence > most,
        found.box.intersectionOverUnion(with: box) > parameters.likeness.leastOverlap
      {
        (match, most) = (index, found.confidence)
      }
    }
    guard let match, move(match, to: box) else { return false }
    tracks[match].support = max(tracks[match].support, detection.score)
    tracks[match].isSupported = true
    return true
  }

  /// Follows an object from another box of the last frame on, and returns whether that can be tracked.
  @discardableResult private mutating func move(_ track: Int, to box: Box) -> Bool {
    guard let pyramid,
      let tracker = TargetTracker(box, in: pyramid, parameters: trackerParameters)
    else { return false }
    tracks[track].tracker = tracker
    tracks[track].object.frame = tracker.box
    tracks[track].lostCount = 0
    return true
  }

  /// Who says where things are. A detector that does not see an object speaks against it; what does not
  /// move by itself may be there all the same.
  private enum Source {
    case detector
    case motion
  }

  /// Gives each object its detection, and to what has drifted a detector's box, and returns those that
  /// are no object's.
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
      tracks[track].object.see(detection)
      guard source == .detector else { continue }
      tracks[track].isUnseen = false
      if detection.score >= parameters.leastScore, parameters.correction.contains(overlap) {
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
      } else if tracks[index].isUnseen, !candidates.isEmpty {
        tracks[index].support *= 1 - parameters.restRate
      }
    }
    return detections.indices.filter { !isTaken[$0] }.map { detections[$0] }
  }

  /// Whether another object may begin; the least prominent one goes for a detection that is more so.
  private mutating func makeRoom(for detection: DetectedObject) -> Bool {
    if tracks.count < parameters.limit { return true }
    guard
      let worst = tracks.indices.min(by: {
        prominence(of: tracks[$0]) < prominence(of: tracks[$1])
      }),
      prominence(of: tracks[worst]) + parameters.lead < prominence(of: detection)
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
        object: object, support: object.score, isUnseen: candidate.isMoving,
        isAutomatic: candidate.isAutomatic, tracker: tracker))
    nextIdentifier += 1
  }
}

extension Point {
  /// A square around the point, moved and cut so that it lies in the frame.
  fileprivate func square(of side: Float, in frame: ImageSize) -> Box {
    let (width, height) = (Float(frame.width), Float(frame.height))
    return Box(
      x: min(max(x - side / 2, 0), max(width - side, 0)),
      y: min(max(y - side / 2, 0), max(height - side, 0)), width: min(side, width),
      height: min(side, height))
  }
}

extension DetectedObject {
  /// Takes what a detector says that sees the object again. What names no class, or no prominence, lets the
  /// object keep its own; of its classes one is as sure as of the object.
  fileprivate mutating func see(_ detection: DetectedObject) {
    score = detection.score
    prominence = detection.prominence ?? prominence
    labels =
      detection.labels.isEmpty
      ? labels.map { ObjectLabel(text: $0.text, index: $0.index, confidence: detection.score) }
      : detection.labels
  }
}
