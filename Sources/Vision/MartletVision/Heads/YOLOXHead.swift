//===--- YOLOXHead.swift - YOLOX with and without decoded boxes -----------===//
//
// Center, size, objectness and a score for each class, of each cell. Without decoding, the center is
// a difference from the cell's corner and the size a logarithm, both in cells. With it, both are in
// pixels, as in YOLOv6.
//
// Contract  The values of a run tell both forms apart: only decoded centers reach the right half of
//           the image.
// Source    YOLOX, `models/yolo_head.py` and `utils/demo_utils.py`.
//===----------------------------------------------------------------------===//

import MartletBase

/// [1, cells, 5 + classes].
struct YOLOXHead: DetectionHead {
  private let table: CandidateTable
  private let isDecoded: Bool
  private let scoreCount: Int
  private let image: ImageLayout
  private var unit = CoordinateUnit.pixel
  let reason: String

  init?(_ evidence: HeadEvidence, isDecoded: Bool) {
    // Each of the tables must fit in this order; that of YOLOv8 is usually the other one.
    guard !evidence.isUltralytics,
      let table = evidence.tables(factor: 1).first(where: { $0.channels > 5 && !$0.isTransposed }),
      evidence.outputs.count == 1
    else { return nil }
    (self.table, self.isDecoded, image) = (table, isDecoded, evidence.image)
    scoreCount = table.channels - 5
    reason =
      """
      \(evidence.outputs[table.output].shape) has 4 numbers of a box, objectness and \(scoreCount) \
      scores of each of \(table.count) cells
      """
  }

  var classCount: Int? { scoreCount }
  var input: DetectorInput { .yolox }
  var suppression: BoxSuppression { .ofClass(0.45) }
  var scoreOutput: Int? { table.output }

  mutating func adapt(to outputs: HeadOutputs) {
    unit = CoordinateUnit(largest: table.maximum(ofChannels: 0..<2, outputs))
  }

  func isPlausible(_ outputs: HeadOutputs) -> Bool {
    let isWide = table.maximum(ofChannels: 0..<1, outputs) > Float(image.width) / 2
    return isDecoded == isWide && table.lies(4..<5 + scoreCount, in: -0.1...1.1, outputs)
      && (!isDecoded || table.lies(2..<4, in: 0...Float.greatestFiniteMagnitude, outputs))
  }

  func candidateCount(_ outputs: HeadOutputs) throws(VisionError) -> Int {
    try check(table, in: outputs)
  }

  func best(_ candidate: Int, _ outputs: HeadOutputs, least: Float) -> (score: Float, index: Int) {
    table.bestObject(candidate, 5..<5 + scoreCount, outputs, least: least)
  }

  func box(_ candidate: Int, _ outputs: HeadOutputs) -> RelativeBox {
    guard !isDecoded else { return table.centeredBox(candidate, outputs, unit, of: image) }
    let values = outputs[table.output]
    func value(_ channel: Int) -> Float { values[table.place(candidate, channel)] }
    let (stride, column, row) = table.cell(candidate, of: image)
    let (width, height) = (Float(image.width), Float(image.height))
    return RelativeBox(
      centerX: (value(0) + column) * stride / width, centerY: (value(1) + row) * stride / height,
      width: VectorMath.exp(value(2)) * stride / width,
      height: VectorMath.exp(value(3)) * stride / height)
  }
}
