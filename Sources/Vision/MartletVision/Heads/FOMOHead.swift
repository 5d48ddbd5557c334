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
  private let rows, columns, channels: Int
  let reason: String

  init?(_ evidence: HeadEvidence) {
    guard evidence.outputs.count == 1 else { return nil }
    let (output, image) = (evidence.outputs[0], evidence.image)
    let shape = output.shape
    guard shape.rank == 4, shape[0] == 1, shape[1] == image.height / 8,
      shape[2] == image.width / 8, shape[3] > 1,
      evidence.isSoftmax[0] || output.quantization?.scale == 1 / 256
    else { return nil }
    (rows, columns, channels) = (shape[1], shape[2], shape[3])
    reason = "\(shape) has the background and \(channels - 1) classes of cells with 8 pixels"
  }

  var classCount: Int? { channels }
  var input: DetectorInput { .stretchedShares }
  var suppression: BoxSuppression { .touching }
  var threshold: Float { 0.5 }
  var scoreOutput: Int? { 0 }

  func candidateCount(_ outputs: HeadOutputs) throws(VisionError) -> Int {
    guard outputs[0].count == rows * columns * channels else {
      throw .unsuitable(.detectionShape(tensor: "0", found: outputs[0].shape))
    }
    return rows * columns
  }

  func best(_ candidate: Int, _ outputs: HeadOutputs, least: Float) -> (score: Float, index: Int) {
    let values = outputs[0]
    var best = (score: -Float.infinity, index: 0)
    for channel in 1..<channels {
      let score = values[candidate * channels + channel]
      if !(score <= best.score) { best = (score, channel) }
    }
    return best
  }

  func box(_ candidate: Int, _ outputs: HeadOutputs) -> RelativeBox {
    let (row, column) = candidate.quotientAndRemainder(dividingBy: columns)
    return RelativeBox(
      minX: Float(column) / Float(columns), minY: Float(row) / Float(rows),
      maxX: Float(column + 1) / Float(columns), maxY: Float(row + 1) / Float(rows))
  }
}
