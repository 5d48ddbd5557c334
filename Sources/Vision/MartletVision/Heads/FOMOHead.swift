//===--- FOMOHead.swift - cells with objects ------------------------------===//
//
// FOMO of Edge Impulse tells for each cell which object has its center there. It has no boxes: an
// object's frame are the cells that touch.
//
// Contract  Channel 0 is the background and is never reported.
// Source    Edge Impulse, `ei_fill_result_struct.h`.
//===----------------------------------------------------------------------===//

/// [1, height / 8, width / 8, 1 + classes].
struct FOMOHead: DetectionHead {
  private let table: CandidateTable
  private let rows, columns: Int
  let reason: String

  init?(_ evidence: HeadEvidence) {
    guard evidence.outputs.count == 1 else { return nil }
    let (output, image) = (evidence.outputs[0], evidence.image)
    let shape = output.shape
    guard shape.rank == 4, shape[0] == 1, shape[1] == image.height / 8,
      shape[2] == image.width / 8, shape[3] > 1,
      evidence.isSoftmax || output.quantization?.scale == 1 / 256
    else { return nil }
    (rows, columns) = (shape[1], shape[2])
    table = CandidateTable(
      output: 0, count: rows * columns, channels: shape[3], isTransposed: false)
    reason = "\(shape) has the background and \(shape[3] - 1) classes of cells with 8 pixels"
  }

  var classCount: Int? { table.channels }
  var input: DetectorInput { .stretchedShares }
  var suppression: BoxSuppression { .touching }
  var threshold: Float { 0.5 }
  var scoreOutput: Int? { 0 }

  func candidateCount(_ outputs: HeadOutputs) throws(VisionError) -> Int {
    try check(table, in: outputs)
  }

  func best(_ candidate: Int, _ outputs: HeadOutputs, least: Float) -> (score: Float, index: Int) {
    let best = table.best(candidate, 1..<table.channels, outputs)
    return (best.score, best.index + 1)
  }

  func box(_ candidate: Int, _ outputs: HeadOutputs) -> RelativeBox {
    let (row, column) = candidate.quotientAndRemainder(dividingBy: columns)
    return RelativeBox(
      minX: Float(column) / Float(columns), minY: Float(row) / Float(rows),
      maxX: Float(column + 1) / Float(columns), maxY: Float(row + 1) / Float(rows))
  }
}
