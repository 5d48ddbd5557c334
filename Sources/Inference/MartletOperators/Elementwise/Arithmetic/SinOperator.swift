//===--- SinOperator.swift - SIN, COS, ATAN2 ------------------------------===//
//
// SIN, COS  Input   0 x: angles in radians, float32 or float16.
//           Output  0 y: x's type and shape.
// ATAN2     Inputs  0 y, 1 x: shapes that broadcast (LiteRT: only equal shapes), one type of
//                   float32, float64, float16, bfloat16.
//           Output  0 the angle of the point (x, y), -π...π: the broadcast shape, their type.
// Source    LiteRT 2.3.0 `elementwise.cc`, `atan2.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let sin = Registration(
    .sin, versions: 1...2, traits: OperatorTraits(cost: OperatorCost(.slow))
  ) { p throws(InferenceError) in
    try prepareWave(&p) { VectorMath.sin($0) }
  }
  static let cos = Registration(
    .cos, versions: 1...2, traits: OperatorTraits(cost: OperatorCost(.slow))
  ) { p throws(InferenceError) in
    try prepareWave(&p) { VectorMath.cos($0) }
  }

  static let atan2 = Registration(.atan2, versions: 1...1) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    switch try p.input(0).type {
    case .float32: return try prepareAngle(&p, Float.self) { VectorMath.atan2($0, $1) }
    case .float64: return try prepareAngle(&p, Double.self) { VectorMath.atan2($0, $1) }
    case .float16: return try prepareRoundedAngle(&p, Half.self)
    case .bfloat16: return try prepareRoundedAngle(&p, BrainFloat.self)
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}

private func prepareWave(
  _ p: inout Preparation, _ function: @escaping @Sendable (Float) -> Float
) throws(InferenceError) -> Evaluate {
  switch try p.input(0).type {
  case .float32: try p.prepareMap(Float.self) { x, y in Reference.map(x, into: y, function) }
  case .float16: try p.prepareRounded(function)
  case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
  }
}

private func prepareAngle<Scalar: Element>(
  _ p: inout Preparation, _: Scalar.Type,
  _ angle: @escaping @Sendable (Scalar, Scalar) -> Scalar
) throws(InferenceError) -> Evaluate {
  let (a, b, y, walk) = try p.broadcastOperands(Scalar.self)
  return { e in walk.combineEach(e[a], e[b], into: e[y], workers: e.workers, angle) }
}

private func prepareRoundedAngle<Scalar: RealElement>(
  _ p: inout Preparation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  try prepareAngle(&p, Scalar.self) {
    Scalar(rounding: VectorMath.atan2($0.float, $1.float))
  }
}
