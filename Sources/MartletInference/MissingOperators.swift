//===--- MissingOperators.swift - operators that a model lacks ------------===//
//
// Looks at every operator of a model on its own, so that all that are missing are named at once and
// before anything runs: those that nobody registered, those of versions that are not served, and
// those that do not take tensors of the types that the file gives them.
//
// Contract  An empty list does not promise that the model runs: shapes and values are not looked
//           at.
// Cost      A look-up for each operator, and a trial preparation without memory.
// Checked   Tests/MartletInferenceTests/MissingOperatorsTests.swift
//===----------------------------------------------------------------------===//

import MartletGraph
import MartletModel
import MartletTensor

/// An operator that a model needs and that is not there, with all its places in one subgraph.
package struct MissingOperator: Sendable, Hashable {
  /// Why it is missing.
  package enum Reason: Sendable, Hashable {
    /// No operator of this name is registered.
    case name
    /// The operator is there, but not in this version.
    case version
    /// The operator is there, but does not take a tensor of this type in this place.
    case type(OperandPlace, ElementType)
  }
  package let name: String
  package let version: Int
  /// The element types of the inputs; `nil` for one that is absent.
  package let inputs: [ElementType?]
  package let outputs: [ElementType]
  package let reason: Reason
  package let subgraph: Int
  /// The operators' indices in the subgraph.
  package var nodes: [Int]
}

extension Registry {
  /// Why there is no operator for `operation`, or `nil` if there is one.
  fileprivate func reason(_ operation: Operator) -> MissingOperator.Reason? {
    if (try? implementation(of: operation, node: 0)) != nil { return nil }
    return has(operation.code) ? .version : .name
  }
}

extension Model {
  /// The operators of all subgraphs that are not among the package's own and those of `options`, in
  /// the order in which the file has them.
  ///
  /// - Parameter checksTypes: Whether to ask the operators if they take the types of their tensors.
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

  /// A preparation of any of a subgraph's operators, with the shapes that the file states until an
  /// operator states others.
  private func trial(of subgraph: Subgraph) -> ControlPreparation {
    let infos = subgraph.tensors.enumerated().map {
      TensorInfo($0, $1, isConstant: !buffers[$1.buffer].isEmpty)
    }
    return ControlPreparation(
      Preparation(
        operation: Operator(code: .custom(""), inputs: [], outputs: []), node: 0,
        kernels: .reference, workerCount: 1, file: bytes,
        tensors: TensorTable(
          infos, known: [UnsafeRawBufferPointer?](repeating: nil, count: infos.count))))
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
  /// A few words.
  package var description: String {
    switch self {
    case .name: "no operator of this name"
    case .version: "not of this version"
    case .type(let place, let type): "\(place) is \(type)"
    }
  }
}

extension MissingOperator: CustomStringConvertible {
  /// The inputs' types, parted by commas.
  package var inputTypes: String {
    inputs.map { $0.map { "\($0)" } ?? "none" }.joined(separator: ", ")
  }
  /// The outputs' types, parted by commas.
  package var outputTypes: String { outputs.map { "\($0)" }.joined(separator: ", ") }

  /// Name, version, types, reason and place, in one line.
  package var description: String {
    let first = nodes.first.map { "\($0)" } ?? ""
    let others = nodes.count > 1 ? " and \(nodes.count - 1) more" : ""
    let graph = subgraph > 0 ? " of subgraph \(subgraph)" : ""
    return "\(name) version \(version) (\(inputTypes) -> \(outputTypes)): \(reason), "
      + "operator \(first)\(others)\(graph)"
  }
}
