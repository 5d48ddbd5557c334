//===--- ObjectTracks.swift - objects with identities through frames ------===//
//
// Each frame every tracked object is looked for where it was; from time to time a detector says what
// is there. Detections that overlap an object are its own, others begin new ones; a sure one that
// overlaps it but loosely takes it back to where it is. An object that detections no longer speak for
// is followed, but not told. What moves by itself is a detection too, once it was seen twice. The box
// of such a one holds some of what the thing uncovered, and a tracker that begins with it may stay
// behind with that: so the thing that appears beside a young object that moved, while nothing speaks
// for that any more, is that object.
//
// Contract  Runs no network and reads no clock: frames are counted. Identifiers count from 0 and
//           are never used again, not after `reset` either. Objects come by falling prominence,
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
    package var leastScore: Float = 0.3
    /// How much more prominent than an object a detection has to be to take its place where there
    /// are as many as there may be.
    package var lead: Float = 0.2
    /// The intersection over union of an object with a detection of it, of at least `leastScore`, that
    /// takes it to the detection's box. Less may be another thing, more is no drift.
    package var correction: Range<Float> = 0.4..<0.8
    /// The support that an object needs to be told.
    package var leastSupport: Float = 0.2
    /// How fast support follows detections, 0...1.
    package var supportRate: Float = 0.4
    /// The share of an object that lies in a detection which speaks for it, though it may be another
    /// thing's or several things'.
    package var containment: Float = 0.8
    /// For how many frames an object is young.
    package var youth = 8
    /// How many frames a lost object is kept for; then it is given up.
    package var patience = 15
    /// The least share of an object that has to be in the frame.
    package var leastVisible: Float = 0.3
    /// The score of what moves by itself.
    package var motionScore: Float = 0.3
    /// Every how many frames moving regions are looked for; never where it is 0.
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
    /// For how many frames it has been lost; 0 where it is in sight.
    var lostCount = 0
    /// Whether it began with what moves.
    let isMoving: Bool
    /// In how many frames it was looked for.
    var age = 0
    /// Whether the detections that came last speak for it.
    var isSupported = true
    var tracker: TargetTracker

    var box: Box { object.frame }

    mutating func follow(_ pyramid: FramePyramid) {
      tracker.update(pyramid)
      object.frame = tracker.box
      age += 1
      lostCount = tracker.isLost ? lostCount + 1 : 0
    }
  }

  /// A detection that is no object's yet.
  private struct Candidate {
    let object: DetectedObject
    /// Whether it was seen by its motion, and not by a detector.
    var isMoving = false
  }

  /// How much an object matters, by its box, the frame's size, and how sure one is of it: by the
  /// last alone, unless told otherwise.
  package typealias Prominence = @Sendable (_ box: Box, _ frame: ImageSize, _ score: Float) -> Float

  private let parameters: Parameters
  private let prominence: Prominence
  private let trackerParameters: TargetTracker.Parameters
  private(set) var tracks: [Track] = []
  private var nextIdentifier = 0
  private var regions = MovingRegions()
  private var pyramid: FramePyramid?
  /// Moving regions that were seen once.
  private var candidates: [Box] = []
  /// Frames since the last reset.
  private var frameCount = 0

  package init(
    _ parameters: Parameters = .init(), tracker: TargetTracker.Parameters = .init(),
    prominence: @escaping Prominence = { _, _, score in score }
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

  private func prominence(of track: Track) -> Float {
    prominence(box: track.box, score: track.support)
  }

  private func prominence(box: Box, score: Float) -> Float {
    pyramid.map { prominence(box, $0.size, score) } ?? score
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
    for box in boxes { begin(Candidate(object: DetectedObject(frame: box, score: 1))) }
  }

  /// Joins what a detector found in the last frame with the objects, and what moves; `nil` where no
  /// detector looked.
  package mutating func associate(_ detections: [DetectedObject]?) {
    var rest: [Candidate] = []
    if let detections { rest = match(detections, from: .detector).map { Candidate(object: $0) } }
    if parameters.motionInterval > 0, frameCount % parameters.motionInterval == 0 {
      let moving = confirmed(regions.regions()).filter { !takeUp($0) }
      rest = moving.map { Candidate(object: $0, isMoving: true) } + rest
    }
    if rest.count > parameters.limit { rest = byProminence(rest) }
    for candidate in rest where candidate.object.score >= parameters.leastScore {
      if isNew(candidate.object), makeRoom(for: candidate.object) { begin(candidate) }
    }
  }

  /// Whether no object lies where the detection does.
  private func isNew(_ detection: DetectedObject) -> Bool {
    tracks.allSatisfy {
      $0.box.intersectionOverUnion(with: detection.frame) < parameters.overlap
    }
  }

  /// Detections by falling prominence; equals keep their order.
  private func byProminence(_ candidates: [Candidate]) -> [Candidate] {
    let values = candidates.map { prominence(box: $0.object.frame, score: $0.object.score) }
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

  /// Gives what moves to the young object beside it that moved, too, and that nothing speaks for any
  /// more, if there is one: that of the largest overlap, ties to the older.
  private mutating func takeUp(_ detection: DetectedObject) -> Bool {
    guard isNew(detection) else { return false }
    var heir: Int?
    var most: Float = 0
    for (index, track) in tracks.enumerated()
    where track.isMoving && track.age > 0 && track.age <= parameters.youth && !track.isSupported {
      let overlap = track.box.intersectionOverUnion(with: detection.frame)
      if overlap > most { (heir, most) = (index, overlap) }
    }
    guard let heir, move(heir, to: detection.frame) else { return false }
    tracks[heir].support = detection.score
    tracks[heir].isSupported = true
    return true
  }

  /// Follows an object from another box of the last frame on, and returns whether that can be followed.
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
      if source == .detector, detection.score >= parameters.leastScore,
        parameters.correction.contains(overlap)
      {
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
      prominence(of: tracks[worst]) + parameters.lead
        < prominence(box: detection.frame, score: detection.score)
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
        object: object, support: object.score, isMoving: candidate.isMoving, tracker: tracker))
    nextIdentifier += 1
  }
}

extension DetectedObject {
  /// Takes what a detector says that sees the object again. What names no class lets the object keep
  /// its own, of which one is as sure as of the object.
  fileprivate mutating func see(_ detection: DetectedObject) {
    score = detection.score
    labels =
      detection.labels.isEmpty
      ? labels.map { ObjectLabel(text: $0.text, index: $0.index, confidence: detection.score) }
      : detection.labels
  }
}
