//===--- LeakyRelu.swift - PRELU, LEAKY_RELU ------------------------------===//
//
// y = x if x >= 0, otherwise α x; α is one number or a tensor that is broadcast.
//
// Contract  Integers bit for bit as in LiteRT: positive and negative values have separate factors.
// Cost      One pass.
//===----------------------------------------------------------------------===//

import MartletBase

/// Precomputed parameters of quantized PRELU and LEAKY_RELU.
@usableFromInline
package struct QuantizedLeakyRelu: Sendable {
  @usableFromInline
  package let inputZeroPoint: Int32
  @usableFromInline
  package let alphaZeroPoint: Int32
  @usableFromInline
  package let outputZeroPoint: Int32
  @usableFromInline
  package let positive: FixedPointMultiplier
  /// The factor for negative values; for LEAKY_RELU, of α's magnitude.
  @usableFromInline
  package let negative: FixedPointMultiplier
  /// Whether LEAKY_RELU's α is negative.
  @usableFromInline
  package let isNegated: Bool

  /// Parameters of PRELU.
  package init(input: Quantization, alpha: Quantization, output: Quantization) {
    inputZeroPoint = Int32(input.zeroPoint)
    alphaZeroPoint = Int32(alpha.zeroPoint)
    outputZeroPoint = Int32(output.zeroPoint)
    positive = FixedPointMultiplier(Double(input.scale / output.scale))
    negative = FixedPointMultiplier(Double(input.scale * alpha.scale / output.scale))
    isNegated = false
  }

  /// Parameters of LEAKY_RELU.
  package init(input: Quantization, alpha: Float, output: Quantization) {
    inputZeroPoint = Int32(input.zeroPoint)
    alphaZeroPoint = 0
    outputZeroPoint = Int32(output.zeroPoint)
    positive = FixedPointMultiplier(Double(input.scale / output.scale))
    negative = FixedPointMultiplier(Double((input.scale * alpha / output.scale).magnitude))
    isNegated = alpha < 0
  }

  @export(implementation)
  package func callAsFunction(_ x: Int32) -> Int32 {
    let value = x &- inputZeroPoint
    guard value < 0 else { return positive(value) &+ outputZeroPoint }
    let scaled = negative(value)
    return (isNegated ? 0 &- scaled : scaled) &+ outputZeroPoint
  }

  @export(implementation)
  package func callAsFunction(_ x: Int32, alpha: Int32) -> Int32 {
    let value = x &- inputZeroPoint
    guard value < 0 else { return positive(value) &+ outputZeroPoint }
    return negative(value &* (alpha &- alphaZeroPoint)) &+ outputZeroPoint
  }
}

extension Reference {
  package static func leakyRelu(
    _ input: UnsafeMutableBufferPointer<Float>, alpha: Float,
    into output: UnsafeMutableBufferPointer<Float>
  ) {
    for i in 0..<input.count { output[i] = input[i] > 0 ? input[i] : input[i] * alpha }
  }

  @export(implementation)
  package static func leakyRelu<Scalar: FixedWidthInteger>(
    _ input: UnsafeMutableBufferPointer<Scalar>, _ relu: QuantizedLeakyRelu,
    into output: UnsafeMutableBufferPointer<Scalar>
  ) {
    for i in 0..<input.count { output[i] = Scalar(clamping: relu(Int32(input[i]))) }
  }

  /// The operands of `walk` are the input and α.
  @export(implementation)
  package static func prelu(
    _ input: UnsafeMutableBufferPointer<Float>, alpha: UnsafeMutableBufferPointer<Float>,
    _ walk: Broadcast, into output: UnsafeMutableBufferPointer<Float>,
    workers: Workers = .serial
  ) {
    walk.combine(input, alpha, into: output, workers: workers) { x, alpha in x >= 0 ? x : x * alpha
    }
  }

  @export(implementation)
  package static func prelu<Scalar: FixedWidthInteger>(
    _ input: UnsafeMutableBufferPointer<Scalar>, alpha: UnsafeMutableBufferPointer<Scalar>,
    _ walk: Broadcast, _ relu: QuantizedLeakyRelu,
    into output: UnsafeMutableBufferPointer<Scalar>,
    workers: Workers = .serial
  ) {
    walk.combineEach(input, alpha, into: output, workers: workers) { x, alpha in
      Scalar(clamping: relu(Int32(x), alpha: Int32(alpha)))
    }
  }
}
