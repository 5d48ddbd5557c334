//===--- FuseActivations.swift - fused float activations ------------------===//
//
// Merges a float RELU, RELU6 or RELU_N1_TO_1 into the operator before it as its fused activation,
// if it is the only reader of that operator's result.
//
// Contract  Exact: the operator clamps the value that it would have stored. Quantized clamps are
//           not merged, since they may change the scale.
//===----------------------------------------------------------------------===//

import MartletModel

extension Graph {
  /// Merges float clamps into the operators before them.
  mutating func fuseActivations() {
    let consumers = consumers()
    var merged = Set<Int>()
    for position in nodes.indices {
      let operation = nodes[position].operation
      guard operation.outputs.count == 1, let output = operation.outputs.first,
        types[output] == .float32, consumers[output].count == 1,
        let reader = consumers[output].first, nodes.indices.contains(reader),
        nodes[reader].operation.inputs == [output],
        let activation = nodes[reader].traits.clamp, nodes[position].traits.isFusible,
        let options = operation.options.fusing(activation)
      else { continue }
      nodes[position].operation.options = options
      nodes[position].operation.outputs = nodes[reader].operation.outputs
      merged.insert(reader)
    }
    nodes = nodes.indices.filter { !merged.contains($0) }.map { nodes[$0] }
  }
}
