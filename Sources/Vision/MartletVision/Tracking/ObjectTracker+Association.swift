//===--- ObjectTracker+Association.swift - continuing objects -------------===//

internal import MartletImage

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
  mutating func match(_ frame: inout FrameDetections, minimumScore: Float) {
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
    frame.isUsed[detection] = true
    update(track, frame.objects[detection], frame)
  }

  private mutating func update(
    _ track: Int, _ detection: DetectedObject, _ frame: FrameDetections
  ) {
    let box = frame.averaged(detection)
    tracks[track].update(
      detection, box: box, frame.appearance(of: box), scoreWeight: parameters.scoreWeight)
  }

  /// Detects in crops around small objects that the whole frame did not show.
  mutating func lookCloser(
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
          frame.appearance(of: detection.frame)
        }
        if let rating, rating > best?.rating ?? 0 { best = (rating, detection) }
      }
      guard var detection = best?.detection else { continue }
      for other in frame.unused
      where frame.objects[other].frame.intersectionOverUnion(with: detection.frame)
        >= ObjectTracker.sameOverlap
      {
        frame.isUsed[other] = true
      }
      // Salience in a crop is not that in the frame.
      detection.prominence = nil
      tracks[index].update(
        detection, box: detection.frame, frame.appearance(of: detection.frame),
        scoreWeight: parameters.scoreWeight)
    }
  }

  /// The similarity of a lost object and a box within its reach, less a share of their distance; `nil`
  /// if the box is another object.
  func returnRating(_ track: ObjectTrack, _ box: Box, _ appearance: () -> Appearance) -> Float? {
    let distance = track.box.distance(to: box)
    let ratio = track.box.area / max(box.area, 1)
    guard ratio > 0.3, ratio < 3.3, distance < 1 + 0.1 * Float(track.lostFrameCount) else {
      return nil
    }
    let similarity = track.appearance.similarity(to: appearance())
    return similarity >= parameters.minimumSimilarity + 0.05 ? similarity - 0.2 * distance : nil
  }

  /// Continues lost objects by detections within reach that look like them.
  mutating func reidentify(_ frame: inout FrameDetections) {
    var pairs = Assignment()
    for (track, state) in tracks.enumerated() where !state.isSeen && state.object.trackingID != nil
    {
      for index in frame.unused
      where frame.objects[index].score >= 0.3 * state.object.score {
        let rating = returnRating(state, frame.objects[index].frame) {
          frame.appearance(of: index)
        }
        if let rating { pairs.add(track: track, detection: index, rating: rating) }
      }
    }
    for (track, detection) in pairs.matches {
      // Its motion is unknown, also if it was seen in the last frame.
      tracks[track].missCount = max(tracks[track].missCount, 1)
      update(track, detection, &frame)
    }
  }

  /// Continues objects by boxes that suppression dropped because they overlap another object.
  mutating func recover(_ frame: inout FrameDetections) {
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
          to: frame.appearance(of: detection.frame))
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
