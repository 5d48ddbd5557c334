//===--- YOLOv5Head.swift - boxes, objectness and scores of anchors -------===//
//
// YOLOv5 and v7: center, size, objectness and a score for each class, of three anchors of each cell.
//
// Contract  A score is the objectness times that of the best class.
// Source    YOLOv5, `models/tf.py` and `detect.py`.
//===----------------------------------------------------------------------===//

/// [1, 3 · cells, 5 + classes].
struct YOLOv5Head: DetectionHead {
  private let table: CandidateTable
  private let scoreCount: Int
  private let image: ImageLayout
  private var unit = CoordinateUnit.share
  let reason: String

  init?(_ evidence: HeadEvidence) {
    guard let table = evidence.tables(factor: 3).first(where: { $0.channels > 5 }),
      let count = evidence.classCount(among: table.channels - 5)
    else { return nil }
    (self.table, scoreCount, image) = (table, count, evidence.image)
    reason =
      """
      \(evidence.outputs[table.output].shape) has 4 numbers of a box, objectness and \(count) scores \
      of 3 anchors of each of \(table.count / 3) cells
      """
      + evidence.furtherParts(table.channels - 5 - count)
  }

  var classCount: Int? { scoreCount }
  var input: DetectorInput { .letterboxed }
  var suppression: BoxSuppression { .ofClass(0.45) }
  var scoreOutput: Int? { table.output }

  mutating func adapt(to outputs: HeadOutputs) {
    unit = CoordinateUnit(largest: table.maximum(ofChannels: 0..<2, outputs))
  }

  func candidateCount(_ outputs: HeadOutputs) throws(VisionError) -> Int {
    try check(table, in: outputs)
  }

  func best(_ candidate: Int, _ outputs: HeadOutputs, least: Float) -> (score: Float, index: Int) {
    table.bestObject(candidate, 5..<5 + scoreCount, outputs, least: least)
  }

  func box(_ candidate: Int, _ outputs: HeadOutputs) -> RelativeBox {
    table.centeredBox(candidate, outputs, unit, of: image)
  }
}

extension CandidateTable {
  /// The objectness in channel 4 times the best of the scores in `channels`, and its index. Scores
  /// are not read if the objectness is below `least`.
  @inline(__always)
  func bestObject(
    _ candidate: Int, _ channels: Range<Int>, _ outputs: HeadOutputs, least: Float
  ) -> (score: Float, index: Int) {
    let objectness = outputs[output][place(candidate, 4)]
    guard objectness >= least, objectness.isFinite else { return (objectness, 0) }
    let best = best(candidate, channels, outputs)
    // A quantized score may exceed 1, but no product exceeds the objectness.
    return (best.score <= scoreLimit ? objectness * min(best.score, 1) : best.score, best.index)
  }
}
