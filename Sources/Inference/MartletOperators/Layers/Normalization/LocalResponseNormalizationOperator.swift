//===--- LocalResponseNormalizationOperator.swift - LOCAL_RESPONSE_NORMALIZATION ===//
//
// Input   0 x: float32 with four axes; channels are the last.
// Output  0 y: x's shape.
// Options LocalResponseNormalizationOptions: radius, bias, α, β.
// Source  LiteRT 2.3.0 `local_response_norm.cc`; its optimized kernel (see the reference kernel).
//===----------------------------------------------------------------------===//

import MartletModel
import MartletReference

extension OperatorTraits {
  fileprivate static let localResponseNormalization = OperatorTraits(
    cost: OperatorCost(
      .slow,
      products: { options, inputs, outputs in
        guard case .localResponseNormalization(let options) = options, inputs[0].rank > 0 else {
          return 0
        }
        let reach = min(max(options.radius, 0), inputs[0][inputs[0].rank - 1])
        return saturatingProduct(outputs[0].elementCount, 2 * reach + 1)
      }))
}

extension Registration {
  static let localResponseNormalization = Registration(
    .localResponseNormalization, versions: 1...1, traits: .localResponseNormalization
  ) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    guard case .localResponseNormalization(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    guard options.radius >= 0 else {
      throw .option(node: p.node, name: "radius", value: options.radius)
    }
    try p.shape(ofInput: 0, ranks: 4...4)
    let (x, y) = try p.elementwise(as: Float.self)
    return { e in
      Reference.normalizeLocally(
        e[x], depth: x.shape[3], radius: options.radius, bias: options.bias, alpha: options.alpha,
        beta: options.beta, into: e[y])
    }
  }
}
