//===--- ObjectTracker+Lifecycle.swift - start and end of objects ---------===//
//
// Checked   Tests/MartletVisionTests/Tracking/ObjectTrackerTests.swift
//===----------------------------------------------------------------------===//

internal import MartletImage

extension ObjectTracker {
  /// Whether a detection starts an object: not if it may be a part of another detection or object, the
  /// whole scene, or an object that is tracked already.
  func mayStart(_ detection: DetectedObject, in frame: FrameDetections) -> Bool {
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
  mutating func identify() {
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

  /// Removes duplicates: of two objects in the same place the one with more support stays, then the
  /// older one, in the place in which it was seen last.
  mutating func merge() {
    var isDuplicate = [Bool](repeating: false, count: tracks.count)
    for older in tracks.indices {
      for younger in tracks.indices.dropFirst(older + 1)
      where !isDuplicate[older] && !isDuplicate[younger]
        && tracks[older].box.isSame(as: tracks[younger].box)
      {
        let (kept, other) =
          tracks[older].support >= tracks[younger].support ? (older, younger) : (younger, older)
        if tracks[kept].missCount > tracks[other].missCount {
          tracks[kept].takePlace(of: tracks[other])
        }
        isDuplicate[other] = true
      }
    }
    tracks = tracks.indices.filter { !isDuplicate[$0] }.map { tracks[$0] }
  }

  /// The objects in sight with a sufficient score that are no parts of better ones.
  mutating func reported(in size: ImageSize) -> [DetectedObject] {
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
