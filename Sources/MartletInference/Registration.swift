//===--- Registration.swift - an operator that the interpreter knows ------===//
//
// An operator is a name, the versions it serves, and a function that prepares a node: it checks the
// node's tensors and options, states the outputs' shapes, asks for scratch memory, works out all
// that can be known beforehand, and returns what runs.
//
// Checked   Tests/MartletInferenceTests/InterpreterTests.swift
//===----------------------------------------------------------------------===//

import MartletModel
import MartletTensor

/// Which kernels a graph runs on.
public enum KernelSet: Sendable, Hashable, CaseIterable {
  /// Plain loops, bit for bit LiteRT's reference kernels on integers.
  case reference
  /// The fast kernels where there is one, the reference kernels elsewhere. Integers give the same
  /// bits as `reference`.
  case fast
}

/// An operator, ready to be looked up.
package struct Registration: Sendable {
  package let code: OperatorCode
  /// The operator versions that `prepare` understands.
  package let versions: ClosedRange<Int>
  package let prepare: @Sendable (inout Preparation) throws(InferenceError) -> Evaluate

  package init(
    _ code: OperatorCode, versions: ClosedRange<Int>,
    prepare: @escaping @Sendable (inout Preparation) throws(InferenceError) -> Evaluate
  ) {
    self.code = code
    self.versions = versions
    self.prepare = prepare
  }

  package init(
    _ builtin: BuiltinOperator, versions: ClosedRange<Int>,
    prepare: @escaping @Sendable (inout Preparation) throws(InferenceError) -> Evaluate
  ) {
    self.init(.builtin(builtin), versions: versions, prepare: prepare)
  }
}
