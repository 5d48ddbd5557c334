//===--- Budget.swift - memory, work and nodes of a preparation -----------===//
//
// One budget belongs to the preparation of a subgraph and of all that it calls; every state has a copy, for
// what it prepares during a run.
//
// Contract  Memory is counted before it is allocated, and never exceeds the limit. Subgraphs are prepared for
//           each call, so the nodes of all calls are counted: a small file cannot request an endless
//           graph. Counting work also checks for cancellation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

/// The memory, nodes and variables of a preparation.
package final class Budget {
  /// The most bytes.
  package let limit: Int
  /// The most work of all nodes together.
  package let workLimit: Int
  /// Stops a preparation, or a run.
  package var cancellation: CancellationCheck
  /// The amounts in use.
  package struct Use {
    /// The bytes that count towards the limit: copies of constants, folded tensors, variables and arenas.
    package var taken: Int
    /// The bytes of packed weights, which have their own limit.
    package var packed = 0
    /// The nodes of called subgraphs.
    package var nestedNodes = 0
    /// The work of one run of all nodes, and of computing constants.
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
  /// The bytes by which variables have grown since preparation.
  private var growth = 0
  /// The bytes of tensors that were computed from constants.
  package var folded = 0
  /// The remaining work for computing constants.
  private var foldingWork: Int

  /// The type and shape of each resource variable, by its index in the model.
  package private(set) var variables: [VariableInfo?]
  /// Whether shapes of variables can change.
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

  /// Counts memory for node `node`.
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

  /// Throws if node `node` exceeds the remaining work.
  package func expect(work: Int, for node: Int) throws(InferenceError) {
    guard work <= workLimit - use.work else {
      throw .tooMuchWork(node: node, work: saturatingSum(use.work, work), limit: workLimit)
    }
  }

  /// Throws if work is to stop, at node `node`.
  package func checkCancellation(at node: Int) throws(InferenceError) {
    if let interruption = cancellation.interruption {
      throw InferenceError(interruption, node: node)
    }
  }

  /// Takes work for computing constants; `false` if too little is left.
  package func fold(_ work: Int) -> Bool {
    guard work <= foldingWork else { return false }
    foldingWork -= work
    return true
  }

  /// Returns memory.
  package func release(_ bytes: Int) { use.taken -= min(bytes, use.taken) }

  /// Counts the growth of a variable, negative if it shrinks, until it changes again.
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

/// The type and shape of a variable.
package struct VariableInfo: Equatable, Sendable {
  /// The type that the file gives the elements.
  package let type: ElementType
  package let shape: Shape

  package init(type: ElementType, shape: Shape) {
    self.type = type
    self.shape = shape
  }

  /// The bytes of its elements; stored values have passed this check.
  package var byteCount: Int { type.unpacked.byteCount(of: shape.elementCount) ?? 0 }
}

extension Budget {
  /// Records the type and shape that node `node` assigns to, or expects of, a variable.
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

  /// Counts the variable tensors of a subgraph; each interpreter has one set.
  package func takeVariableTensors(_ bytes: Int, ofSubgraph index: Int) throws(InferenceError) {
    guard bytes > 0, subgraphsWithVariables.insert(index).inserted else { return }
    try take(bytes, for: 0)
    variableBytes += bytes
  }
}
