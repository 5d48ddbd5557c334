//===--- GridHead.swift - grids of anchors that the caller gives ----------===//
//
// YOLOv2, v3, v4 and their small relatives: of each anchor of each cell the center, the size, objectness
// and a score for each class, all before the sigmoid. The anchors' sizes are not in the file.
//
// Contract  The grids are sorted from the finest to the coarsest, as their anchors. A single grid is
//           YOLOv2's, whose classes exclude each other: a softmax makes their scores.
// Source    Darknet, `yolo_layer.c` and `region_layer.c`.
//===----------------------------------------------------------------------===//

import MartletBase

/// One to three outputs [1, rows, columns, anchors · (5 + classes)].
struct GridHead: DetectionHead {
  /// An output with the anchors of each of its cells.
  private struct Grid {
    let output, rows, columns: Int
    /// The sizes of the anchors, as shares of the input's sides.
    let anchors: [(width: Float, height: Float)]
    /// The number of boxes of the grids before.
    let first: Int
  }

  private let grids: [Grid]
  private let scoreCount: Int
  private let boxCount: Int
  let reason: String

  init?(_ evidence: HeadEvidence) {
    guard let numbers = evidence.givenAnchors, !numbers.isEmpty else { return nil }
    let shapes = evidence.outputs.map { $0.shape }
    let order = shapes.indices.sorted {
      (shapes[$1].elementCount, $0) < (shapes[$0].elementCount, $1)
    }
    let (perGrid, rest) = numbers.count.quotientAndRemainder(dividingBy: 2 * max(shapes.count, 1))
    guard rest == 0, perGrid > 0, let channels = shapes.first?.dimensions.last,
      shapes.allSatisfy({ $0.rank == 4 && $0[0] == 1 && $0[3] == channels }),
      channels.isMultiple(of: perGrid), channels / perGrid > 5
    else { return nil }
    let image = evidence.image
    var grids: [Grid] = []
    var count = 0
    for (place, output) in order.enumerated() {
      let anchors = (0..<perGrid).map { anchor in
        let index = 2 * (place * perGrid + anchor)
        return (
          width: numbers[index] / Float(image.width),
          height: numbers[index + 1] / Float(image.height)
        )
      }
      let grid = Grid(
        output: output, rows: shapes[output][1], columns: shapes[output][2], anchors: anchors,
        first: count)
      grids.append(grid)
      count += grid.rows * grid.columns * perGrid
    }
    (self.grids, boxCount, scoreCount) = (grids, count, channels / perGrid - 5)
    let sizes = grids.map { "\($0.columns) x \($0.rows)" }.joined(separator: ", ")
    reason = "grids of \(sizes) cells with \(perGrid) given anchors and \(scoreCount) classes"
  }

  var classCount: Int? { scoreCount }
  var input: DetectorInput { .grids }
  var suppression: BoxSuppression { .ofClass(0.45) }
  var scoreOutput: Int? { nil }

  func candidateCount(_ outputs: HeadOutputs) throws(VisionError) -> Int {
    for grid in grids {
      let count = grid.rows * grid.columns * grid.anchors.count * (5 + scoreCount)
      guard outputs[grid.output].count == count else {
        throw .unsuitable(
          .detectionShape(tensor: "\(grid.output)", found: outputs[grid.output].shape))
      }
    }
    return boxCount
  }

  /// The grid of a candidate, its cell and anchor, and the place of its first number.
  private func place(
    _ candidate: Int
  ) -> (grid: Grid, cell: Int, anchor: Int, start: Int) {
    let grid = grids.last { $0.first <= candidate } ?? grids[0]
    let (cell, anchor) = (candidate - grid.first).quotientAndRemainder(
      dividingBy: grid.anchors.count)
    return (grid, cell, anchor, (candidate - grid.first) * (5 + scoreCount))
  }

  func best(_ candidate: Int, _ outputs: HeadOutputs, least: Float) -> (score: Float, index: Int) {
    let (grid, _, _, start) = place(candidate)
    let values = outputs[grid.output]
    let objectness = VectorMath.logistic(values[start + 4])
    guard objectness >= least, objectness.isFinite else { return (objectness, 0) }
    var (best, index) = (-Float.infinity, 0)
    for label in 0..<scoreCount {
      let value = values[start + 5 + label]
      if value.isNaN { return (value, label) }
      if value > best { (best, index) = (value, label) }
    }
    guard grids.count == 1 else { return (objectness * VectorMath.logistic(best), index) }
    let sum = (0..<scoreCount).reduce(Float(0)) {
      $0 + VectorMath.exp(values[start + 5 + $1] - best)
    }
    return (objectness / sum, index)
  }

  func box(_ candidate: Int, _ outputs: HeadOutputs) -> RelativeBox {
    let (grid, cell, anchor, start) = place(candidate)
    let values = outputs[grid.output]
    let (row, column) = cell.quotientAndRemainder(dividingBy: grid.columns)
    let size = grid.anchors[anchor]
    return RelativeBox(
      centerX: (Float(column) + VectorMath.logistic(values[start])) / Float(grid.columns),
      centerY: (Float(row) + VectorMath.logistic(values[start + 1])) / Float(grid.rows),
      width: VectorMath.exp(values[start + 2]) * size.width,
      height: VectorMath.exp(values[start + 3]) * size.height)
  }
}
