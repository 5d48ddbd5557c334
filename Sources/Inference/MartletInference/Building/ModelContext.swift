//===--- ModelContext.swift - model, constants and options ----------------===//
//
// The model, its constants in memory, the operators and the options. All of it is known before any
// subgraph is prepared, and never changes.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletOperators

/// A model with its constants, operators and options.
final class ModelContext: Sendable {
  let model: Model
  let registry: Registry
  let options: Interpreter.Options
  let constants: ConstantStore
  /// The index of each resource variable that the model's operators name.
  let variables: [VarHandleOptions: Int]
  /// The name of each resource variable, by its index.
  let variableNames: [String]
  /// The index of each hash table that the model's operators name.
  let tables: [HashtableOptions: Int]
  /// The options that identify each hash table, by its index.
  let tableOptions: [HashtableOptions]

  /// Throws if copies of constants exceed the memory limit; counted are subgraph `root` and those
  /// that it calls.
  init(
    model: Model, root: Int, options: Interpreter.Options, registry: Registry
  ) throws(InferenceError) {
    self.model = model
    self.registry = registry
    self.options = options
    constants = try ConstantStore(
      model, subgraphs: model.subgraphs(reachedFrom: root), limit: options.memoryLimit)
    var variables: [VarHandleOptions: Int] = [:]
    var names: [String] = []
    var tables: [HashtableOptions: Int] = [:]
    var tableOptions: [HashtableOptions] = []
    for operation in model.subgraphs.lazy.flatMap({ $0.operators }) {
      switch operation.options {
      case .varHandle(let handle) where variables[handle] == nil:
        variables[handle] = names.count
        names.append(handle.sharedName)
      case .hashtable(let table) where tables[table] == nil:
        tables[table] = tableOptions.count
        tableOptions.append(table)
      default: break
      }
    }
    self.variables = variables
    variableNames = names
    self.tables = tables
    self.tableOptions = tableOptions
  }
}

extension Model {
  /// The indices of subgraph `root` and of all that it calls, directly or indirectly, in ascending
  /// order.
  func subgraphs(reachedFrom root: Int) -> [Int] {
    var reached = [Bool](repeating: false, count: subgraphs.count)
    var pending = [root]
    while let index = pending.popLast() {
      guard subgraphs.indices.contains(index), !reached[index] else { continue }
      reached[index] = true
      for operation in subgraphs[index].operators { pending += operation.options.subgraphs }
    }
    return reached.indices.filter { reached[$0] }
  }
}

extension OperatorOptions {
  /// The subgraphs that an operator calls.
  fileprivate var subgraphs: [Int] {
    switch self {
    case .if(let options): [options.thenSubgraph, options.elseSubgraph]
    case .while(let options): [options.conditionSubgraph, options.bodySubgraph]
    case .callOnce(let options): [options.subgraph]
    case .composite(let options): [options.subgraph]
    default: []
    }
  }
}
