//===--- EndToEndHead.swift - boxes that the network selected -------------===//
//
// YOLOv10, 26 and exports with suppression: corners, score and class of each box. Masks or points
// may follow.
//
// Contract  Rows that are not used have score 0.
// Source    Ultralytics 8.4, `nn/modules/head.py`.
//===----------------------------------------------------------------------===//

/// [1, boxes, 6].
struct EndToEndHead: DetectionHead {
  private let table: CandidateTable
  private let image: ImageLayout
  private var unit = CoordinateUnit.share
  let classCount: Int?
  let reason: String

  init?(_ evidence: HeadEvidence) {
    let isStated = evidence.export?.isEndToEnd ?? false
    let outputs = evidence.outputs
    let index = outputs.firstIndex { output in
      let shape = output.shape
      guard shape.rank == 3, shape[0] == 1, shape[2] == 6 || isStated && shape[2] > 6 else {
        return false
      }
      // Otherwise it is a YOLOv5 with one class, or another head with a row for each cell.
      return [1, 3].allSatisfy { evidence.strides(ofCells: shape[1], factor: $0) == nil }
    }
    guard let index else { return nil }
    let shape = outputs[index].shape
    table = CandidateTable(
      output: index, count: shape[1], channels: shape[2], isTransposed: false)
    image = evidence.image
    classCount = evidence.export?.names.count
    reason =
      "\(shape) has the corners, the score and the class of \(shape[1]) boxes"
      + evidence.furtherParts(shape[2] - 6)
  }

  var input: DetectorInput { .letterboxed }
  var suppression: BoxSuppression { .none }
  var scoreOutput: Int? { table.output }

  mutating func adapt(to outputs: HeadOutputs) {
    unit = CoordinateUnit(largest: table.maximum(ofChannels: 0..<4, outputs))
  }

  func candidateCount(_ outputs: HeadOutputs) throws(VisionError) -> Int {
    try check(table, in: outputs)
  }

  func best(_ candidate: Int, _ outputs: HeadOutputs, least: Float) -> (score: Float, index: Int) {
    let values = outputs[table.output]
    let score = values[table.place(candidate, 4)]
    guard let index = Int(exactly: values[table.place(candidate, 5)].rounded()), score.isFinite
    else { return (score.isFinite ? -1 : score, 0) }
    return (score, index)
  }

  func box(_ candidate: Int, _ outputs: HeadOutputs) -> RelativeBox {
    let values = outputs[table.output]
    let (width, height) = unit.size(of: image)
    func value(_ channel: Int) -> Float { values[table.place(candidate, channel)] }
    return RelativeBox(
      minX: value(0) / width, minY: value(1) / height, maxX: value(2) / width,
      maxY: value(3) / height)
  }
}
