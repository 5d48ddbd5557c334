//===--- FaceTracks.swift - face tracking ---------------------------------===//
//
// The position of each known face is predicted from its motion, and the faces of the next frame are
// matched to the nearest predictions. Only position and motion count; nobody is recognized.
//
// Contract  Time is counted in frames; no clock is read. Identifiers start at 0 and are never
//           reused, even after `reset`. The same frames give the same bytes.
// Order     Nearest pairs are matched first; ties go to the older face, then to the earlier
//           detection.
// Cost      O(known x detected faces), plus smoothing of every point.
//===----------------------------------------------------------------------===//

internal import MartletImage

/// The faces that are tracked through a stream.
package struct FaceTracks: Sendable {
  /// How faces are matched and when they are dropped.
  package struct Parameters: Sendable, Hashable {
    /// A face may match if its intersection over union with the predicted box is at least this.
    package var overlap: Float = 0.2
    /// Above this intersection over union, one face may hide part of another.
    package var touch: Float = 0.02
    /// It may also match if its key points are on average at most this far from the predicted ones,
    /// in sides of the predicted box.
    package var reach: Float = 0.4
    /// For how many frames a lost face is kept: half a second at 30 frames per second.
    package var maximumLostFrames = 15
    /// Whether points are smoothed.
    package var isSmoothing = true

    package init() {}
  }

  private struct Track {
    let id: Int
    var face: DetectedFace
    /// Per frame: the movement of the face's center and the growth of its sides.
    var motion = SIMD4<Float>.zero
    var lostCount = 0
    var filter = OneEuroFilter()

    /// The center and the sides of a box.
    static func shape(_ box: Box) -> SIMD4<Float> {
      [box.center.x, box.center.y, box.width, box.height]
    }

    /// The change from the last detection to the prediction. Growth is predicted only for a face
    /// that was detected in the previous frame.
    var shift: SIMD4<Float> {
      let way = motion * Float(lostCount + 1)
      return lostCount == 0 ? way : [way.x, way.y, 0, 0]
    }

    var expected: Box {
      let shape = Track.shape(face.frame) + shift
      return Box(center: Point(x: shape.x, y: shape.y), width: shape.z, height: shape.w)
    }

    /// Updates the track with a detection. If another face may hide part of it, its motion is kept,
    /// because the box is then biased towards the other face.
    mutating func update(_ found: DetectedFace, isUnoccluded: Bool, isSmoothing: Bool) {
      let way = Track.shape(found.frame) - Track.shape(face.frame)
      if isUnoccluded { motion += (way / Float(lostCount + 1) - motion) / 2 }
      lostCount = 0
      face = found
      face.trackingID = id
      if isSmoothing { face.smooth(&filter) }
    }
  }

  private let parameters: Parameters
  /// Sorted by identifier.
  private var tracks: [Track] = []
  private var nextIdentifier = 0

  package init(_ parameters: Parameters = .init()) { self.parameters = parameters }

  /// Drops all faces. Their identifiers are not reused.
  package mutating func reset() { tracks = [] }

  /// Matches the faces of the next frame and returns them with identifiers, in the same order.
  package mutating func update(_ found: [DetectedFace]) -> [DetectedFace] {
    let owners = match(found)
    var faces: [DetectedFace] = []
    for (index, face) in found.enumerated() {
      let track = owners[index] ?? begin(face)
      let isUnoccluded = !found.indices.contains { other in
        other != index
          && face.frame.intersectionOverUnion(with: found[other].frame) > parameters.touch
      }
      tracks[track].update(face, isUnoccluded: isUnoccluded, isSmoothing: parameters.isSmoothing)
      faces.append(tracks[track].face)
    }
    for index in tracks.indices where !faces.contains(where: { $0.trackingID == tracks[index].id })
    {
      tracks[index].lostCount += 1
    }
    tracks.removeAll { $0.lostCount > parameters.maximumLostFrames }
    return faces
  }

  private mutating func begin(_ face: DetectedFace) -> Int {
    tracks.append(Track(id: nextIdentifier, face: face))
    nextIdentifier += 1
    return tracks.count - 1
  }

  /// The index of the track that each detection matches, if any.
  private func match(_ found: [DetectedFace]) -> [Int?] {
    var pairs = Assignment()
    for (track, known) in tracks.enumerated() {
      for (face, other) in found.enumerated() {
        guard let distance = distance(known, other) else { continue }
        pairs.add(track: track, detection: face, rating: -distance)
      }
    }
    var owners = [Int?](repeating: nil, count: found.count)
    for (track, face) in pairs.matches { owners[face] = track }
    return owners
  }

  /// The distance of a detection from a track's prediction; `nil` if they cannot match.
  private func distance(_ track: Track, _ face: DetectedFace) -> Float? {
    let expected = track.expected
    let side = max(expected.area.squareRoot(), 1)
    let shift = SIMD2(track.shift.x, track.shift.y)
    let ways = zip(track.face.keyPoints.all, face.keyPoints.all).map { old, new in
      let way = new.vector - old.vector - shift
      return (way * way).sum().squareRoot()
    }
    let apart = ways.reduce(0, +) / (Float(ways.count) * side)
    let overlap = expected.intersectionOverUnion(with: face.frame)
    guard overlap >= parameters.overlap || apart <= parameters.reach else { return nil }
    return apart + 1 - overlap
  }
}

extension DetectedFace {
  /// Smooths the box, the key points and the mesh.
  fileprivate mutating func smooth(_ filter: inout OneEuroFilter) {
    var points = [SIMD3(frame.x, frame.y, 0), SIMD3(frame.maxX, frame.maxY, 0)]
    points.reserveCapacity(8 + FaceMesh.pointCount)
    points += keyPoints.all.lazy.map { SIMD3($0.x, $0.y, 0) }
    if let mesh { points += mesh.points }
    let smooth = filter.smooth(points, size: (frame.width + frame.height) / 2)
    frame = Box(
      minX: smooth[0].x, minY: smooth[0].y, maxX: smooth[1].x, maxY: smooth[1].y)
    keyPoints = FaceKeyPoints(smooth[2..<8].map { Point(x: $0.x, y: $0.y) }) ?? keyPoints
    mesh = FaceMesh(Array(smooth.dropFirst(8)))
  }
}
