//===--- Budget.swift - memory, work and nodes of a preparation -----------===//
//
// One budget goes with the preparation of a subgraph and of all that it calls; every state has a
// copy, for what it prepares in mid-run.
//
// Contract  Memory is counted before it is taken, and never beyond the limit. Subgraphs that are
//           called many times are prepared for each call: the nodes of all calls are counted, so
//           that a small file can't ask for an endless graph. Whoever counts work learns whether
//           it is to stop.
// Checked   Tests/MartletInferenceTests/HostileGraphTests.swift
//===----------------------------------------------------------------------===//

import MartletModel
import MartletRuntime
import MartletTensor

/// The memory, nodes and variables of a preparation.
package final class Budget {
  /// The most bytes that may be taken.
  package let limit: Int
  /// The most work that nodes may take together.
  package let workLimit: Int
  /// What tells a preparation, or a run, when to stop.
  package var cancellation: CancellationCheck
  /// What is in use.
  package struct Use {
    /// The bytes that count towards the limit: copies of constants, folded tensors, variables and
    /// the arenas.
    package var taken: Int
    /// The bytes of weights that nodes have packed; they have a limit of their own.
    package var packed = 0
    /// The nodes of called subgraphs.
    package var nestedNodes = 0
    /// The work that one run of all nodes takes, and that of computing constants.
    package var work = 0

    package init(taken: Int, packed: Int = 0, nestedNodes: Int = 0, work: Int = 0) {
      self.taken = taken
      self.packed = packed
      self.nestedNodes = nestedNodes
      self.work = work
    }

    package static func - (a: Use, b: Use) -> Use {
      Use(
        taken: a.taken - b.taken, packed: a.packed - b.packed,
        nestedNodes: a.nestedNodes - b.nestedNodes, work: a.work - b.work)
    }

    package static func -= (a: inout Use, b: Use) { a = a - b }
  }

  package var use: Use
  /// The bytes by which variables have grown since the graph was prepared.
  private var growth = 0
  /// The bytes of tensors that were computed once from constants.
  package var folded = 0
  /// The work that computing constants may still take.
  private var foldingWork: Int

  /// What is known of each resource variable, by its index in the model.
  package private(set) var variables: [VariableInfo?]
  /// Whether no variable's shape may be taken for granted.
  package let variablesVary: Bool
  /// Whether a variable was assigned values of two shapes or types.
  package private(set) var hasVaryingVariable = false
  /// The bytes of variables and variable tensors.
  package private(set) var variableBytes = 0
  /// The subgraphs whose variable tensors are counted.
  private var subgraphsWithVariables: Set<Int> = []

  package init(
    limit: Int, workLimit: Int = ModelLimits.work, taken: Int, variableCount: Int,
    variablesVary: Bool = false, foldingLimit: Int = Int.max,
    cancellation: CancellationCheck = .never
  ) {
    foldingWork = foldingLimit
    self.limit = limit
    self.workLimit = workLimit
    self.cancellation = cancellation
    self.use = Use(taken: taken)
    self.variables = [VariableInfo?](repeating: nil, count: variableCount)
    self.variablesVary = variablesVary
  }

  package init(copying other: Budget) {
    limit = other.limit
    workLimit = other.workLimit
    cancellation = other.cancellation
    use = other.use
    folded = other.folded
    foldingWork = other.foldingWork
    variables = other.variables
    variablesVary = other.variablesVary
    variableBytes = other.variableBytes
    subgraphsWithVariables = other.subgraphsWithVariables
  }

  /// Counts memory that node `node` needs.
  package func take(_ bytes: Int, for node: Int) throws(InferenceError) {
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
  package func take(work: Int, for node: Int) throws(InferenceError) {
    try expect(work: work, for: node)
    use.work += work
  }

  /// Throws if node `node` takes more work than is left.
  package func expect(work: Int, for node: Int) throws(InferenceError) {
    guard work <= workLimit - use.work else {
      throw .tooMuchWork(node: node, work: saturatingSum(use.work, work), limit: workLimit)
    }
  }

  /// Throws if the work is to stop, which is at node `node`.
  package func checkCancellation(at node: Int) throws(InferenceError) {
    if let interruption = cancellation.interruption {
      throw InferenceError(interruption, node: node)
    }
  }

  /// Takes the work of computing constants, if there is enough left for it.
  package func fold(_ work: Int) -> Bool {
    guard work <= foldingWork else { return false }
    foldingWork -= work
    return true
  }

  /// Gives back memory.
  package func release(_ bytes: Int) { use.taken -= min(bytes, use.taken) }

  /// Counts that a variable takes `bytes` more, or fewer if negative, until it changes again.
  package func grow(by bytes: Int, for node: Int) throws(InferenceError) {
    _ = try total(adding: bytes, for: node)
    growth += bytes
  }

  /// Counts the nodes of a subgraph that node `node` calls.
  package func call(nodeCount: Int, from node: Int) throws(InferenceError) {
    use.nestedNodes += nodeCount + 1
    guard use.nestedNodes <= ModelLimits.nestedNodes else {
      throw .nestedNodes(node: node, limit: ModelLimits.nestedNodes)
    }
  }
}

// MARK: - Variables

/// What a variable holds.
package struct VariableInfo: Equatable, Sendable {
  /// The type that the file gives the elements.
  package let type: ElementType
  package let shape: Shape

  package init(type: ElementType, shape: Shape) {
    self.type = type
    self.shape = shape
  }

  /// The bytes of its elements; what is stored has passed this check.
  package var byteCount: Int { type.unpacked.byteCount(of: shape.elementCount) ?? 0 }
}

extension Budget {
  /// Notes what node `node` assigns to, or expects of, a variable.
  package func note(_ info: VariableInfo, of variable: Int, node: Int) throws(InferenceError) {
    guard !variablesVary else { return }
    if let known = variables[variable] {
      hasVaryingVariable = hasVaryingVariable || known != info
      return
    }
    try take(Arena.aligned(info.byteCount), for: node)
    variableBytes += info.byteCount
    variables[variable] = info
  }

  /// Counts the variable tensors of a subgraph, of which each interpreter has one set.
  package func takeVariableTensors(_ bytes: Int, ofSubgraph index: Int) throws(InferenceError) {
    guard bytes > 0, subgraphsWithVariables.insert(index).inserted else { return }
    try take(bytes, for: 0)
    variableBytes += bytes
  }
}
