//===--- FaceCandidate.swift - candidates merged into faces ---------------===//
//
// Contract  Overlapping candidates become one face, whose box and key points are their weighted
//           mean. No face lies mostly inside one with a higher score.
// Order     Candidates and faces by decreasing score, ties by lower index.
//===----------------------------------------------------------------------===//

package import MartletImage

/// A possible face from one cell of a detector's output.
package struct FaceCandidate: Sendable, Hashable {
  let score: Float
  /// Left, top, right and bottom edge, then x and y of the key points, in pixels of the image.
  let places: SIMD16<Float>

  /// The bounding box of the face, in pixels of the image.
  package var box: Box { Box(minX: places[0], minY: places[1], maxX: places[2], maxY: places[3]) }

  /// Applies `transform` to the key points and to two opposite corners of the box.
  func mapped(_ transform: (Point) -> Point) -> FaceCandidate {
    var places = places
    for index in stride(from: 0, to: 16, by: 2) {
      let point = transform(Point(x: places[index], y: places[index + 1]))
      (places[index], places[index + 1]) = (point.x, point.y)
    }
    if places[0] > places[2] { (places[0], places[2]) = (places[2], places[0]) }
    if places[1] > places[3] { (places[1], places[3]) = (places[3], places[1]) }
    return FaceCandidate(score: score, places: places)
  }

  fileprivate var face: DetectedFace? {
    let points = (2..<8).map { Point(x: places[2 * $0], y: places[2 * $0 + 1]) }
    return FaceKeyPoints(points).map { DetectedFace(frame: box, score: score, keyPoints: $0) }
  }
}

/// How candidates are merged into faces.
package struct FaceMergeParameters: Sendable, Hashable {
  /// The maximum number of candidates processed; those with the highest scores are kept.
  package var candidates = 300
  /// A face absorbs candidates whose box overlaps its own at least this much (intersection over
  /// union).
  package var overlap: Float = 0.35
  /// It also absorbs candidates with at least this fraction of their box inside its own.
  package var inside: Float = 0.7
  /// Its box and points are the mean of the candidates that overlap it at least this much.
  package var meanOverlap: Float = 0.6

  package init() {}
}

extension [FaceCandidate] {
  /// Merges the candidates into faces, sorted by decreasing score.
  ///
  /// - Complexity: O(n log n + n f) for n candidates and f faces.
  package func faces(_ parameters: FaceMergeParameters = .init()) -> [DetectedFace] {
    let best = indices.sorted { (self[$1].score, $0) < (self[$0].score, $1) }
    return best.prefix(parameters.candidates).map { self[$0] }
      .merged(parameters).compactMap { $0.face }
  }

  /// The faces in a frame after one with the `known` faces. Candidates that score below `minimumScore` count only
  /// where a known face is and no other one is found; they keep the known score.
  func faces(
    from minimumScore: Float, tracking known: [DetectedFace],
    _ parameters: FaceMergeParameters = .init()
  ) -> [DetectedFace] {
    func isOne(_ first: DetectedFace, _ second: DetectedFace) -> Bool {
      first.frame.intersectionOverUnion(with: second.frame) >= parameters.overlap
    }
    let faces = filter { $0.score >= minimumScore }.faces(parameters)
    let faint = self.faces(parameters).filter { face in
      face.score < minimumScore && !faces.contains { isOne($0, face) }
    }
    return (faces + faint).compactMap { face in
      guard let same = known.first(where: { isOne($0, face) }) else {
        return face.score < minimumScore ? nil : face
      }
      var face = face
      face.score = Swift.max(face.score, same.score)
      return face
    }
  }

  /// Weighted non-maximum suppression of candidates sorted by decreasing score.
  func merged(_ parameters: FaceMergeParameters) -> [FaceCandidate] {
    var (faces, rest): ([FaceCandidate], [FaceCandidate]) = ([], self)
    while let best = rest.first {
      var sum = best.places * best.score
      var weight = best.score
      var others: [FaceCandidate] = []
      for candidate in rest.dropFirst() {
        let overlap = best.box.intersectionOverUnion(with: candidate.box)
        if overlap >= parameters.meanOverlap {
          sum += candidate.places * candidate.score
          weight += candidate.score
        }
        let shared = best.box.intersection(candidate.box).area
        if overlap < parameters.overlap, shared < parameters.inside * candidate.box.area {
          others.append(candidate)
        }
      }
      faces.append(FaceCandidate(score: best.score, places: sum / weight))
      rest = others
    }
    return faces
  }
}

extension DetectedFace {
  /// The face with the box and the key points of the same one of `others`, the faces of the rotated image
  /// by decreasing score, if its score divided by `weight` is higher. The score stays.
  func oriented(
    by others: [DetectedFace], weight: Float, _ parameters: FaceMergeParameters = .init()
  ) -> DetectedFace {
    let same = others.first {
      $0.frame.intersectionOverUnion(with: frame) >= parameters.overlap
    }
    guard let same, same.score > weight * score else { return self }
    return DetectedFace(frame: same.frame, score: score, keyPoints: same.keyPoints)
  }
}
