//===--- FakeQuantOperator.swift - FAKE_QUANT -----------------------------===//
//
// Input   0 x: float32 of any shape.
// Output  0 y: as x.
// Options FakeQuantOptions: the interval, which must contain zero, and the number of bits, at most
//         16. A narrow range is rejected, as in LiteRT.
// Source  LiteRT 2.3.0 `fake_quant.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Registration {
  static let fakeQuant = Registration(.fakeQuant, versions: 1...2) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    guard case .fakeQuant(let options) = p.operation.options, options.minimum <= 0,
      options.maximum >= 0, options.minimum < options.maximum,
      (options.maximum - options.minimum).isFinite
    else { throw .options(node: p.node) }
    guard (1...16).contains(options.bitCount) else {
      throw .option(node: p.node, name: "num_bits", value: options.bitCount)
    }
    guard !options.narrowRange else {
      throw .option(node: p.node, name: "narrow_range", value: 1)
    }
    let (x, y) = try p.elementwiseInPlace(as: Float.self)
    let quantization = FakeQuantization(
      options.minimum...options.maximum, bits: options.bitCount)
    return { e in Reference.map(e[x], into: e[y], workers: e.workers) { quantization($0) } }
  }
}
