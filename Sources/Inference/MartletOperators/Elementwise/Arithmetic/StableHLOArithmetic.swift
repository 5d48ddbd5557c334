//===--- StableHLOArithmetic.swift - STABLEHLO_ADD, _MULTIPLY... ----------===//
//
// STABLEHLO_ADD, STABLEHLO_MULTIPLY, STABLEHLO_MAXIMUM, STABLEHLO_MINIMUM
//
// Inputs  0 and 1: bool, integers of 8 to 64 bits, or floats of 16 to 64 bits, of the same shape and
//         type.
// Output  0 y: the inputs' shape and type.
// Source  LiteRT 2.3.0 `stablehlo_elementwise.h`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let stableHLOAdd = stableHLO(.stablehloAdd, .add)
  static let stableHLOMultiply = stableHLO(.stablehloMultiply, .multiply)
  static let stableHLOMaximum = stableHLO(.stablehloMaximum, .maximum)
  static let stableHLOMinimum = stableHLO(.stablehloMinimum, .minimum)

  private static func stableHLO(
    _ code: BuiltinOperator, _ computation: Computation
  ) -> Registration {
    Registration(code, versions: 1...1) { p throws(InferenceError) in
      try p.expect(inputs: 2...2)
      return try p.prepare(PairBody(), computation, ofInput: 0)
    }
  }
}

private struct PairBody: ComputationBody {
  func prepare<Scalar: Element>(
    _ p: inout Preparation, _ function: @escaping @Sendable (Scalar, Scalar) -> Scalar
  ) throws(InferenceError) -> Evaluate {
    let a = try p.input(0, typedAsFirst: Scalar.self)
    let b = try p.input(1, typedAsFirst: Scalar.self)
    try p.shape(ofInput: 1, ranks: a.shape.rank...a.shape.rank)
    for axis in 0..<a.shape.rank {
      try p.expect(b.shape, ofInput: 1, axis: axis, extent: a.shape[axis])
    }
    let y = try p.output(typedAsFirst: Scalar.self, shape: a.shape)
    return { e in
      let (a, b, y) = (e[a], e[b], e[y])
      e.workers.split(y.count, grain: 1 << 14) { part in
        for i in part { y[i] = function(a[i], b[i]) }
      }
    }
  }
}
