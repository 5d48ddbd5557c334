//===--- ControlOperator.swift - control-flow operators -------------------===//
//
// Operators that run subgraphs, or use variables or hash tables, have no kernels. Their preparation
// returns a description (`Work`), which the interpreter executes.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletOperators

/// An operator that runs subgraphs, or uses variables or hash tables.
struct ControlOperator: Sendable {
  let code: OperatorCode
  /// The versions that `prepare` supports.
  let versions = 1...1
  let prepare: @Sendable (inout ControlPreparation) throws(InferenceError) -> Work

  init(
    _ builtin: BuiltinOperator,
    prepare: @escaping @Sendable (inout ControlPreparation) throws(InferenceError) -> Work
  ) {
    code = .builtin(builtin)
    self.prepare = prepare
  }

  /// All control-flow operators.
  static let all: [ControlOperator] = [
    .if, .while, .composite, .callOnce, .varHandle, .readVariable, .assignVariable, .hashtable,
    .hashtableFind, .hashtableImport, .hashtableSize,
  ]
}

/// A node in preparation, with the interpreter's context.
struct ControlPreparation {
  /// The context that every operator gets.
  var common: Preparation
  /// Shared by all subgraphs of the model; `nil` if a node is prepared separately.
  let context: ModelContext?
  /// The subgraphs in preparation, from the outermost to this node's own.
  let path: [Int]
  /// The variables of the running interpreter; `nil` before the run.
  var variables: VariableStore?
  /// Whether the node is prepared during a run, after all nodes before it have run.
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
