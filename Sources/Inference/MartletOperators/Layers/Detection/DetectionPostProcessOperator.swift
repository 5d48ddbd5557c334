//===--- DetectionPostProcessOperator.swift - TFLite_Detection_PostProcess ===//
//
// Inputs   0 encodings: [1, boxes, 4 or more], float32 or uint8
//          1 scores: [1, boxes, classes, perhaps with a background], float32 or uint8
//          2 anchors: [boxes, 4], of the encodings' type
// Outputs  float32: 0 boxes [1, n, 4], 1 classes [1, n], 2 scores [1, n], 3 count [1].
// Options  A FlexBuffer: max_detections, max_classes_per_detection, detections_per_class (100),
//          use_regular_nms (false), nms_score_threshold, nms_iou_threshold, num_classes, y_scale,
//          x_scale, h_scale, w_scale.
// Source   LiteRT 2.3.0 `detection_postprocess.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let encodings = 0
  static let scores = 1
  static let anchors = 2
}

extension OperatorTraits {
  /// Each candidate is compared with the selected ones, in each class.
  fileprivate static let detectionPostProcess = OperatorTraits(
    cost: OperatorCost(
      .fast,
      products: { _, inputs, outputs in
        inputs.count > 1 ? saturatingProduct(inputs[1].elementCount, outputs[0].elementCount) : 0
      }))
}

extension Registration {
  static let detectionPostProcess = Registration(
    .custom("TFLite_Detection_PostProcess"), versions: 1...1, traits: .detectionPostProcess
  ) { p throws(InferenceError) in
    try p.expect(inputs: 3...3, outputs: 4...4)
    let options = try p.customOptions()
    let process = try p.process(options)
    let isRegular = options["use_regular_nms"]?.boolValue ?? false
    if isRegular, process.detectionsPerClass < 1 {
      throw .option(
        node: p.node, name: "detections_per_class", value: process.detectionsPerClass)
    }
    let rows = process.rows
    let boxes = try p.output(0, as: Float.self, shape: try p.shape([1, rows, 4]))
    let classes = try p.output(1, as: Float.self, shape: try p.shape([1, rows]))
    let scores = try p.output(2, as: Float.self, shape: try p.shape([1, rows]))
    let count = try p.output(3, as: Float.self, shape: Shape(1))
    let encodings = try p.floats(0)
    let confidences = try p.floats(1)
    let anchors = try p.floats(2)
    let decoded = try p.scratch(4 * process.boxes, as: Float.self)
    let best = try p.scratch(process.boxes, as: Float.self)
    let candidates = try p.scratch(process.boxes, as: Int32.self)
    let merged = try p.scratch(process.maximumDetections, as: Int32.self)
    return { e in
      process.decode(
        encodings.load(in: e), anchors: anchors.load(in: e), into: e[decoded], workers: e.workers)
      let scratch = DetectionScratch(
        decoded: e[decoded], best: e[best], candidates: e[candidates], merged: e[merged])
      let results = DetectionResults(
        boxes: e[boxes], classes: e[classes], scores: e[scores], count: e[count])
      if isRegular {
        process.regular(scores: confidences.load(in: e), scratch, into: results)
      } else {
        process.fast(
          scores: confidences.load(in: e), scratch, into: results, workers: e.workers)
      }
    }
  }
}

/// An input of floats, or of bytes that are dequantized into scratch memory.
private enum FloatInput {
  case plain(Operand<Float>)
  case bytes(Operand<UInt8>, ScaleLayout, Quantizing?, Operand<Float>)

  func load(in e: borrowing Evaluation) -> UnsafeMutableBufferPointer<Float> {
    switch self {
    case .plain(let operand): return e[operand]
    case .bytes(let operand, let layout, let fast, let scratch):
      if let fast, let x = e[operand].baseAddress {
        fast.dequantize(x, into: e[scratch], workers: e.workers)
      } else {
        Reference.dequantize(e[operand], layout, into: e[scratch])
      }
      return e[scratch]
    }
  }
}

extension Preparation {
  fileprivate mutating func floats(_ index: Int) throws(InferenceError) -> FloatInput {
    guard try input(index).type == .uint8 else {
      return .plain(try input(index, as: Float.self))
    }
    let operand = try input(index, as: UInt8.self)
    let layout = ScaleLayout(try perTensorQuantization(input: index), of: operand.shape)
    let fast = kernels == .fast ? Quantizing(layout, of: .uint8) : nil
    return .bytes(operand, layout, fast, try scratch(operand.count, as: Float.self))
  }

  fileprivate func process(
    _ options: FlexBuffer
  ) throws(InferenceError) -> DetectionPostProcess {
    let encodings = try shape(ofInput: Input.encodings, ranks: 3...3)
    let scores = try shape(ofInput: Input.scores, ranks: 3...3)
    let anchors = try shape(ofInput: Input.anchors, ranks: 2...2)
    try expect(encodings, ofInput: Input.encodings, axis: 0, extent: 1)
    try expect(scores, ofInput: Input.scores, axis: 0, extent: 1)
    try expect(scores, ofInput: Input.scores, axis: 1, extent: encodings[1])
    try expect(anchors, ofInput: Input.anchors, axis: 0, extent: encodings[1])
    try expect(anchors, ofInput: Input.anchors, axis: 1, extent: 4)
    guard encodings[2] >= 4 else {
      throw .extent(
        node: node, operand: .input(Input.encodings), axis: 2, found: encodings[2], expected: 4)
    }
    let classes = try count(options, "num_classes", from: 1)
    guard scores[2] == classes || scores[2] == classes + 1 else {
      throw .extent(
        node: node, operand: .input(Input.scores), axis: 2, found: scores[2], expected: classes)
    }
    let overlap = number(options, "nms_iou_threshold")
    guard overlap > 0, overlap <= 1 else {
      throw .option(node: node, name: "nms_iou_threshold", value: overlap > 1 ? 2 : 0)
    }
    let hasLimit = options["detections_per_class"].map { $0 != .null } ?? false
    return DetectionPostProcess(
      boxes: encodings[1], encodingLength: encodings[2], classes: classes,
      hasBackground: scores[2] > classes,
      maximumDetections: try count(options, "max_detections", from: 0),
      classesPerDetection: try count(options, "max_classes_per_detection", from: 1),
      detectionsPerClass: hasLimit ? try count(options, "detections_per_class", from: 0) : 100,
      scoreThreshold: number(options, "nms_score_threshold"), overlapThreshold: overlap,
      scales: SIMD4(
        number(options, "y_scale"), number(options, "x_scale"),
        number(options, "h_scale"), number(options, "w_scale")))
  }

  /// An integer option that is a count; 0 if absent.
  private func count(
    _ options: FlexBuffer, _ name: String, from least: Int
  ) throws(InferenceError) -> Int {
    let value = options[name]?.intValue ?? 0
    guard (least...0xffff).contains(value) else {
      throw .option(node: node, name: name, value: value)
    }
    return value
  }

  /// A numeric option; 0 if absent.
  private func number(_ options: FlexBuffer, _ name: String) -> Float {
    options[name]?.floatValue ?? 0
  }
}
