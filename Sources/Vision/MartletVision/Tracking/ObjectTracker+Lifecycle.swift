//===--- ObjectTracker+Lifecycle.swift - start and end of objects ---------===//

internal import MartletImage

extension ObjectTracker {
  /// Whether a detection starts an object: not if it may be a part of another detection or object, the
  /// whole scene, or an object that is tracked already.
  func mayStart(_ detection: DetectedObject, in frame: FrameDetections) -> Bool {
    let box = detection.frame
    // Detectors of several classes report some objects twice.
    guard hasParts else { return tracks.allSatisfy { !$0.isSeen || !$0.box.isSame(as: box) } }
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

  /// Whether an object without identifier gets one: it has a certain detection or several weak ones. It
  /// needs `nestedDetectionCount` if it may be a part of another object, or a group around it.
  private func isCertain(_ track: ObjectTrack) -> Bool {
    let isNested =
      hasParts
      && tracks.contains { other in
        other.object.trackingID != nil && other.isNear
          && other.box.intersection(track.box).area
            >= ObjectTracker.nestedShare * min(other.box.area, track.box.area)
      }
    if !isNested, track.lastScore >= parameters.startScore { return true }
    let count =
      isNested ? ObjectTracker.nestedDetectionCount : parameters.steadyDetectionCount
    return track.detectionCount >= count && track.object.score >= 0.4 * parameters.startScore
  }

  /// Gives identifiers to objects that are certain, those of lost objects if they may be these.
  mutating func identify() {
    var isTaken = [Bool](repeating: false, count: tracks.count)
    for index in tracks.indices
    where tracks[index].isSeen && tracks[index].object.trackingID == nil && isCertain(tracks[index])
    {
      let track = tracks[index]
      var best: (rating: Float, lost: Int)?
      for (lost, state) in tracks.enumerated() where !state.isSeen && state.object.trackingID != nil
      {
        let rating = returnRating(state, track.box) { track.appearance }
        if let rating, rating > best?.rating ?? -.infinity { best = (rating, lost) }
      }
      if let best {
        tracks[best.lost].takePlace(of: track)
        isTaken[index] = true
      } else {
        tracks[index].object.trackingID = nextIdentifier
        nextIdentifier += 1
      }
    }
    // The oldest first: by identifier, then those without in the order of their detections.
    let order = tracks.indices.filter { !isTaken[$0] }.sorted {
      (tracks[$0].object.trackingID ?? .max, $0) < (tracks[$1].object.trackingID ?? .max, $1)
    }
    tracks = order.map { tracks[$0] }
  }

  /// Whether two objects are one: they are in the same place, or overlap and look similar, so that a
  /// detection of either could continue the other. If detections have no parts, only an object without
  /// identifier can be another one: two with identifiers are one in front of the other.
  private func isSame(_ track: ObjectTrack, as other: ObjectTrack) -> Bool {
    if !hasParts {
      return !(track.isSeen && other.isSeen) && track.box.isSame(as: other.box)
        && (track.object.trackingID == nil || other.object.trackingID == nil)
    }
    return track.box.isSame(as: other.box)
      || track.box.intersectionOverUnion(with: other.box) > parameters.minimumOverlap
        && track.appearance.similarity(to: other.appearance) >= parameters.minimumSimilarity
  }

  /// Removes duplicates: of two objects that are one the one with more support stays, then the older
  /// one, in the place in which it was seen last.
  mutating func merge() {
    var isDuplicate = [Bool](repeating: false, count: tracks.count)
    for older in tracks.indices {
      for younger in tracks.indices.dropFirst(older + 1)
      where !isDuplicate[older] && !isDuplicate[younger]
        && isSame(tracks[older], as: tracks[younger])
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
    let least =
      minimumScore
      ?? max(
        ObjectTracker.reported.least,
        min(parameters.reportedShare * best, ObjectTracker.reported.always))
    var objects: [DetectedObject] = []
    for object in inSight.filter({ $0.score >= least })
      .byProminence(in: size, parameters: DetectionParameters())
    {
      let isPart =
        hasParts
        && objects.contains { other in
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
