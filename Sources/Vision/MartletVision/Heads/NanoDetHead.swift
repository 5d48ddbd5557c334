//===--- NanoDetHead.swift - NanoDet and PicoDet --------------------------===//
//
// A score for each class, and for each side of the box eight logits of its distance from the
// center of the cell, 0...7 cells, of each cell. The distance is the mean under their softmax.
//
// Contract  NanoDet has three levels. NanoDet-Plus has a fourth and the corners of cells as centers;
//           PicoDet has it too, the middles, and boxes in an output of their own.
// Source    NanoDet, `head/gfl_head.py` and `head/nanodet_plus_head.py`; PaddleDetection, `pico_head.py`.
//===----------------------------------------------------------------------===//

import MartletBase

/// [1, cells, classes + 32].
struct NanoDetHead: DetectionHead {
  /// The number of logits of a distance.
  private static let bins = 8

  private let scores, boxes: CandidateTable
  private let firstBin: Int
  private let scoreCount: Int
  /// What is added to the column and row of a cell.
  private let center: Float
  private let image: ImageLayout
  let reason: String

  init?(_ evidence: HeadEvidence, _ head: DetectorHead) {
    let tables = evidence.tables(factor: 1)
    guard !evidence.isUltralytics, let first = tables.first,
      first.strides.count == (head == .nanoDet ? 3 : 4), tables.allSatisfy({ !$0.isTransposed })
    else { return nil }
    let bins = 4 * NanoDetHead.bins
    if head == .picoDet {
      guard tables.count == 2, let boxes = tables.last(where: { $0.channels == bins }),
        let scores = tables.first(where: { $0 != boxes })
      else { return nil }
      (self.scores, self.boxes, firstBin, scoreCount) = (scores, boxes, 0, scores.channels)
    } else {
      guard tables.count == 1, first.channels > bins else { return nil }
      (scores, boxes) = (first, first)
      (firstBin, scoreCount) = (first.channels - bins, first.channels - bins)
    }
    center = head == .nanoDetPlus ? 0 : 0.5
    image = evidence.image
    reason =
      """
      \(evidence.outputs[boxes.output].shape) has 4 times 8 logits of distances beside \(scoreCount) \
      scores of each of \(boxes.count) cells
      """
  }

  var classCount: Int? { scoreCount }
  var input: DetectorInput { .nanoDet }
  var suppression: BoxSuppression { .ofClass(0.6) }
  var scoreOutput: Int? { scores.output }

  func isPlausible(_ outputs: HeadOutputs) -> Bool {
    scores.lies(0..<scoreCount, in: -0.1...1.1, outputs)
      && !boxes.lies(firstBin..<firstBin + 4 * NanoDetHead.bins, in: 0...1, outputs)
  }

  func candidateCount(_ outputs: HeadOutputs) throws(VisionError) -> Int {
    try check(scores, boxes, in: outputs)
  }

  func best(_ candidate: Int, _ outputs: HeadOutputs, least: Float) -> (score: Float, index: Int) {
    scores.best(candidate, 0..<scoreCount, outputs)
  }

  func box(_ candidate: Int, _ outputs: HeadOutputs) -> RelativeBox {
    let (stride, column, row) = boxes.cell(candidate, of: image)
    let (width, height) = (Float(image.width), Float(image.height))
    let (x, y) = (column + center, row + center)
    func distance(_ side: Int) -> Float { self.distance(candidate, side, outputs) }
    return RelativeBox(
      minX: (x - distance(0)) * stride / width, minY: (y - distance(1)) * stride / height,
      maxX: (x + distance(2)) * stride / width, maxY: (y + distance(3)) * stride / height)
  }

  /// The distance of a side in cells.
  private func distance(_ candidate: Int, _ side: Int, _ outputs: HeadOutputs) -> Float {
    let values = outputs[boxes.output]
    func logit(_ bin: Int) -> Float {
      values[boxes.place(candidate, firstBin + side * NanoDetHead.bins + bin)]
    }
    var largest = logit(0)
    for bin in 1..<NanoDetHead.bins { largest = max(largest, logit(bin)) }
    var (sum, mean): (Float, Float) = (0, 0)
    for bin in 0..<NanoDetHead.bins {
      let weight = VectorMath.exp(logit(bin) - largest)
      sum += weight
      mean += weight * Float(bin)
    }
    return mean / sum
  }
}
