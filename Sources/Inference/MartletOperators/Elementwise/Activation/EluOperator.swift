//===--- EluOperator.swift - ELU, GELU ------------------------------------===//
//
// ELU      x if it is positive, otherwise eˣ - 1
//          Input 0 x: float32 or int8 of any shape.
// GELU     x Φ(x), with Φ the normal distribution function; or the approximation
//          x / (1 + e^(-2u)) with u = √(2/π) (x + 0.044715 x³)
//          Input 0 x: float32, float16, int8, uint8 or int16 of any shape.
// Output   0 y: as x; quantized results may have another scale and zero point.
// Options  GeluOptions: whether to use the approximation.
// Source   LiteRT 2.3.0 `activations.cc`, `reference/gelu.h`; tables in its single-precision steps.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

extension Registration {
  static let elu = Registration(.elu, versions: 1...1) { p throws(InferenceError) in
    switch try p.input(0).type {
    case .float32:
      try p.prepareLanes(.elu) { x in
        VectorMath.expMinusOne(ofNegative: x).replacing(with: x, where: x .> 0)
      }
    case .int8:
      try p.prepareByteTable(Int8.self) { x in
        x < 0 ? Float(VectorMath.exp(Double(x))) - 1 : x
      }
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }

  static let gelu = Registration(
    .gelu, versions: 1...3, traits: OperatorTraits(cost: OperatorCost(.slow))
  ) { p throws(InferenceError) in
    guard case .gelu(let options) = p.operation.options else { throw .options(node: p.node) }
    let entry = options.approximate ? approximateEntry(_:) : exactEntry(_:)
    switch try p.input(0).type {
    case .float32:
      return options.approximate
        ? try p.prepareLanes { approximateGelu($0) } : try p.prepareLanes { exactGelu($0) }
    case .float16:
      let isApproximate = options.approximate
      return try p.prepareRounded { x in
        let lanes = SIMD8(repeating: x)
        return (isApproximate ? approximateGelu(lanes) : exactGelu(lanes))[0]
      }
    case .int8: return try p.prepareByteTable(Int8.self, entry)
    case .uint8: return try p.prepareByteTable(UInt8.self, entry)
    case .int16: return try p.prepareShortTable(entry)
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}

@inline(__always)
private func exactGelu(_ x: SIMD8<Float>) -> SIMD8<Float> {
  // Zero times minus infinity would be NaN.
  let low = x.replacing(with: -20, where: x .< -20)
  return low * VectorMath.normalDistribution(low)
}

@inline(__always)
private func approximateGelu(_ x: SIMD8<Float>) -> SIMD8<Float> {
  let low = x.replacing(with: -20, where: x .< -20)
  // 2 √(2/π)
  return low * VectorMath.logistic((low * low * low * 0.044715 + low) * 0x1.988454p+0)
}

private func exactEntry(_ x: Float) -> Float {
  // -√½
  0.5 * x * Float(VectorMath.erfc(Double(x * -0x1.6a09e6p-1)))
}

private func approximateEntry(_ x: Float) -> Float {
  // √(2/π)
  let u = 0x1.988454p-1 * (x + 0.044715 * x * x * x)
  return 0.5 * x * (1 + Float(VectorMath.tanh(Double(u))))
}
