//===--- NonMaximumSuppressionOperator.swift - NON_MAX_SUPPRESSION_V4, _V5 ===//
//
// Inputs   0 boxes: [n, 4], float32, [y, x, y, x]; 1 scores: [n], float32; scalars: 2 the maximum
//          number of boxes, int32; float32: 3 overlap threshold, 4 score threshold, and for _V5
//          5 sigma of soft suppression
// Outputs  int32: 0 indices; for _V5 float32: 1 scores; int32: the last, a scalar: the count.
//          Indices and scores have the maximum number of elements, zero after the selected ones.
// Source   LiteRT 2.3.0 `non_max_suppression.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let boxes = 0
  static let scores = 1
  static let maximumCount = 2
  static let overlap = 3
  static let scoreThreshold = 4
  static let sigma = 5
}

extension OperatorTraits {
  /// Each candidate is compared with the selected ones.
  fileprivate static let nonMaxSuppression = OperatorTraits(
    cost: OperatorCost(
      .fast,
      products: { _, inputs, outputs in
        saturatingProduct(inputs[0].elementCount, outputs[0].elementCount)
      }))
}

extension Registration {
  static let nonMaxSuppressionV4 = Registration(
    .nonMaxSuppressionV4, versions: 1...1, traits: .nonMaxSuppression
  ) { p throws(InferenceError) in
    try p.expect(inputs: 5...5, outputs: 2...2)
    return try prepareSuppression(&p, isSoft: false)
  }

  static let nonMaxSuppressionV5 = Registration(
    .nonMaxSuppressionV5, versions: 1...1, traits: .nonMaxSuppression
  ) { p throws(InferenceError) in
    try p.expect(inputs: 6...6, outputs: 3...3)
    return try prepareSuppression(&p, isSoft: true)
  }
}

private func prepareSuppression(
  _ p: inout Preparation, isSoft: Bool
) throws(InferenceError) -> Evaluate {
  let node = try Suppression(p, isSoft: isSoft)
  let shape = try p.shape([node.limit])
  let indices = try p.output(0, as: Int32.self, shape: shape)
  let scores = isSoft ? try p.output(1, as: Float.self, shape: shape) : nil
  let count = try p.output(isSoft ? 2 : 1, as: Int32.self, shape: Shape())
  let heap = try p.scratch(node.scores.count, as: Int32.self)
  let waiting = try p.scratch(node.scores.count, as: Float.self)
  let begins = try p.scratch(node.scores.count, as: Int32.self)
  return { e throws(InferenceError) in
    let rule = try node.rule(e)
    e[indices].update(repeating: 0)
    e[scores].update(repeating: 0)
    let found = Reference.suppress(
      e[node.boxes], scores: e[node.scores], rule,
      SuppressionScratch(heap: e[heap], scores: e[waiting], begins: e[begins]),
      selected: e[indices], selectedScores: e[scores])
    e[count][0] = Int32(truncatingIfNeeded: found)
  }
}

/// The inputs of a suppression.
private struct Suppression {
  let node: Int
  let boxes: Operand<Float>
  let scores: Operand<Float>
  let overlap: Operand<Float>
  let threshold: Operand<Float>
  let sigma: Operand<Float>?
  /// The maximum number of boxes.
  let limit: Int

  init(_ p: Preparation, isSoft: Bool) throws(InferenceError) {
    node = p.node
    boxes = try p.input(Input.boxes, as: Float.self)
    scores = try p.input(Input.scores, as: Float.self)
    overlap = try p.input(Input.overlap, as: Float.self)
    threshold = try p.input(Input.scoreThreshold, as: Float.self)
    sigma = try p.optionalInput(Input.sigma, as: Float.self)
    try p.shape(ofInput: Input.boxes, ranks: 2...2)
    try p.expect(boxes.shape, ofInput: Input.boxes, axis: 1, extent: 4)
    try p.shape(ofInput: Input.scores, ranks: 1...1)
    try p.expect(scores.shape, ofInput: Input.scores, axis: 0, extent: boxes.shape[0])
    for index in 2..<p.inputCount { try p.shape(ofInput: index, ranks: 0...0) }
    limit = Int(try p.values(of: Input.maximumCount, as: Int32.self)[0])
    guard limit >= 0 else {
      throw .option(node: p.node, name: "max_output_size", value: limit)
    }
  }

  /// The thresholds of suppression; throws if sigma is negative.
  func rule(_ e: borrowing Evaluation) throws(InferenceError) -> SuppressionRule {
    let sigma = sigma.map { e[$0][0] } ?? 0
    guard !(sigma < 0) else {
      let value = Int(max(sigma, -0x1p31).rounded(.down))
      throw .option(node: node, name: "soft_nms_sigma", value: value)
    }
    return SuppressionRule(overlap: e[overlap][0], score: e[threshold][0], sigma: sigma)
  }
}
