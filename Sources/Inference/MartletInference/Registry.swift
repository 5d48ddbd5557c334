//===--- Registry.swift - operators by code and version -------------------===//
//
// Contract  Operators are found by code and version. An unsupported operator or version throws an
//           error that names both, before anything runs. If several operators match, the one added
//           last is used, so user-defined operators replace the package's own.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletOperators

/// The implementation of an operator.
enum Implementation: Sendable {
  /// A kernel computes its outputs from its inputs.
  case kernel(Registration)
  /// The interpreter executes it.
  case control(ControlOperator)

  var traits: OperatorTraits {
    switch self {
    case .kernel(let registration): registration.traits
    case .control: .plain
    }
  }

  var versions: ClosedRange<Int> {
    switch self {
    case .kernel(let registration): registration.versions
    case .control(let control): control.versions
    }
  }

  func prepare(_ p: inout ControlPreparation) throws(InferenceError) -> Work {
    switch self {
    case .kernel(let registration):
      if let strings = registration.traits.strings {
        try p.prepareStrings(strings, of: registration)
      } else {
        .kernel(try registration.prepare(&p.common))
      }
    case .control(let control): try control.prepare(&p)
    }
  }
}

/// The operators that an interpreter may use.
package struct Registry: Sendable {
  /// The operators of each code, the one added last first.
  private var implementations: [OperatorCode: [Implementation]] = [:]

  package init(_ registrations: [Registration]) {
    for registration in registrations { add(.kernel(registration), registration.code) }
  }

  private mutating func add(_ implementation: Implementation, _ code: OperatorCode) {
    implementations[code, default: []].insert(implementation, at: 0)
  }

  /// Returns a registry in which `others` take precedence over these operators.
  package func adding(_ others: [Registration]) -> Registry {
    var registry = self
    for registration in others { registry.add(.kernel(registration), registration.code) }
    return registry
  }

  /// All operators of this package.
  package static let builtin: Registry = {
    var registry = Registry(
      Registration.layers + Registration.elementwise + Registration.movement)
    for control in ControlOperator.all { registry.add(.control(control), control.code) }
    return registry
  }()

  /// Whether there is an operator with this code, in any version.
  package func has(_ code: OperatorCode) -> Bool { implementations[code] != nil }

  /// Returns the traits of `operation`; for a version that is not supported, those of another one.
  func traits(of operation: Operator) -> OperatorTraits {
    let candidates = implementations[operation.code] ?? []
    let found = candidates.first { $0.versions.contains(operation.version) } ?? candidates.first
    return found?.traits ?? .plain
  }

  /// Returns the implementation of `operation`, node `node` of its subgraph.
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
