//===--- FaceGrid.swift - a detector's outputs to faces -------------------===//
//
// Each cell of a grid is a candidate: a logit, and sixteen numbers of its box and key points in sizes of
// the level: the centre's x and y from the cell's centre, logarithms of width and height, then x and
// y of each key point from the cell's centre.
//
// Contract  `logits` is [rows, columns], `numbers` [rows, columns, 16]. Logarithms are clamped to -4...4.
//           What is not finite is no candidate.
// Order     Candidates by falling score, ties by lower index (level, row, column).
// Checked   Tests/MartletFacesTests/FaceGridTests.swift
//===----------------------------------------------------------------------===//

internal import MartletImage
import MartletMath

/// One level of a detector's output, in real numbers.
package struct FaceGrid: Sendable {
  let columns: Int
  /// Pixels of the input from cell to cell.
  let stride: Float
  /// The size of a face, in pixels of the input, in which its numbers are.
  let faceSize: Float
  let logits: [Float]
  let numbers: [Float]

  /// A level of `columns` times `rows` cells, or `nil` if the arrays do not hold just what it needs.
  package init?(
    columns: Int, rows: Int, stride: Float, faceSize: Float, logits: [Float], numbers: [Float]
  ) {
    let cells = columns.multipliedReportingOverflow(by: rows)
    guard columns > 0, rows > 0, !cells.overflow, logits.count == cells.partialValue,
      numbers.count / 16 == cells.partialValue, numbers.count.isMultiple(of: 16)
    else { return nil }
    self.columns = columns
    self.stride = stride
    self.faceSize = faceSize
    self.logits = logits
    self.numbers = numbers
  }

  /// The cells whose score is at least `leastScore`.
  fileprivate func candidates(leastScore: Float) -> [FaceCandidate] {
    logits.indices.compactMap { cell in
      let score = VectorMath.logistic(logits[cell])
      guard score >= leastScore else { return nil }
      return FaceCandidate(score: score, numbers: pixels(cell))
    }
  }

  /// Left, top, right and bottom edge, then the key points, in pixels of the input.
  private func pixels(_ cell: Int) -> SIMD16<Float> {
    var own = SIMD16<Float>()
    for index in 0..<16 { own[index] = numbers[16 * cell + index] }
    let center = SIMD2(Float(cell % columns), Float(cell / columns)) + 0.5
    var places = own * faceSize
    places.evenHalf += center.x * stride
    places.oddHalf += center.y * stride
    let middle = SIMD2(places[0], places[1])
    func length(_ logarithm: Float) -> Float {
      VectorMath.exp(min(max(logarithm, -4), 4)) * faceSize
    }
    let half = SIMD2(length(own[2]), length(own[3])) / 2
    (places[0], places[1]) = (middle.x - half.x, middle.y - half.y)
    (places[2], places[3]) = (middle.x + half.x, middle.y + half.y)
    return places
  }
}

/// A face that one cell tells of.
struct FaceCandidate {
  let score: Float
  /// Left, top, right and bottom edge, then x and y of the key points.
  let numbers: SIMD16<Float>

  var box: Box { Box(minX: numbers[0], minY: numbers[1], maxX: numbers[2], maxY: numbers[3]) }

  /// The face, in a picture whose pixels are `scale` to one of the input.
  func face(scale: Float) -> DetectedFace? {
    let places = numbers * scale
    let points = (2..<8).map { Point(x: places[2 * $0], y: places[2 * $0 + 1]) }
    guard numbers.sum().isFinite, let keyPoints = FaceKeyPoints(points) else { return nil }
    return DetectedFace(
      frame: Box(minX: places[0], minY: places[1], maxX: places[2], maxY: places[3]),
      score: score, keyPoints: keyPoints)
  }
}

/// Which candidates become faces.
package struct FaceMergeParameters: Sendable, Hashable {
  /// Candidates under this score are dropped.
  package var leastScore = FaceParts.defaultLeastScore
  /// How many candidates, best first, are looked at.
  package var candidates = 300
  /// A face takes all candidates whose boxes overlap its own by this much (intersection over union).
  package var overlap: Float = 0.35
  /// Its box and points are the mean of those that overlap by this much.
  package var meanOverlap: Float = 0.6

  package init() {}
}

extension [FaceGrid] {
  /// The faces in all levels by falling score, in a picture whose pixels are `scale` to one of the input.
  ///
  /// - Complexity: A sort of the candidates, and their number times that of the faces.
  package func faces(
    scale: Float, parameters: FaceMergeParameters = .init()
  ) -> [DetectedFace] {
    let all = flatMap { $0.candidates(leastScore: parameters.leastScore) }
      .filter { !$0.box.isEmpty && $0.numbers.sum().isFinite }
    let best = all.indices.sorted { (all[$1].score, $0) < (all[$0].score, $1) }
    return best.prefix(parameters.candidates).map { all[$0] }
      .merged(parameters).compactMap { $0.face(scale: scale) }
  }
}

extension [FaceCandidate] {
  /// Weighted non-maximum suppression of candidates that come by falling score.
  func merged(_ parameters: FaceMergeParameters) -> [FaceCandidate] {
    var (faces, rest): ([FaceCandidate], [FaceCandidate]) = ([], self)
    while let best = rest.first {
      var sum = best.numbers * best.score
      var weight = best.score
      var others: [FaceCandidate] = []
      for candidate in rest.dropFirst() {
        let overlap = best.box.intersectionOverUnion(with: candidate.box)
        if overlap >= parameters.meanOverlap {
          sum += candidate.numbers * candidate.score
          weight += candidate.score
        }
        if overlap < parameters.overlap { others.append(candidate) }
      }
      faces.append(FaceCandidate(score: best.score, numbers: sum / weight))
      rest = others
    }
    return faces
  }
}
