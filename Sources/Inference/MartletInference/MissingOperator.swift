//===--- MissingOperator.swift - unsupported operators of a model ---------===//
//
// Checks every operator of a model separately, so that all unsupported ones are listed before
// anything runs: operators that are not registered, unsupported versions, and unsupported types of
// tensors.
//
// Contract  An empty list does not mean that the model runs: shapes and values are not checked.
// Cost      A look-up per operator, and a trial preparation without memory.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletOperators

/// An unsupported operator of a model, with all its nodes in one subgraph.
package struct MissingOperator: Sendable, Hashable {
  /// Why the operator is unsupported.
  package enum Reason: Sendable, Hashable {
    /// No operator of this name is registered.
    case name
    /// The operator is registered, but not in this version.
    case version
    /// The operator is registered, but does not support this type for this operand.
    case type(OperandPlace, ElementType)
  }
  package let name: String
  package let version: Int
  /// The element types of the inputs; `nil` if an input is absent.
  package let inputs: [ElementType?]
  package let outputs: [ElementType]
  package let reason: Reason
  package let subgraph: Int
  /// The operators' indices in the subgraph.
  package var nodes: [Int]
}

extension Registry {
  /// Why there is no implementation of `operation`, or `nil` if there is one.
  fileprivate func reason(_ operation: Operator) -> MissingOperator.Reason? {
    if (try? implementation(of: operation, node: 0)) != nil { return nil }
    return has(operation.code) ? .version : .name
  }
}

extension Model {
  /// Returns the operators of all subgraphs that neither the package nor `options` implements, in
  /// the file's order.
  ///
  /// - Parameters:
  ///   - options: The options with the user-defined operators.
  ///   - checksTypes: Whether to check the types of the operators' tensors.
  package func missingOperators(
    options: Interpreter.Options, checksTypes: Bool
  ) -> [MissingOperator] {
    let registry = Registry.builtin.adding(options.operators)
    var missing: [MissingOperator] = []
    var places: [MissingOperator: Int] = [:]
    for (index, subgraph) in subgraphs.enumerated() {
      var trial = checksTypes ? trial(of: subgraph) : nil
      for (node, operation) in subgraph.operators.enumerated() {
        guard
          let reason = registry.reason(operation) ?? trial?.refusedType(of: operation, registry)
        else { continue }
        var found = MissingOperator(
          name: operation.code.name, version: operation.version,
          inputs: operation.inputs.map { $0 < 0 ? nil : subgraph.tensors[$0].type },
          outputs: operation.outputs.map { subgraph.tensors[$0].type }, reason: reason,
          subgraph: index, nodes: [])
        if let place = places[found] {
          missing[place].nodes.append(node)
        } else {
          places[found] = missing.count
          found.nodes = [node]
          missing.append(found)
        }
      }
    }
    return missing
  }

  /// A preparation for any of a subgraph's operators. It has the shapes in the file until an
  /// operator sets others.
  private func trial(of subgraph: Subgraph) -> ControlPreparation {
    let infos = subgraph.tensors.enumerated().map {
      TensorInfo($0, $1, isConstant: !buffers[$1.buffer].isEmpty)
    }
    return unsafe ControlPreparation(
      Preparation(
        operation: Operator(code: .custom(""), inputs: [], outputs: []), node: 0,
        kernels: .reference, workerCount: 1, file: bytes,
        tensors: TensorTable(
          infos, known: [UnsafeRawBufferPointer?](repeating: nil, count: infos.count)),
        subgraphs: subgraphs))
  }
}

extension ControlPreparation {
  fileprivate mutating func refusedType(
    of operation: Operator, _ registry: Registry
  ) -> MissingOperator.Reason? {
    common.operation = operation
    do throws(InferenceError) {
      _ = try registry.implementation(of: operation, node: 0).prepare(&self)
      return nil
    } catch {
      switch error {
      case .unsupportedType(_, let place, let found): return .type(place, found)
      case .type(_, let place, let found, _): return .type(place, found)
      default: return nil
      }
    }
  }
}

extension MissingOperator.Reason: CustomStringConvertible {
  /// The reason in a few words.
  package var description: String {
    switch self {
    case .name: "no operator of this name"
    case .version: "not of this version"
    case .type(let place, let type): "\(place) is \(type)"
    }
  }
}

extension MissingOperator: CustomStringConvertible {
  /// The inputs' types, separated by commas.
  package var inputTypes: String {
    inputs.map { $0.map { "\($0)" } ?? "none" }.joined(separator: ", ")
  }
  /// The outputs' types, separated by commas.
  package var outputTypes: String { outputs.map { "\($0)" }.joined(separator: ", ") }

  /// Name, version, types, reason and nodes, in one line.
  package var description: String {
    let first = nodes.first.map { "\($0)" } ?? ""
    let others = nodes.count > 1 ? " and \(nodes.count - 1) more" : ""
    let graph = subgraph > 0 ? " of subgraph \(subgraph)" : ""
    return "\(name) version \(version) (\(inputTypes) -> \(outputTypes)): \(reason), "
      + "operator \(first)\(others)\(graph)"
  }
}
