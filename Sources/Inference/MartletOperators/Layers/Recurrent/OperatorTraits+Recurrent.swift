//===--- OperatorTraits+Recurrent.swift - work of recurrent layers --------===//
//
// Each step of a sequence uses all weights once.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

extension OperatorTraits {
  /// RNN and SVDF, whose matrices are inputs 1 and 2.
  static let rnn = recurrent { _, inputs, outputs in rows(outputs[0], times: [1, 2], inputs) }

  /// LSTM. The form with five inputs has all matrices in one.
  static let lstm = recurrent { _, inputs, outputs in
    rows(outputs[0], times: inputs.count == 5 ? [2] : Array(1...8) + [16], inputs)
  }

  /// Layers in both directions, whose multiplications are not counted.
  static let recurrent = recurrent(multiplyAdds: nil)

  private static func recurrent(multiplyAdds: OperatorCost.Count?) -> OperatorTraits {
    OperatorTraits(
      cost: OperatorCost(
        multiplyAdds: multiplyAdds,
        products: { _, inputs, _ in
          guard inputs[0].rank > 0 else { return 0 }
          return saturatingProduct(
            inputs[0].product(0..<inputs[0].rank - 1),
            inputs.dropFirst().reduce(1) { saturatingSum($0, $1.elementCount) })
        }))
  }

  /// The multiplications of each row with these matrices.
  private static func rows(_ output: Shape, times matrices: [Int], _ inputs: [Shape]) -> Int {
    guard output.rank > 0 else { return 0 }
    let weights = matrices.filter { $0 < inputs.count }
      .reduce(0) { saturatingSum($0, inputs[$1].elementCount) }
    return saturatingProduct(output.product(0..<output.rank - 1), weights)
  }
}
