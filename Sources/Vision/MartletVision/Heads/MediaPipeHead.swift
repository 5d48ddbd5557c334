//===--- MediaPipeHead.swift - anchors in the metadata --------------------===//
//
// Detectors of MediaPipe Model Maker: four numbers of a box, relative to an anchor, and a score for
// each class. The anchors are in the metadata.
//
// Contract  The first class is the background and is never reported.
// Source    MediaPipe, `tasks/cc/vision/object_detector` and `tensors_to_detections_calculator.cc`.
//===----------------------------------------------------------------------===//

import MartletBase

/// [1, anchors, 4] and [1, anchors, classes].
struct MediaPipeHead: DetectionHead {
  private let anchors: AnchorMetadata
  private let boxes, scores: CandidateTable
  let reason: String

  init?(_ evidence: HeadEvidence) {
    guard let anchors = evidence.anchors, evidence.outputs.count == 2 else { return nil }
    let count = anchors.anchors.count
    let tables = evidence.outputs.indices.compactMap { index -> CandidateTable? in
      let shape = evidence.outputs[index].shape
      guard shape.rank == 3, shape[0] == 1, shape[1] == count else { return nil }
      return CandidateTable(output: index, count: count, channels: shape[2], isTransposed: false)
    }
    guard tables.count == 2, let boxes = tables.first(where: { $0.channels == 4 }),
      let scores = tables.first(where: { $0.output != boxes.output && $0.channels > 1 })
    else { return nil }
    (self.anchors, self.boxes, self.scores) = (anchors, boxes, scores)
    reason = "the metadata has \(count) anchors"
  }

  var classCount: Int? { scores.channels }
  var input: DetectorInput { .stretched }
  var suppression: BoxSuppression { .ofAll(0.3) }
  var threshold: Float { 0.3 }
  var scoreOutput: Int? { anchors.isLogit ? nil : scores.output }

  func candidateCount(_ outputs: HeadOutputs) throws(VisionError) -> Int {
    try check(boxes, scores, in: outputs)
  }

  func best(_ candidate: Int, _ outputs: HeadOutputs, least: Float) -> (score: Float, index: Int) {
    let best = scores.best(candidate, 1..<scores.channels, outputs)
    return (anchors.isLogit ? VectorMath.logistic(best.score) : best.score, best.index + 1)
  }

  func box(_ candidate: Int, _ outputs: HeadOutputs) -> RelativeBox {
    let values = outputs[boxes.output]
    func value(_ channel: Int) -> Float { values[boxes.place(candidate, channel)] }
    let anchor = anchors.anchors[candidate]
    func size(_ value: Float) -> Float { anchors.isExponential ? VectorMath.exp(value) : value }
    return RelativeBox(
      centerX: value(1) / anchors.scaleX * anchor.width + anchor.centerX,
      centerY: value(0) / anchors.scaleY * anchor.height + anchor.centerY,
      width: size(value(3) / anchors.scaleWidth) * anchor.width,
      height: size(value(2) / anchors.scaleHeight) * anchor.height)
  }
}
