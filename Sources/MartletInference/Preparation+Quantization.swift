//===--- Preparation+Quantization.swift - scales and clamps of a node -----===//
//
// What every quantised operator asks first: the affine map of a tensor, and the range that a fused
// activation leaves of its output.
//
// Contract  Ranges are LiteRT's (`CalculateActivationRangeQuantized`): bounds are rounded to
//           nearest, ties away from zero, in single precision.
// Checked   Tests/MartletInferenceTests/PreparationTests.swift
//===----------------------------------------------------------------------===//

import MartletModel
import MartletTensor

extension Activation {
  /// The interval that the activation leaves, in real numbers, or `nil` for activations that are
  /// no clamp (tanh, signBit).
  package var realRange: ClosedRange<Float>? {
    switch self {
    case .none: -Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude
    case .relu: 0...Float.greatestFiniteMagnitude
    case .reluN1To1: -1...1
    case .relu6: 0...6
    case .tanh, .signBit: nil
    }
  }
}

extension Preparation {
  /// The affine map of an input that has one scale for the whole tensor.
  package func perTensorQuantization(
    input index: Int
  ) throws(InferenceError) -> Quantization {
    guard let map = try input(index).quantization, map.isPerTensor else {
      throw .quantization(node: node, operand: .input(index))
    }
    return map
  }

  /// The affine map of an output that has one scale for the whole tensor.
  package func perTensorQuantization(
    output index: Int
  ) throws(InferenceError) -> Quantization {
    guard let map = try output(index).quantization, map.isPerTensor else {
      throw .quantization(node: node, operand: .output(index))
    }
    return map
  }

  /// The interval that a fused activation leaves of a float output.
  package func floatRange(
    of activation: Activation
  ) throws(InferenceError) -> ClosedRange<Float> {
    guard let range = activation.realRange else {
      throw .option(node: node, name: "fused_activation_function", value: Int(activation.rawValue))
    }
    return range
  }

  /// The interval of integers that a fused activation leaves of a quantised output of type
  /// `Scalar`.
  @inlinable
  package func quantizedRange<Scalar: Element & FixedWidthInteger>(
    of activation: Activation, output map: Quantization, as: Scalar.Type
  ) throws(InferenceError) -> ClosedRange<Int32> {
    let range = try floatRange(of: activation)
    let lowest = Int(Scalar.min)
    let highest = Int(Scalar.max)
    // A file may say anything: a zero point this far out and a negative scale only need to be safe.
    let zeroPoint = min(max(map.zeroPoint, -0x100_0000_0000), 0x100_0000_0000)
    func quantized(_ real: Float) -> Int {
      guard real.magnitude < Float.greatestFiniteMagnitude else {
        return real < 0 ? lowest : highest
      }
      let steps = VectorMath.round(real / map.scale)
      // Beyond any integer type's range the sign alone counts.
      guard steps.magnitude < 0x1p40 else { return steps < 0 ? lowest : highest }
      return min(max(zeroPoint + Int(steps), lowest), highest)
    }
    let bound = quantized(range.lowerBound)
    return Int32(bound)...Int32(max(bound, quantized(range.upperBound)))
  }

  /// The interval that a fused activation leaves of integers that are not quantised.
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

  /// The affine map of a quantised input whose zero point is one of type `Scalar`'s values.
  package func quantization<Scalar: Element & FixedWidthInteger>(
    input index: Int, as: Scalar.Type
  ) throws(InferenceError) -> Quantization {
    let map = try perTensorQuantization(input: index)
    try expectZeroPoint(of: map, at: .input(index), in: Int(Scalar.min)...Int(Scalar.max))
    return map
  }

  /// The affine map of a quantised output whose zero point is one of type `Scalar`'s values.
  package func quantization<Scalar: Element & FixedWidthInteger>(
    output index: Int, as: Scalar.Type
  ) throws(InferenceError) -> Quantization {
    let map = try perTensorQuantization(output: index)
    try expectZeroPoint(of: map, at: .output(index), in: Int(Scalar.min)...Int(Scalar.max))
    return map
  }

  private func expectZeroPoint(
    of map: Quantization, at operand: OperandPlace, in range: ClosedRange<Int>
  ) throws(InferenceError) {
    guard range.contains(map.zeroPoint) else {
      throw .zeroPoint(node: node, operand: operand, found: map.zeroPoint, expected: range)
    }
  }
}
