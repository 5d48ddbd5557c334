//===--- FaceGrid.swift - detector outputs to candidates ------------------===//
//
// Each cell of a grid is a candidate. It has a logit and sixteen numbers in units of the level's
// face size: the box center relative to the cell center, the logarithms of width and height, then
// each key point relative to the cell center.
//
// Contract  `logits` is [rows, columns], `numbers` [rows, columns, 16]. Logarithms are clamped to
//           -4...4. Candidates that are not finite are dropped.
// Order     Candidates by level, row and column.
//===----------------------------------------------------------------------===//

package import MartletImage
import MartletBase

/// One level of a detector's output, dequantized.
package struct FaceGrid: Sendable {
  let columns: Int
  /// Distance between cells, in pixels of the network's input.
  let stride: Float
  /// The unit of the level's numbers: a face size in pixels of the network's input.
  let faceSize: Float
  let logits: [Float]
  let numbers: [Float]

  /// A level of `columns` times `rows` cells; `nil` if an array has the wrong count.
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

  /// The candidates whose score, multiplied by `weight`, is at least `minimumScore` and whose numbers
  /// are finite.
  ///
  /// - Parameter transform: Maps a point of the network's input to the image. It must keep boxes
  ///   upright: quarter turns, scaling and translation do.
  package func candidates(
    minimumScore: Float, weight: Float = 1, transform: (Point) -> Point = { $0 }
  ) -> [FaceCandidate] {
    logits.indices.compactMap { cell in
      let score = weight * VectorMath.logistic(logits[cell])
      guard score >= minimumScore else { return nil }
      let candidate = FaceCandidate(score: score, places: pixels(cell)).mapped(transform)
      return !candidate.box.isEmpty && candidate.places.sum().isFinite ? candidate : nil
    }
  }

  /// Left, top, right and bottom edge, then the key points, in pixels of the network's input.
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
