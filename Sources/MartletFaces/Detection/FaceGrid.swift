//===--- FaceGrid.swift - a detector's outputs to candidates --------------===//
//
// Each cell of a grid is a candidate: a logit, and sixteen numbers of its box and key points in sizes of
// the level: the center's x and y from the cell's center, logarithms of width and height, then x and
// y of each key point from the cell's center.
//
// Contract  `logits` is [rows, columns], `numbers` [rows, columns, 16]. Logarithms are clamped to -4...4.
//           What is not finite is no candidate.
// Order     Candidates by level, row and column.
// Checked   Tests/MartletFacesTests/FaceGridTests.swift
//===----------------------------------------------------------------------===//

package import MartletImage
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

  /// The candidates whose score, multiplied by `weight`, is at least `leastScore` and whose numbers are finite.
  ///
  /// - Parameter transform: Maps a point of the network's input to the image; quarter turns, scaling and moving
  ///   keep boxes upright.
  package func candidates(
    leastScore: Float, weight: Float = 1, transform: (Point) -> Point = { $0 }
  ) -> [FaceCandidate] {
    logits.indices.compactMap { cell in
      let score = weight * VectorMath.logistic(logits[cell])
      guard score >= leastScore else { return nil }
      let candidate = FaceCandidate(score: score, places: pixels(cell)).mapped(transform)
      return !candidate.box.isEmpty && candidate.places.sum().isFinite ? candidate : nil
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
