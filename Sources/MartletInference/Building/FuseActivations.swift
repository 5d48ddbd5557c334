//===--- FuseActivations.swift - fused float activations ------------------===//
//
// Merges a float RELU, RELU6 or RELU_N1_TO_1 into the operator before it as its fused activation,
// if it is the only reader of that operator's result.
//
// Contract  Exact: the operator clamps the value that it would have stored. Quantized clamps are
//           not merged, since they may change the scale.
// Checked   Tests/MartletInferenceTests/FuseActivationsTests.swift
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
        case .builtin(let builtin) = nodes[reader].operation.code,
        let activation = Activation(clampOf: builtin),
        let options = operation.options.fusing(activation)
      else { continue }
      nodes[position].operation.options = options
      nodes[position].operation.outputs = nodes[reader].operation.outputs
      merged.insert(reader)
    }
    nodes = nodes.indices.filter { !merged.contains($0) }.map { nodes[$0] }
  }
}

extension Activation {
  /// The activation that a clamping operator computes, or `nil`.
  fileprivate init?(clampOf builtin: BuiltinOperator) {
    switch builtin {
    case .relu: self = .relu
    case .relu6: self = .relu6
    case .reluN1To1: self = .reluN1To1
    default: return nil
    }
  }
}

extension OperatorOptions {
  /// The same options with a fused activation, or `nil` if they have none or it is already set.
  fileprivate func fusing(_ activation: Activation) -> OperatorOptions? {
    switch self {
    case .conv2D(var options) where options.activation == .none:
      options.activation = activation
      return .conv2D(options)
    case .depthwiseConv2D(var options) where options.activation == .none:
      options.activation = activation
      return .depthwiseConv2D(options)
    case .fullyConnected(var options) where options.activation == .none:
      options.activation = activation
      return .fullyConnected(options)
    case .add(var options) where options.activation == .none:
      options.activation = activation
      return .add(options)
    case .sub(var options) where options.activation == .none:
      options.activation = activation
      return .sub(options)
    case .mul(var options) where options.activation == .none:
      options.activation = activation
      return .mul(options)
    default:
      return nil
    }
  }
}
