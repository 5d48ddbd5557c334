//===--- ObjectTracks.swift - objects with identities through frames ------===//
//
// Each frame every tracked object is looked for where it was; from time to time a detector says what
// is there. Detections that overlap an object are its own, others begin new ones. What moves by
// itself is a detection too, once it was seen twice. The box of such a one holds some of what the thing
// uncovered, and a tracker that begins with it may stay behind with that: so the thing that appears
// beside a young object that moved, while nothing speaks for that any more, is that object.
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

/// A box in which a detector sees an object.
package struct Detection: Equatable, Sendable {
  /// Where, in pixels.
  package var box: Box
  /// How sure the detector is, 0...1.
  package var score: Float
  /// What the detector takes it for, in its own numbers, if it says so.
  package var category: Int?
  /// Whether it was seen by its motion, and not by a detector.
  fileprivate var isMoving = false

  package init(box: Box, score: Float, category: Int? = nil) {
    self.box = box
    self.score = score
    self.category = category
  }
}

/// The objects that are tracked.
package struct ObjectTracks {
  /// How objects are begun, kept and given up.
  package struct Parameters: Sendable {
    /// How many objects are tracked at most.
    package var limit = 5
    /// The intersection over union from which a detection and an object are one.
    package var overlap: Float = 0.3
    /// The least score of a detection that begins an object.
    package var leastScore: Float = 0.3
    /// How much more prominent than an object a detection has to be to take its place where there
    /// are as many as there may be.
    package var lead: Float = 0.15
    /// How fast support follows detections, 0...1.
    package var supportRate: Float = 0.2
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
    package var motionScore: Float = 0.6
    /// Every how many frames moving regions are looked for; never where it is 0.
    package var motionInterval = 1
    /// The intersection over union of a moving region with one before that confirms it.
    package var confirmation: Float = 0.5

    package init() {}
  }

  /// An object.
  package struct Track: Sendable {
    /// What tells the object from all others, before and after.
    package let identifier: Int
    /// How sure the detector was when it last saw the object.
    package fileprivate(set) var score: Float
    /// What the detector took it for when it last saw the object.
    package fileprivate(set) var category: Int?
    /// How well detections speak for it, 0...1.
    package fileprivate(set) var support: Float
    /// For how many frames it has been lost; 0 where it is in sight.
    package fileprivate(set) var lostCount = 0
    /// Whether it began with what moves.
    fileprivate let isMoving: Bool
    /// In how many frames it was looked for.
    fileprivate var age = 0
    /// Whether the detections that came last speak for it.
    fileprivate var isSupported = true
    fileprivate var tracker: TargetTracker

    /// Where it is, or was last.
    package var box: Box { tracker.box }
  }

  /// How much an object matters, by its box, the frame's size, and how sure one is of it: by the
  /// last alone, unless told otherwise.
  package typealias Prominence = @Sendable (_ box: Box, _ frame: ImageSize, _ score: Float) -> Float

  private let parameters: Parameters
  private let prominence: Prominence
  private let trackerParameters: TargetTracker.Parameters
  private var tracks: [Track] = []
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

  /// The objects in sight.
  package var visible: [Track] {
    let visible = tracks.filter { $0.lostCount == 0 }
    let values = visible.map { prominence(of: $0) }
    return visible.indices.sorted {
      (values[$1], visible[$0].identifier) < (values[$0], visible[$1].identifier)
    }
    .map { visible[$0] }
  }

  private func prominence(of track: Track) -> Float {
    prominence(box: track.box, score: track.support)
  }

  private func prominence(box: Box, score: Float) -> Float {
    pyramid.map { prominence(box, $0.size, score) } ?? score
  }

  /// The identifiers of all objects, lost ones among them.
  package var identifiers: [Int] { tracks.map { $0.identifier } }

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
    for box in boxes { begin(Detection(box: box, score: 1)) }
  }

  /// Joins what a detector found in the last frame with the objects, and what moves.
  package mutating func associate(_ detections: [Detection]) {
    var rest = match(detections)
    if parameters.motionInterval > 0, frameCount % parameters.motionInterval == 0 {
      rest = confirmed(regions.regions()).filter { !takeUp($0) } + rest
    }
    if rest.count > parameters.limit { rest = byProminence(rest) }
    for detection in rest where detection.score >= parameters.leastScore {
      if isNew(detection), makeRoom(for: detection) { begin(detection) }
    }
  }

  /// Whether no object lies where the detection does.
  private func isNew(_ detection: Detection) -> Bool {
    tracks.allSatisfy {
      $0.box.intersectionOverUnion(with: detection.box) < parameters.overlap
    }
  }

  /// Detections by falling prominence; equals keep their order.
  private func byProminence(_ detections: [Detection]) -> [Detection] {
    let values = detections.map { prominence(box: $0.box, score: $0.score) }
    return detections.indices.sorted { (values[$1], $0) < (values[$0], $1) }
      .map { detections[$0] }
  }

  /// The regions that were seen before as well; the others wait.
  private mutating func confirmed(_ boxes: [Box]) -> [Detection] {
    let seen = boxes.filter { box in
      candidates.contains { $0.intersectionOverUnion(with: box) >= parameters.confirmation }
    }
    candidates = boxes
    return match(
      seen.map { box in
        var detection = Detection(box: box, score: parameters.motionScore)
        detection.isMoving = true
        return detection
      })
  }

  /// Gives what moves to the young object beside it that moved, too, and that nothing speaks for any
  /// more, if there is one: that of the largest overlap, ties to the older.
  private mutating func takeUp(_ detection: Detection) -> Bool {
    guard isNew(detection), let pyramid else { return false }
    var heir: Int?
    var most: Float = 0
    for (index, track) in tracks.enumerated()
    where track.isMoving && track.age > 0 && track.age <= parameters.youth && !track.isSupported {
      let overlap = track.box.intersectionOverUnion(with: detection.box)
      if overlap > most { (heir, most) = (index, overlap) }
    }
    guard let heir,
      let tracker = TargetTracker(detection.box, in: pyramid, parameters: trackerParameters)
    else { return false }
    tracks[heir].tracker = tracker
    tracks[heir].lostCount = 0
    tracks[heir].support = detection.score
    tracks[heir].isSupported = true
    return true
  }

  /// Gives each object its detection and returns those that are no object's.
  private mutating func match(_ detections: [Detection]) -> [Detection] {
    guard !detections.isEmpty else { return [] }
    var pairs: [(overlap: Float, track: Int, detection: Int)] = []
    for track in tracks.indices {
      for (index, detection) in detections.enumerated() {
        let overlap = tracks[track].box.intersectionOverUnion(with: detection.box)
        if overlap >= parameters.overlap { pairs.append((overlap, track, index)) }
      }
    }
    pairs.sort { ($1.overlap, $0.track, $0.detection) < ($0.overlap, $1.track, $1.detection) }
    var supports = [Float](repeating: 0, count: tracks.count)
    var isTaken = [Bool](repeating: false, count: detections.count)
    for (_, track, detection) in pairs where supports[track] == 0 && !isTaken[detection] {
      isTaken[detection] = true
      supports[track] = detections[detection].score
      tracks[track].score = detections[detection].score
      tracks[track].category = detections[detection].category ?? tracks[track].category
    }
    for (index, track) in tracks.enumerated() where supports[index] == 0 {
      let area = parameters.containment * track.box.area
      for detection in detections where detection.box.intersection(track.box).area >= area {
        supports[index] = max(supports[index], detection.score)
      }
    }
    for (index, support) in supports.enumerated() {
      tracks[index].isSupported = support > 0
      tracks[index].support += (support - tracks[index].support) * parameters.supportRate
    }
    return detections.indices.filter { !isTaken[$0] }.map { detections[$0] }
  }

  /// Whether another object may begin; the least prominent one goes for a detection that is more so.
  private mutating func makeRoom(for detection: Detection) -> Bool {
    if tracks.count < parameters.limit { return true }
    guard
      let worst = tracks.indices.min(by: {
        prominence(of: tracks[$0]) < prominence(of: tracks[$1])
      }),
      prominence(of: tracks[worst]) + parameters.lead
        < prominence(box: detection.box, score: detection.score)
    else { return false }
    tracks.remove(at: worst)
    return true
  }

  private mutating func begin(_ detection: Detection) {
    guard let pyramid,
      let tracker = TargetTracker(detection.box, in: pyramid, parameters: trackerParameters)
    else { return }
    tracks.append(
      Track(
        identifier: nextIdentifier, score: detection.score, category: detection.category,
        support: detection.score, isMoving: detection.isMoving, tracker: tracker))
    nextIdentifier += 1
  }
}

extension ObjectTracks.Track {
  fileprivate mutating func follow(_ pyramid: FramePyramid) {
    tracker.update(pyramid)
    age += 1
    lostCount = tracker.isLost ? lostCount + 1 : 0
  }
}
