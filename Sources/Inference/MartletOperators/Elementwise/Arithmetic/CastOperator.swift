//===--- CastOperator.swift - CAST ----------------------------------------===//
//
// Input   0 x: float32, float64, float16, bfloat16, complex64, bool, or an integer of up to 64 bits.
// Output  0 y: x's shape, another of these types, as the file's tensor states. Integers of less
//         than 8 bits only from float32.
// Source  LiteRT 2.3.0 `cast.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletModel
import MartletReference

extension Registration {
  static let cast = Registration(.cast, versions: 1...9) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    let x = try p.input(0)
    let y = try p.output(0)
    if let range = y.declaredType.narrowRange { return try prepareNarrow(&p, range) }
    guard Reference.casts(x.type) else {
      throw .unsupportedType(node: p.node, operand: .input(0), found: x.type)
    }
    guard Reference.casts(y.type) else {
      throw .unsupportedType(node: p.node, operand: .output(0), found: y.type)
    }
    let from = try p.inputBytes(0)
    // Dequantizing with scale 1 yields the integers.
    let identity = ScaleLayout(Quantization(scale: 1, zeroPoint: 0), of: x.shape)
    if p.kernels == .fast, y.type == .float32, let fast = Quantizing(identity, of: x.type) {
      let to = try p.output(0, as: Float.self, shape: x.shape)
      return { e in fast.dequantize(e[from], into: e[to], workers: e.workers) }
    }
    let to = try p.outputBytes(0, shape: x.shape)
    return { e in
      Reference.cast(e[from], x.type, into: e[to], y.type, count: x.shape.elementCount)
    }
  }
}

private func prepareNarrow(
  _ p: inout Preparation, _ range: ClosedRange<Int8>
) throws(InferenceError) -> Evaluate {
  let x = try p.input(0, as: Float.self)
  let y = try p.outputBytes(0, shape: x.shape)
  return { e in
    Reference.cast(e[x], into: e[y].assumingMemoryBound(to: Int8.self), clampedTo: range)
  }
}
