//===--- UserTracks.swift - tracking of user-provided boxes ---------------===//
//
// Contract  Identifiers count from 0 in the order of the boxes and are never reused, not even after
//           `reset`. An object that is lost for `lostFrameCount` frames ends.
// Cost      A correlation filter for each object; detection in crops around `closerLookCount` of them,
//           lost ones first, then each in its turn.
//===----------------------------------------------------------------------===//

package import MartletImage

/// The tracks of user-provided boxes.
package struct UserTracks {
  private let parameters: TrackingParameters
  private let minimumScore: Float
  /// By identifier.
  private var tracks: [UserTrack] = []
  private var nextIdentifier = 0
  /// The identifier of the last track with a crop, which may have ended; the next one follows it.
  private var lastCropped = -1

  /// Reports objects with at least `minimumScore`; `nil` for 0.1.
  package init(_ parameters: TrackingParameters, minimumScore: Float? = nil) {
    self.parameters = parameters
    self.minimumScore = minimumScore ?? UserTrack.reportedScore
  }

  /// The objects that are in sight, or were until a moment ago.
  package var visible: [DetectedObject] {
    tracks.map { $0.object }.filter { $0.score >= minimumScore }
  }

  package var identifiers: [Int] { tracks.compactMap { $0.object.trackingID } }

  /// Removes all objects; their identifiers are not reused.
  package mutating func reset() { (tracks, lastCropped) = ([], -1) }

  /// Starts objects in a frame; boxes outside of it are ignored.
  package mutating func begin(
    _ boxes: [Box], _ pyramid: FramePyramid, _ frame: FrameDetections, look: ObjectTracker.Look
  ) throws(VisionError) {
    for box in boxes {
      guard
        var track = UserTrack(box, identifier: nextIdentifier, in: pyramid, frame.reader)
      else { continue }
      let isCropped = tracks.count < parameters.closerLookCount
      let detections = isCropped ? try look(track.crop(in: frame.size)) : []
      track.relate(to: frame.objects + detections)
      tracks.append(track)
      nextIdentifier += 1
    }
  }

  /// Tracks all objects in the next frame by its pixels and detections.
  package mutating func update(
    _ pyramid: FramePyramid, _ frame: FrameDetections, look: ObjectTracker.Look
  ) throws(VisionError) {
    for index in tracks.indices { tracks[index].find(in: pyramid, frame.reader) }
    let order = tracks.indices.sorted { first, second in
      func rank(_ index: Int) -> (Int, Int, Int) {
        let isLost = tracks[index].lostCount > 0
        return (isLost ? 0 : 1, tracks[index].identifier > lastCropped ? 0 : 1, index)
      }
      return rank(first) < rank(second)
    }
    for (place, index) in order.enumerated() {
      var detections = frame.objects
      if place < parameters.closerLookCount {
        detections += try look(tracks[index].crop(in: frame.size))
        lastCropped = tracks[index].identifier
      }
      tracks[index].correct(by: detections, in: pyramid, frame.reader)
    }
    tracks.removeAll { $0.lostCount > parameters.lostFrameCount }
  }
}
