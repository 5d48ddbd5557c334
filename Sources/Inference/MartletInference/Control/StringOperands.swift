//===--- StringOperands.swift - string operands ---------------------------===//
//
// Operators that move elements, or test equality, also accept strings. Their kernels get a number
// for each string, equal for equal strings; the results are mapped back to strings.
//
// Contract  0 is the empty string, so elements that a kernel fills with zeros are empty. Operands
//           with extents, axes or indices are never strings. Numbers of strings are not mixed with
//           integers in the file: operands that are combined are all strings or none is, and so is
//           the result.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletOperators

extension ControlPreparation {
  /// Returns the work of a node whose operands may be strings; if they are, its kernel is prepared
  /// once they are known.
  mutating func prepareStrings(
    _ strings: StringOperands, of registration: Registration
  ) throws(InferenceError) -> Work {
    let inputs = strings.inputs(common.operation.inputs.indices).filter { common.hasInput($0) }
    var hasStrings = false
    for index in inputs where try common.input(index).type == .string { hasStrings = true }
    guard hasStrings else { return .kernel(try registration.prepare(&common)) }
    for index in inputs { try expectString(common.input(index), at: .input(index)) }
    for index in common.operation.outputs.indices
    where strings.includes(output: index) {
      try expectString(common.output(index), at: .output(index))
    }
    return .open(.strings(registration, inputs: inputs))
  }

  private func expectString(
    _ tensor: TensorInfo, at place: OperandPlace
  ) throws(InferenceError) {
    guard tensor.type == .string else {
      throw .type(
        node: common.node, operand: place, found: tensor.declaredType, expected: .string)
    }
  }
}
