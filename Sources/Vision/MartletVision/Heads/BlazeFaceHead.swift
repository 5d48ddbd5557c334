//===--- BlazeFaceHead.swift - faces of MediaPipe -------------------------===//
//
// Sixteen numbers, of which the first four are a box, and a logit for each of 896 anchors: two in
// each cell of a grid of 16 x 16, then six in each of 8 x 8. Some files have an output for each grid.
//
// Contract  Boxes are in pixels of the input, relative to the middle of a cell.
// Source    MediaPipe, `modules/face_detection` and `ssd_anchors_calculator.cc`.
//===----------------------------------------------------------------------===//

import MartletBase

/// [1, 896, 16] and [1, 896, 1].
struct BlazeFaceHead: DetectionHead {
  /// The sides of the grids and the anchors of a cell.
  private static let grids = [(side: 16, anchors: 2), (side: 8, anchors: 6)]

  private let boxes, scores: [CandidateTable]
  private let image: ImageLayout
  let reason: String

  init?(_ evidence: HeadEvidence) {
    func tables(_ channels: Int) -> [CandidateTable] {
      evidence.outputs.indices.compactMap { index in
        let shape = evidence.outputs[index].shape
        guard shape.rank == 3, shape[0] == 1, shape[2] == channels else { return nil }
        return CandidateTable(
          output: index, count: shape[1], channels: channels, isTransposed: false)
      }.sorted { $1.count < $0.count }
    }
    (boxes, scores, image) = (tables(16), tables(1), evidence.image)
    let counts = boxes.map { $0.count }
    guard counts == scores.map({ $0.count }), counts == [896] || counts == [512, 384],
      evidence.outputs.count == 2 * counts.count
    else { return nil }
    reason = "896 anchors have 16 numbers and a score"
  }

  var classCount: Int? { 1 }
  var input: DetectorInput { .blazeFace }
  var suppression: BoxSuppression { .ofAll(0.3) }
  var threshold: Float { 0.5 }
  var scoreOutput: Int? { nil }

  func candidateCount(_ outputs: HeadOutputs) throws(VisionError) -> Int {
    var count = 0
    for table in boxes { count += try check(table, in: outputs) }
    for table in scores { _ = try check(table, in: outputs) }
    return count
  }

  func best(_ candidate: Int, _ outputs: HeadOutputs, least: Float) -> (score: Float, index: Int) {
    let (table, place) = place(candidate, in: scores)
    let logit = outputs[table.output][table.place(place, 0)]
    return (logit.isFinite ? VectorMath.logistic(logit) : logit, 0)
  }

  func box(_ candidate: Int, _ outputs: HeadOutputs) -> RelativeBox {
    let (table, place) = place(candidate, in: boxes)
    let values = outputs[table.output]
    let (width, height) = (Float(image.width), Float(image.height))
    let (x, y) = BlazeFaceHead.center(candidate)
    func value(_ channel: Int) -> Float { values[table.place(place, channel)] }
    return RelativeBox(
      centerX: value(0) / width + x, centerY: value(1) / height + y, width: value(2) / width,
      height: value(3) / height)
  }

  /// The table of a candidate and its place there.
  private func place(_ candidate: Int, in tables: [CandidateTable]) -> (CandidateTable, Int) {
    candidate < tables[0].count
      ? (tables[0], candidate) : (tables[1], candidate - tables[0].count)
  }

  /// The middle of an anchor's cell, in units of the input's sides.
  private static func center(_ candidate: Int) -> (x: Float, y: Float) {
    let first = grids[0].side * grids[0].side * grids[0].anchors
    let (grid, place) = candidate < first ? (grids[0], candidate) : (grids[1], candidate - first)
    let (row, column) = (place / grid.anchors).quotientAndRemainder(dividingBy: grid.side)
    return ((Float(column) + 0.5) / Float(grid.side), (Float(row) + 0.5) / Float(grid.side))
  }
}
