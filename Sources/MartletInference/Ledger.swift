//===--- Ledger.swift - what a preparation has taken ----------------------===//
//
// One ledger goes with the preparation of a subgraph and of all that it calls; every state has a
// copy, on which it books what it prepares in mid-run.
//
// Contract  Memory is booked before it is taken, and never beyond the limit. Subgraphs that are
//           called many times are prepared for each call: the nodes of all calls are counted, so
//           that a small file can't ask for an endless graph.
// Checked   Tests/MartletInferenceTests/HostileGraphTests.swift
//===----------------------------------------------------------------------===//

import MartletModel
import MartletRuntime
import MartletTensor

/// The memory, nodes and variables of a preparation.
final class Ledger {
  /// The most bytes that may be taken.
  let limit: Int
  /// The most work that nodes may take together.
  let workLimit: Int
  /// What is in use.
  struct Use {
    /// The bytes that count towards the limit: copies of constants, folded tensors, variables and
    /// the arenas.
    var taken: Int
    /// The bytes of weights that nodes have packed; they have a limit of their own.
    var packed = 0
    /// The nodes of called subgraphs.
    var nestedNodes = 0
    /// The work that one run of all nodes takes, and that of computing constants.
    var work = 0

    static func - (a: Use, b: Use) -> Use {
      Use(
        taken: a.taken - b.taken, packed: a.packed - b.packed,
        nestedNodes: a.nestedNodes - b.nestedNodes, work: a.work - b.work)
    }

    static func -= (a: inout Use, b: Use) { a = a - b }
  }

  var use: Use
  /// The bytes by which variables have grown since the graph was prepared.
  private var growth = 0
  /// The bytes of tensors that were computed once from constants.
  var folded = 0

  /// What is known of each resource variable, by its index in the model.
  private(set) var variables: [VariableInfo?]
  /// Whether no variable's shape may be taken for granted.
  let variablesVary: Bool
  /// Whether a variable was assigned values of two shapes or types.
  private(set) var hasVaryingVariable = false
  /// The bytes of variables and variable tensors.
  private(set) var variableBytes = 0
  /// The subgraphs whose variable tensors are booked.
  private var subgraphsWithVariables: Set<Int> = []

  init(
    limit: Int, workLimit: Int = ModelLimits.work, taken: Int, variableCount: Int,
    variablesVary: Bool = false
  ) {
    self.limit = limit
    self.workLimit = workLimit
    self.use = Use(taken: taken)
    self.variables = [VariableInfo?](repeating: nil, count: variableCount)
    self.variablesVary = variablesVary
  }

  init(copying other: Ledger) {
    limit = other.limit
    workLimit = other.workLimit
    use = other.use
    folded = other.folded
    variables = other.variables
    variablesVary = other.variablesVary
    variableBytes = other.variableBytes
    subgraphsWithVariables = other.subgraphsWithVariables
  }

  /// Books memory that node `node` needs.
  func take(_ bytes: Int, for node: Int) throws(InferenceError) {
    use.taken = try total(adding: bytes, for: node)
  }

  private func total(adding bytes: Int, for node: Int) throws(InferenceError) -> Int {
    let (total, overflow) = use.taken.addingReportingOverflow(bytes)
    guard !overflow, total <= limit - growth else {
      throw .tooLarge(node: node, bytes: overflow ? Int.max : total, limit: limit)
    }
    return total
  }

  /// Counts the work of node `node`.
  func take(work: Int, for node: Int) throws(InferenceError) {
    try expect(work: work, for: node)
    use.work += work
  }

  /// Throws if node `node` takes more work than is left.
  func expect(work: Int, for node: Int) throws(InferenceError) {
    guard work <= workLimit - use.work else {
      throw .tooMuchWork(node: node, work: sum(use.work, work), limit: workLimit)
    }
  }

  /// Gives back memory.
  func release(_ bytes: Int) { use.taken -= min(bytes, use.taken) }

  /// Books that a variable takes `bytes` more, or fewer if negative, until it changes again.
  func grow(by bytes: Int, for node: Int) throws(InferenceError) {
    _ = try total(adding: bytes, for: node)
    growth += bytes
  }

  /// Counts the nodes of a subgraph that node `node` calls.
  func call(nodeCount: Int, from node: Int) throws(InferenceError) {
    use.nestedNodes += nodeCount + 1
    guard use.nestedNodes <= ModelLimits.nestedNodes else {
      throw .nestedNodes(node: node, limit: ModelLimits.nestedNodes)
    }
  }
}

// MARK: - Variables

/// What a variable holds.
struct VariableInfo: Equatable, Sendable {
  /// The type that the file gives the elements.
  let type: ElementType
  let shape: Shape

  /// The bytes of its elements; what is stored has passed this check.
  var byteCount: Int { type.unpacked.byteCount(of: shape.elementCount) ?? 0 }
}

extension Ledger {
  /// Notes what node `node` assigns to, or expects of, a variable.
  func note(_ info: VariableInfo, of variable: Int, node: Int) throws(InferenceError) {
    guard !variablesVary else { return }
    if let known = variables[variable] {
      hasVaryingVariable = hasVaryingVariable || known != info
      return
    }
    try take(Arena.aligned(info.byteCount), for: node)
    variableBytes += info.byteCount
    variables[variable] = info
  }

  /// Books the variable tensors of a subgraph, of which each interpreter has one set.
  func takeVariableTensors(_ bytes: Int, ofSubgraph index: Int) throws(InferenceError) {
    guard bytes > 0, subgraphsWithVariables.insert(index).inserted else { return }
    try take(bytes, for: 0)
    variableBytes += bytes
  }
}
