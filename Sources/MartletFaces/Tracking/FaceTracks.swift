//===--- FaceTracks.swift - faces with identities through frames ----------===//
//
// Each known face is expected where its motion takes it; what is found in the next frame is given to the face
// that it lies nearest to. By position and motion alone: nobody is recognized.
//
// Contract  Reads no clock: frames are counted. Identifiers count from 0 and are never used again, not
//           after `reset` either. The same frames give the same bytes.
// Order     The nearest pair first, ties to the older face, then to the earlier one found.
// Cost      The product of the numbers of known and of found faces; smoothing, their points.
// Checked   Tests/MartletFacesTests/FaceTracksTests.swift
//===----------------------------------------------------------------------===//

internal import MartletImage

/// The faces that are tracked.
package struct FaceTracks: Sendable {
  /// How faces are joined and given up.
  package struct Parameters: Sendable, Hashable {
    /// The intersection over union with the expected box from which a face may be the same.
    package var overlap: Float = 0.2
    /// The intersection over union from which one face may hide a part of another.
    package var touch: Float = 0.02
    /// The distance of key points, in sides of the expected box, up to which it may be, too.
    package var reach: Float = 0.4
    /// For how many frames a face that is lost is expected: half a second.
    package var patience = 15
    /// Whether points are smoothed.
    package var isSmoothing = true

    package init() {}
  }

  private struct Track {
    let id: Int
    var face: DetectedFace
    /// How far the face's middle moves, and its sides grow, from frame to frame.
    var motion = SIMD4<Float>.zero
    var lostCount = 0
    var filter = OneEuroFilter()

    /// The middle and the sides of a box.
    static func shape(_ box: Box) -> SIMD4<Float> {
      [box.center.x, box.center.y, box.width, box.height]
    }

    /// What moves the face from where it was seen last to where it is expected. Only a face that was seen
    /// a frame ago is expected to go on growing.
    var shift: SIMD4<Float> {
      let way = motion * Float(lostCount + 1)
      return lostCount == 0 ? way : [way.x, way.y, 0, 0]
    }

    var expected: Box {
      let shape = Track.shape(face.frame) + shift
      return Box(center: Point(x: shape.x, y: shape.y), width: shape.z, height: shape.w)
    }

    /// Takes the face of a frame. Where another face may hide a part of it, its motion stays what it was: what is
    /// told of it then leans towards the other.
    mutating func see(_ found: DetectedFace, isClear: Bool, isSmoothing: Bool) {
      let way = Track.shape(found.frame) - Track.shape(face.frame)
      if isClear { motion += (way / Float(lostCount + 1) - motion) / 2 }
      lostCount = 0
      face = found
      face.trackingID = id
      if isSmoothing { face.smooth(&filter) }
    }
  }

  private let parameters: Parameters
  /// In the order of their identifiers.
  private var tracks: [Track] = []
  private var nextIdentifier = 0

  package init(_ parameters: Parameters = .init()) { self.parameters = parameters }

  /// Forgets all faces; their identifiers stay used.
  package mutating func reset() { tracks = [] }

  /// Takes the faces of the next frame and gives them their identifiers, in the same order.
  package mutating func update(_ found: [DetectedFace]) -> [DetectedFace] {
    let owners = match(found)
    var faces: [DetectedFace] = []
    for (index, face) in found.enumerated() {
      let track = owners[index] ?? begin(face)
      let isClear = !found.indices.contains { other in
        other != index
          && face.frame.intersectionOverUnion(with: found[other].frame) > parameters.touch
      }
      tracks[track].see(face, isClear: isClear, isSmoothing: parameters.isSmoothing)
      faces.append(tracks[track].face)
    }
    for index in tracks.indices where !faces.contains(where: { $0.trackingID == tracks[index].id })
    {
      tracks[index].lostCount += 1
    }
    tracks.removeAll { $0.lostCount > parameters.patience }
    return faces
  }

  private mutating func begin(_ face: DetectedFace) -> Int {
    tracks.append(Track(id: nextIdentifier, face: face))
    nextIdentifier += 1
    return tracks.count - 1
  }

  /// Which known face each of those found is, if any.
  private func match(_ found: [DetectedFace]) -> [Int?] {
    var pairs: [(distance: Float, track: Int, face: Int)] = []
    for (track, known) in tracks.enumerated() {
      for (face, other) in found.enumerated() {
        if let distance = distance(known, other) { pairs.append((distance, track, face)) }
      }
    }
    pairs.sort { $0 < $1 }
    var owners = [Int?](repeating: nil, count: found.count)
    var isTaken = [Bool](repeating: false, count: tracks.count)
    for (_, track, face) in pairs where owners[face] == nil && !isTaken[track] {
      owners[face] = track
      isTaken[track] = true
    }
    return owners
  }

  /// How far a face is from where a known one is expected, or `nil` if it is another.
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
  /// Smooths box, key points and mesh.
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
