//===--- Registry.swift - the operators at hand ---------------------------===//
//
// Contract  An operator is found by its code; asking for a version that is not served is an error
//           that names operator and version, before anything runs. Of several that serve a code
//           and version the last one added counts: a user's own before the package's.
// Checked   Tests/MartletInferenceTests/InterpreterTests.swift
//===----------------------------------------------------------------------===//

import MartletModel

/// The operators that an interpreter may use.
package struct Registry: Sendable {
  /// The operators of each code, the last one first.
  private var registrations: [OperatorCode: [Registration]] = [:]

  package init(_ registrations: [Registration]) {
    for registration in registrations { add(registration) }
  }

  private mutating func add(_ registration: Registration) {
    registrations[registration.code, default: []].insert(registration, at: 0)
  }

  /// These operators and, before them, others.
  package func adding(_ others: [Registration]) -> Registry {
    var registry = self
    for registration in others { registry.add(registration) }
    return registry
  }

  /// Every operator of this package.
  package static let builtin = Registry(
    denseOperators + shapeOperators + indexingOperators + recurrentOperators + elementwiseOperators
      + mediaPipeOperators + controlOperators)

  /// Whether there is an operator of this code, of whatever version.
  package func has(_ code: OperatorCode) -> Bool { registrations[code] != nil }

  /// The operator that serves `operation`, node `node` of its subgraph.
  package func registration(
    for operation: Operator, node: Int
  ) throws(InferenceError) -> Registration {
    let candidates = registrations[operation.code] ?? []
    guard let found = candidates.first(where: { $0.versions.contains(operation.version) }) else {
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
