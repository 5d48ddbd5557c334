//===--- Preparation+State.swift - state of a node ------------------------===//
//
// Recurrent operators read and write variable tensors, which keep their values between runs. They
// also have intermediates: tensors without memory that only carry scales.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

extension Preparation {
  /// A handle to input `index`, a variable of `count` elements, which the node may write.
  func state<Scalar: Element>(
    _ index: Int, as type: Scalar.Type, count: Int
  ) throws(InferenceError) -> Operand<Scalar> {
    guard try input(index).isVariable else {
      throw .notVariable(node: node, operand: .input(index))
    }
    return try input(index, as: type, count: count)
  }

  /// The quantization of an intermediate tensor.
  func intermediateQuantization(_ index: Int) throws(InferenceError) -> Quantization {
    let list = operation.intermediates
    guard list.indices.contains(index), list[index] >= 0 else {
      throw .option(node: node, name: "intermediates", value: list.count)
    }
    let tensor = tensors.infos[list[index]]
    guard let map = tensor.quantization, map.isPerTensor else {
      throw .option(node: node, name: "intermediates", value: index)
    }
    try check(map, of: tensor, at: .input(0))
    return map
  }
}
