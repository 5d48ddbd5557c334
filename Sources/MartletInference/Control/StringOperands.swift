//===--- StringOperands.swift - operators that take strings ---------------===//
//
// Operators that move elements, or ask if two are equal, take strings as well: their kernels see a number
// for each string, the same for equal ones, and the strings follow.
//
// Contract  0 is the empty string: what a kernel fills with zeros is empty. Operands that hold extents,
//           axes or indices are never strings. No number meets an integer of the file's: of operands
//           whose elements end up together all are strings or none is, and so is the result.
// Checked   Tests/MartletInferenceTests/StringTests.swift, operator cases
//===----------------------------------------------------------------------===//

import MartletGraph
import MartletModel

extension ControlPreparation {
  /// What a node does that a kernel serves: where it has strings, when they are there.
  mutating func prepare(_ registration: Registration) throws(InferenceError) -> Work {
    let inputs = common.operation.code.stringOperands(common.operation.inputs.indices)
      .filter { common.hasInput($0) }
    var hasStrings = false
    for index in inputs where try common.input(index).type == .string { hasStrings = true }
    guard hasStrings else { return .kernel(try registration.prepare(&common)) }
    for index in inputs { try expectString(common.input(index), at: .input(index)) }
    for index in common.operation.outputs.indices
    where common.operation.code.givesStrings(asOutput: index) {
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

extension OperatorCode {
  /// The inputs, of these, that may be strings.
  fileprivate func stringOperands(_ inputs: Range<Int>) -> Range<Int> {
    guard case .builtin(let builtin) = self else { return 0..<0 }
    return switch builtin {
    case .concatenation, .pack, .equal, .notEqual: inputs
    case .broadcastTo, .expandDims, .gather, .gatherNd, .reshape, .reverseV2, .slice, .splitV,
      .squeeze, .stridedSlice, .tile, .transpose, .unpack:
      inputs.prefix(1)
    case .fill, .split: inputs.dropFirst().prefix(1)
    case .hashtableLookup: inputs.dropFirst(2).prefix(1)
    case .select, .selectV2: inputs.dropFirst()
    default: 0..<0
    }
  }

  /// Whether output `index` is made of the strings of the inputs, not of what their kernel says of them.
  fileprivate func givesStrings(asOutput index: Int) -> Bool {
    switch self {
    case .builtin(.equal), .builtin(.notEqual): false
    case .builtin(.hashtableLookup): index == 0
    default: true
    }
  }
}
