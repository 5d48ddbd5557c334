//===--- ObjectTracker.swift - tracking by detection ----------------------===//
//
// Objects are continued by the detections of each frame, in this order:
//
// 1. Detections that score high enough to start an object, where the object is expected and similar.
// 2. Detections in a crop around a small object that the whole frame did not show.
// 3. The other detections, as in 1 (Zhang et al., ByteTrack, 2022).
// 4. Detections within reach that look like a lost object.
// 5. Boxes that non-maximum suppression dropped in favor of another object.
//
// The remaining detections start objects, at first without identifier. Of two objects in the same place
// the older one stays.
//
// Contract  Reads no clock. Identifiers count from 0 and are never reused, not even after `reset`.
//           Reported objects are sorted by decreasing salience, then by identifier. A single object is
//           reported until it is out of sight. The same frames give the same objects.
// Checked   Tests/MartletVisionTests/Tracking/ObjectTrackerTests.swift; scores in Tracking.md
//===----------------------------------------------------------------------===//

package import MartletImage

/// Tracks detected objects from frame to frame.
package struct ObjectTracker {
  /// Detects objects in a crop of the frame; boxes are in pixels of the whole frame.
  package typealias Look = (_ crop: Box) throws(VisionError) -> [DetectedObject]

  /// The IoU from which two boxes are the same object.
  fileprivate static let sameOverlap: Float = 0.5
  /// The score in relation to the object's from which a detection continues it; a boundary between the
  /// object and weak detections beside it.
  private static let weakestShare: Float = 0.2
  /// The lowest score of a reported object, and the one from which objects are reported in any case.
  private static let reported: (least: Float, always: Float) = (0.08, 0.2)
  /// The side of a crop in units of the object's longer side, its smallest side in pixels, and the share
  /// of the frame from which an object needs no crop.
  private static let crop: (factor: Float, side: Float, largeShare: Float) = (2.5, 48, 0.25)
  /// A detection of this share of the frame is often the whole scene; it starts an object only from
  /// this score on.
  private static let scene: (share: Float, score: Float) = (0.8, 0.85)
  /// The share of a box inside another one from which it may be a part of it; and the score in relation
  /// to the other one's from which it is an object in front of it.
  private static let (partShare, frontScore): (Float, Float) = (0.8, 0.4)
  /// The lowest share of an object inside the frame.
  private static let visibleShare: Float = 0.3

  private let parameters: TrackingParameters
  private let limit: Int
  private(set) var tracks: [ObjectTrack] = []
  private var nextIdentifier = 0
  private var frameCount = 0
  /// The object that is reported if only one is.
  private var mainIdentifier: Int?
  /// The reported objects in the last frame.
  package private(set) var visible: [DetectedObject] = []

  /// A tracker that reports at most `limit` objects.
  package init(_ parameters: TrackingParameters = .init(), limit: Int) {
    self.parameters = parameters
    self.limit = limit
  }

  /// The identifiers of all objects, including lost ones.
  package var identifiers: [Int] { tracks.compactMap { $0.object.trackingID } }

  /// Removes all objects; their identifiers are not reused.
  package mutating func reset() {
    (tracks, visible, frameCount, mainIdentifier) = ([], [], 0, nil)
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
    advance()
    match(&frame, minimumScore: parameters.startScore)
    try lookCloser(&frame, look)
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
        ObjectTrack(detection, box: box, frame.reader.appearance(of: box)))
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

// MARK: - Association

extension ObjectTracker {
  /// The sum of overlap and similarity of a track and a detection; `nil` if the detection cannot
  /// continue the track.
  private func rating(
    _ track: ObjectTrack, _ detection: DetectedObject, _ appearance: () -> Appearance
  ) -> Float? {
    let overlap = track.motion.overlap(with: detection.frame)
    guard overlap >= parameters.minimumOverlap,
      detection.score >= ObjectTracker.weakestShare * track.object.score
    else { return nil }
    let similarity = track.appearance.similarity(to: appearance())
    return similarity >= parameters.minimumSimilarity ? overlap + similarity : nil
  }

  /// Continues tracks by unused detections of at least this score.
  private mutating func match(_ frame: inout FrameDetections, minimumScore: Float) {
    var pairs = Assignment()
    for (track, state) in tracks.enumerated() where state.isNear && !state.isSeen {
      for index in frame.unused where frame.objects[index].score >= minimumScore {
        if let rating = rating(state, frame.objects[index], { frame.appearance(of: index) }) {
          pairs.add(track: track, detection: index, rating: rating)
        }
      }
    }
    for (track, detection) in pairs.matches { update(track, detection, &frame) }
  }

  private mutating func update(_ track: Int, _ detection: Int, _ frame: inout FrameDetections) {
    frame.use(detection)
    update(track, frame.objects[detection], frame)
  }

  private mutating func update(
    _ track: Int, _ detection: DetectedObject, _ frame: FrameDetections
  ) {
    let box = frame.averaged(detection)
    tracks[track].update(
      detection, box: box, frame.reader.appearance(of: box), scoreWeight: parameters.scoreWeight)
  }

  /// Detects in crops around small objects that the whole frame did not show.
  private mutating func lookCloser(
    _ frame: inout FrameDetections, _ look: Look
  ) throws(VisionError) {
    let large = ObjectTracker.crop.largeShare * Float(frame.size.width * frame.size.height)
    let due = tracks.indices.filter { index in
      let track = tracks[index]
      return track.isNear && !track.isSeen && track.object.trackingID != nil
        && track.object.score >= ObjectTracker.reported.least && track.box.area < large
    }
    let next = due.sorted { (tracks[$0].lastLook, $0) < (tracks[$1].lastLook, $1) }
    for index in next.prefix(parameters.closerLookCount) {
      tracks[index].lastLook = frameCount
      let crop = tracks[index].box.crop(
        ObjectTracker.crop.factor, smallest: ObjectTracker.crop.side, in: frame.size)
      var best: (rating: Float, detection: DetectedObject)?
      for detection in try look(crop) where detection.score >= parameters.minimumScore {
        let rating = rating(tracks[index], detection) {
          frame.reader.appearance(of: detection.frame)
        }
        if let rating, rating > best?.rating ?? 0 { best = (rating, detection) }
      }
      guard var detection = best?.detection else { continue }
      for other in frame.unused
      where frame.objects[other].frame.intersectionOverUnion(with: detection.frame)
        >= ObjectTracker.sameOverlap
      {
        frame.use(other)
      }
      // Salience in a crop is not that in the frame.
      detection.prominence = nil
      tracks[index].update(
        detection, box: detection.frame, frame.reader.appearance(of: detection.frame),
        scoreWeight: parameters.scoreWeight)
    }
  }

  /// Continues lost objects by detections within reach that look like them.
  private mutating func reidentify(_ frame: inout FrameDetections) {
    var pairs = Assignment()
    for (track, state) in tracks.enumerated() where !state.isSeen && state.object.trackingID != nil
    {
      for index in frame.unused {
        let detection = frame.objects[index]
        let distance = state.box.distance(to: detection.frame)
        let ratio = state.box.area / max(detection.frame.area, 1)
        guard detection.score >= 0.3 * state.object.score, ratio > 0.3, ratio < 3.3,
          distance < 1 + 0.1 * Float(state.lostFrameCount)
        else { continue }
        let similarity = state.appearance.similarity(to: frame.appearance(of: index))
        guard similarity >= parameters.minimumSimilarity + 0.05 else { continue }
        pairs.add(track: track, detection: index, rating: similarity - 0.2 * distance)
      }
    }
    for (track, detection) in pairs.matches {
      // Its motion is unknown, also if it was seen in the last frame.
      tracks[track].missCount = max(tracks[track].missCount, 1)
      update(track, detection, &frame)
    }
  }

  /// Continues objects by boxes that suppression dropped because they overlap another object.
  private mutating func recover(_ frame: inout FrameDetections) {
    for (index, track) in tracks.enumerated() where track.isNear && !track.isSeen {
      let overlaps = frame.candidates.map { track.motion.overlap(with: $0.frame) }
      let near = overlaps.indices.filter {
        overlaps[$0] >= ObjectTracker.sameOverlap
          && frame.candidates[$0].score >= ObjectTracker.weakestShare / 2 * track.object.score
      }
      var best: (rating: Float, detection: DetectedObject)?
      for candidate in near.sorted(by: { (overlaps[$1], $0) < (overlaps[$0], $1) }).prefix(10) {
        let detection = frame.candidates[candidate]
        let similarity = track.appearance.similarity(
          to: frame.reader.appearance(of: detection.frame))
        let rating = overlaps[candidate] * similarity
        if similarity >= parameters.minimumSimilarity + 0.1, rating > best?.rating ?? 0 {
          best = (rating, detection)
        }
      }
      guard let detection = best?.detection,
        !tracks.contains(where: { $0.isSeen && $0.box.isSame(as: detection.frame) })
      else { continue }
      update(index, detection, frame)
    }
  }
}

extension Box {
  fileprivate func isSame(as other: Box) -> Bool {
    intersectionOverUnion(with: other) > ObjectTracker.sameOverlap
  }
}

// MARK: - Lifecycle

extension ObjectTracker {
  /// Whether a detection starts an object: not if it may be a part of another detection or object, the
  /// whole scene, or an object that is tracked already.
  private func mayStart(_ detection: DetectedObject, in frame: FrameDetections) -> Bool {
    let box = detection.frame
    let area = box.area
    if area > ObjectTracker.scene.share * Float(frame.size.width * frame.size.height),
      detection.score < ObjectTracker.scene.score
    {
      return false
    }
    let isPart = frame.objects.contains { other in
      let ratio = other.frame.area / max(area, 1)
      return ratio > 1.3 && ratio < 6 && other.score >= 0.3 * detection.score
        && box.share(inside: other.frame) >= ObjectTracker.partShare
    }
    return !isPart
      && tracks.allSatisfy { track in
        let overlap = track.box.intersectionOverUnion(with: box)
        guard track.object.trackingID != nil, track.isNear else {
          return overlap < ObjectTracker.sameOverlap
        }
        if overlap >= parameters.minimumOverlap { return false }
        // Inside an object, or around it, what scores much lower is no other object.
        let shared = box.intersection(track.box).area
        return shared < 0.7 * min(area, track.box.area) || area >= 4 * track.box.area
          || detection.score >= ObjectTracker.frontScore * track.object.score
      }
  }

  /// Gives identifiers to objects with a certain detection or several weak ones.
  private mutating func identify() {
    for (index, track) in tracks.enumerated() where track.isSeen && track.object.trackingID == nil {
      let isSteady =
        track.detectionCount >= parameters.steadyDetectionCount
        && track.object.score >= 0.4 * parameters.startScore
      guard track.lastScore >= parameters.startScore || isSteady else { continue }
      tracks[index].object.trackingID = nextIdentifier
      nextIdentifier += 1
    }
    // The oldest first: by identifier, then those without in the order of their detections.
    let order = tracks.indices.sorted {
      (tracks[$0].object.trackingID ?? .max, $0) < (tracks[$1].object.trackingID ?? .max, $1)
    }
    tracks = order.map { tracks[$0] }
  }

  /// Removes duplicates: of two objects in the same place the older one stays, in the place in which
  /// it was seen last.
  private mutating func merge() {
    var isDuplicate = [Bool](repeating: false, count: tracks.count)
    for older in tracks.indices {
      for younger in tracks.indices.dropFirst(older + 1)
      where !isDuplicate[older] && !isDuplicate[younger]
        && tracks[older].box.isSame(as: tracks[younger].box)
      {
        if tracks[older].missCount > tracks[younger].missCount {
          tracks[older].takePlace(of: tracks[younger])
        }
        isDuplicate[younger] = true
      }
    }
    tracks = tracks.indices.filter { !isDuplicate[$0] }.map { tracks[$0] }
  }

  /// The objects in sight with a sufficient score that are no parts of better ones.
  private mutating func reported(in size: ImageSize) -> [DetectedObject] {
    let inSight = tracks.filter { $0.object.trackingID != nil && $0.missCount == 0 }
      .map { $0.object }
    let best = inSight.reduce(0) { max($0, $1.score) }
    let least = max(
      ObjectTracker.reported.least,
      min(parameters.reportedShare * best, ObjectTracker.reported.always))
    var objects: [DetectedObject] = []
    for object in inSight.filter({ $0.score >= least })
      .byProminence(in: size, parameters: DetectionParameters())
    {
      let isPart = objects.contains { other in
        object.score < ObjectTracker.frontScore * other.score
          && object.frame.area < 0.7 * other.frame.area
          && object.frame.share(inside: other.frame) >= ObjectTracker.partShare
      }
      if !isPart { objects.append(object) }
    }
    guard limit == 1 else { return Array(objects.prefix(limit)) }
    guard let main = objects.first(where: { $0.trackingID == mainIdentifier }) ?? objects.first
    else { return [] }
    mainIdentifier = main.trackingID
    return [main]
  }
}

extension Box {
  /// A square around the box, `factor` times its longer side and at least `smallest` wide, moved and
  /// clipped to the frame.
  func crop(_ factor: Float, smallest: Float, in frame: ImageSize) -> Box {
    let side = max(factor * max(width, height), smallest)
    let (columns, rows) = (min(side, Float(frame.width)), min(side, Float(frame.height)))
    return Box(
      x: min(max(center.x - columns / 2, 0), Float(frame.width) - columns),
      y: min(max(center.y - rows / 2, 0), Float(frame.height) - rows), width: columns, height: rows)
  }
}
