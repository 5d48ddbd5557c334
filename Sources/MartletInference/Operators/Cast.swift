//===--- Cast.swift - CAST ------------------------------------------------===//
//
// Input   0 x: float32, float64, float16, bfloat16, complex64, bool, or an integer of 8 to 64 bits.
// Output  0 y: x's shape, another of these types: the file's tensor says which. To float32 also
//         int4, uint4 and int2.
// Source  LiteRT 2.3.0 `cast.cc`.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletTensor

extension Registration {
  static let cast = Registration(.cast, versions: 1...9) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    let x = try p.input(0)
    let y = try p.output(0)
    if [.int4, .uint4, .int2].contains(x.type) { return try prepareUnpacking(&p) }
    guard Reference.casts(x.type) else {
      throw .unsupportedType(node: p.node, operand: .input(0), found: x.type)
    }
    guard Reference.casts(y.type) else {
      throw .unsupportedType(node: p.node, operand: .output(0), found: y.type)
    }
    let from = try p.inputBytes(0)
    let to = try p.outputBytes(0, shape: x.shape)
    return { e in
      Reference.cast(e[from], x.type, into: e[to], y.type, count: x.shape.elementCount)
    }
  }
}

private func prepareUnpacking(_ p: inout Preparation) throws(InferenceError) -> Evaluate {
  let info = try p.input(0)
  let y = try p.output(0, as: Float.self, shape: info.shape)
  guard let byteCount = info.type.byteCount(of: info.shape.elementCount) else {
    throw .tooLarge(node: p.node, bytes: Int.max, limit: Int(Int32.max))
  }
  let x = Operand<UInt8>(slot: info.index, shape: try p.shape([byteCount]))
  return { e in
    Reference.cast(
      packed: e[x], bitWidth: info.type.bitWidth, isSigned: info.type != .uint4, into: e[y])
  }
}
