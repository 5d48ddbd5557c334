//===--- DensifyOperator.swift - DENSIFY ----------------------------------===//
//
// Inputs  0 x: a sparse constant of any type of whole bytes. ConstantStore has already expanded it,
//         so this operator only copies; it is folded into a constant.
// Output  0 y: as x, dense.
// Source  LiteRT 2.3.0 `densify.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

extension Registration {
  static let densify = Registration(.densify, versions: 1...1) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    let x = try p.inputBytes(0)
    let y = try p.outputBytes(0, typedAs: 0, shape: x.shape)
    return { e in e[y].copyMemory(from: e[x], byteCount: x.byteCount) }
  }
}
