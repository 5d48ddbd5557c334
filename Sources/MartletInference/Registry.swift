//===--- Registry.swift - the operators at hand ---------------------------===//
//
// Contract  An operator is found by its code; asking for a version that is not served is an error
//           that names operator and version, before anything runs.
// Checked   Tests/MartletInferenceTests/InterpreterTests.swift
//===----------------------------------------------------------------------===//

import MartletModel

/// The operators that an interpreter may use.
package struct Registry: Sendable {
  private let registrations: [OperatorCode: Registration]

  package init(_ registrations: [Registration]) {
    var table: [OperatorCode: Registration] = [:]
    for registration in registrations { table[registration.code] = registration }
    self.registrations = table
  }

  /// Every operator of this package.
  package static let builtin = Registry(denseOperators + shapeOperators)

  /// The operator that serves `operation`, node `node` of its subgraph.
  package func registration(
    for operation: Operator, node: Int
  ) throws(InferenceError) -> Registration {
    guard let found = registrations[operation.code], found.versions.contains(operation.version)
    else {
      throw .unsupportedOperator(
        node: node, name: operation.code.name, version: operation.version)
    }
    return found
  }
}

extension OperatorCode {
  /// The schema's name of a builtin operator, or a custom operator's own.
  package var name: String {
    switch self {
    case .builtin(let builtin): builtin.description
    case .custom(let name): name
    }
  }
}
