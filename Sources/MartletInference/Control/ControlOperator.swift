//===--- ControlOperator.swift - operators that the interpreter runs ------===//
//
// Operators that run subgraphs, or use variables or hash tables, are no kernels: they say what is to be done (`Work`),
// and the interpreter does it.
//
// Checked   Tests/MartletInferenceTests/ControlFlowTests.swift, VariablesTests.swift,
//           Tests/MartletInferenceTests/HashTableTests.swift
//===----------------------------------------------------------------------===//

import MartletGraph
import MartletModel

/// An operator that runs subgraphs, or uses variables or hash tables.
struct ControlOperator: Sendable {
  let code: OperatorCode
  /// The versions that `prepare` understands.
  let versions = 1...1
  let prepare: @Sendable (inout ControlPreparation) throws(InferenceError) -> Work

  init(
    _ builtin: BuiltinOperator,
    prepare: @escaping @Sendable (inout ControlPreparation) throws(InferenceError) -> Work
  ) {
    code = .builtin(builtin)
    self.prepare = prepare
  }

  /// Every operator of this kind.
  static let all: [ControlOperator] = [
    .if, .while, .composite, .callOnce, .varHandle, .readVariable, .assignVariable, .hashtable,
    .hashtableFind, .hashtableImport, .hashtableSize,
  ]
}

/// A node in preparation, with what the interpreter knows beyond its tensors.
struct ControlPreparation {
  /// What every operator sees of its node.
  var common: Preparation
  /// What all subgraphs of the model share; `nil` if a node is prepared for itself.
  let context: ModelContext?
  /// The subgraphs that are being prepared, from the outermost to this node's own.
  let path: [Int]
  /// The variables of the interpreter that runs; `nil` before it does.
  var variables: VariableStore?
  /// Whether the node is prepared in mid-run, and all that is before it has run.
  var isNext = false

  init(
    _ common: Preparation, context: ModelContext? = nil, path: [Int] = [0],
    variables: VariableStore? = nil
  ) {
    self.common = common
    self.context = context
    self.path = path
    self.variables = variables
  }
}
