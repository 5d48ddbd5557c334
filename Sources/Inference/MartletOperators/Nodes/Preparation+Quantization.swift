//===--- Preparation+Quantization.swift - quantization of a node ----------===//
//
// Used by all quantized operators: the affine map of a tensor, and the output range that a fused
// activation allows.
//
// Contract  Ranges are LiteRT's (`CalculateActivationRangeQuantized`): bounds are rounded to
//           nearest, ties away from zero, in single precision.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

extension Preparation {
  /// Returns the affine map of an input. Throws unless it has one scale for the whole tensor.
  public func perTensorQuantization(
    input index: Int
  ) throws(InferenceError) -> Quantization {
    try perTensorQuantization(of: input(index), at: .input(index))
  }

  /// Returns the affine map of an output. Throws unless it has one scale for the whole tensor.
  public func perTensorQuantization(
    output index: Int
  ) throws(InferenceError) -> Quantization {
    try perTensorQuantization(of: output(index), at: .output(index))
  }

  /// Returns the affine map of weights. Throws unless they have one scale for the whole tensor.
  package func perTensorQuantization(
    weights index: Int
  ) throws(InferenceError) -> Quantization {
    try perTensorQuantization(of: input(index), at: .input(index), isFactor: true)
  }

  private func perTensorQuantization(
    of tensor: TensorInfo, at place: OperandPlace, isFactor: Bool = false
  ) throws(InferenceError) -> Quantization {
    guard let map = tensor.quantization, map.isPerTensor else {
      throw .quantization(node: node, operand: place)
    }
    try check(map, of: tensor, at: place, isFactor: isFactor)
    return map
  }

  /// Throws unless every scale is positive and finite, and every zero point fits the tensor's type.
  /// This keeps later arithmetic from overflowing.
  ///
  /// - Parameter isFactor: Whether the scales are factors, never divisors. The scales of a constant
  ///   may then be 0, as in channels that pruning emptied.
  package func check(
    _ map: Quantization, of tensor: TensorInfo, at place: OperandPlace, isFactor: Bool = false
  ) throws(InferenceError) {
    let mayBeZero = isFactor && tensor.isConstant
    guard map.scales.allSatisfy({ ($0 > 0 || mayBeZero && $0 == 0) && $0.isFinite }) else {
      throw .quantization(node: node, operand: place)
    }
    let allowed = tensor.type.zeroPoints
    for found in map.zeroPoints where !allowed.contains(found) {
      throw .zeroPoint(node: node, operand: place, found: found, expected: allowed)
    }
  }

  /// Throws unless the zero points of these tensors are 0, as 16-bit operators require.
  package func expectSymmetric(inputs: [Int], outputs: [Int]) throws(InferenceError) {
    for index in inputs {
      for found in try input(index).quantization?.zeroPoints ?? [] where found != 0 {
        throw .zeroPoint(node: node, operand: .input(index), found: found, expected: 0...0)
      }
    }
    for index in outputs {
      for found in try output(index).quantization?.zeroPoints ?? [] where found != 0 {
        throw .zeroPoint(node: node, operand: .output(index), found: found, expected: 0...0)
      }
    }
  }

  /// The range that a fused activation allows for a float output.
  package func floatRange(
    of activation: Activation
  ) throws(InferenceError) -> ClosedRange<Float> {
    guard let range = activation.realRange else {
      throw .option(node: node, name: "fused_activation_function", value: Int(activation.rawValue))
    }
    return range
  }

  /// The range that a fused activation allows for a half-precision output.
  package func halfRange(of activation: Activation) throws(InferenceError) -> ClosedRange<Half> {
    let range = try floatRange(of: activation)
    return Half(rounding: range.lowerBound)...Half(rounding: range.upperBound)
  }

  /// The integer range that a fused activation allows for a quantized output of type `Scalar`.
  package func quantizedRange<Scalar: Element & FixedWidthInteger>(
    of activation: Activation, output map: Quantization, as type: Scalar.Type
  ) throws(InferenceError) -> ClosedRange<Int32> {
    quantizedRange(of: try floatRange(of: activation), output: map, as: type)
  }

  /// Quantizes a range to integers of type `Scalar`; an infinite bound means no bound.
  package func quantizedRange<Scalar: Element & FixedWidthInteger>(
    of range: ClosedRange<Float>, output map: Quantization, as: Scalar.Type
  ) -> ClosedRange<Int32> {
    map.integers(in: range, as: Scalar.self)
  }

  /// The range that a fused activation allows for integers that are not quantized.
  package func integerRange<Scalar: Element & FixedWidthInteger>(
    of activation: Activation, as: Scalar.Type
  ) throws(InferenceError) -> ClosedRange<Scalar> {
    switch activation {
    case .none: Scalar.min...Scalar.max
    case .relu: 0...Scalar.max
    case .reluN1To1: (Scalar.isSigned ? 0 &- 1 : 0)...1
    case .relu6: 0...6
    case .tanh, .signBit:
      throw .option(node: node, name: "fused_activation_function", value: Int(activation.rawValue))
    }
  }
}

extension ElementType {
  /// The valid zero points for tensors of this type.
  fileprivate var zeroPoints: ClosedRange<Int> {
    switch self {
    case .int8: -128...127
    case .uint8: 0...255
    case .int16: -32768...32767
    default: Int(Int32.min)...Int(Int32.max)
    }
  }
}
