//===--- Registry.swift - operators by code and version -------------------===//
//
// Contract  An operator is found by its code; asking for a version that is not served is an error
//           that names operator and version, before anything runs. Of several that serve a code
//           and version the last one added counts: a user's own before the package's.
// Checked   Tests/MartletInferenceTests/InterpreterTests.swift
//===----------------------------------------------------------------------===//

import MartletElementwiseOperators
import MartletGraph
import MartletLayerOperators
import MartletModel
import MartletMovementOperators

/// How the interpreter serves an operator.
enum Implementation: Sendable {
  /// A kernel computes its outputs from its inputs.
  case kernel(Registration)
  /// The interpreter itself does its work.
  case control(ControlOperator)

  var versions: ClosedRange<Int> {
    switch self {
    case .kernel(let registration): registration.versions
    case .control(let control): control.versions
    }
  }

  func prepare(_ p: inout ControlPreparation) throws(InferenceError) -> Work {
    switch self {
    case .kernel(let registration): try p.prepare(registration)
    case .control(let control): try control.prepare(&p)
    }
  }
}

/// The operators that an interpreter may use.
package struct Registry: Sendable {
  /// The operators of each code, the last one first.
  private var implementations: [OperatorCode: [Implementation]] = [:]

  package init(_ registrations: [Registration]) {
    for registration in registrations { add(.kernel(registration), registration.code) }
  }

  private mutating func add(_ implementation: Implementation, _ code: OperatorCode) {
    implementations[code, default: []].insert(implementation, at: 0)
  }

  /// These operators and, before them, others.
  package func adding(_ others: [Registration]) -> Registry {
    var registry = self
    for registration in others { registry.add(.kernel(registration), registration.code) }
    return registry
  }

  /// Every operator of this package.
  package static let builtin: Registry = {
    var registry = Registry(
      Registration.layers + Registration.elementwise + Registration.movement)
    for control in ControlOperator.all { registry.add(.control(control), control.code) }
    return registry
  }()

  /// Whether there is an operator of this code, of whatever version.
  package func has(_ code: OperatorCode) -> Bool { implementations[code] != nil }

  /// What serves `operation`, node `node` of its subgraph.
  func implementation(
    of operation: Operator, node: Int
  ) throws(InferenceError) -> Implementation {
    let candidates = implementations[operation.code] ?? []
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
