//===--- Session.swift - state of a whole run -----------------------------===//

import MartletOperators

/// The state shared by all subgraph states of an interpreter.
final class Session {
  let context: ModelContext
  let variables: VariableStore
  /// Counts the memory and work of preparations during a run.
  let budget: Budget
  /// The workers of this run, with its cancellation check.
  private(set) var workers: Workers
  /// The iterations of all loops since the run began.
  private var iterations = 0
  /// The work of the run so far.
  private var work = 0

  init(_ context: ModelContext, budget: Budget, variables: VariableStore) {
    self.context = context
    self.budget = budget
    self.variables = variables
    workers = context.options.workers
  }

  /// Starts a run.
  func begin() {
    budget.cancellation = context.options.cancellation.started()
    workers = context.options.workers.checking(budget.cancellation)
    iterations = 0
    work = 0
  }

  /// Counts the work of a segment before it runs.
  func take(work segment: Segment) throws(InferenceError) {
    try take(work: segment.cost, node: segment.steps.first?.node ?? 0)
  }

  /// Counts work of node `node` that its shapes do not imply.
  func take(work more: Int, node: Int) throws(InferenceError) {
    work = saturatingSum(work, more)
    guard work <= context.options.workLimit else {
      throw .tooMuchWork(node: node, work: work, limit: context.options.workLimit)
    }
  }

  /// Counts an iteration of any loop of this run.
  func countIteration(node: Int) throws(InferenceError) {
    let limit = context.options.loopLimit
    guard iterations < limit else { throw .loopLimit(node: node, limit: limit) }
    try budget.checkCancellation(at: node)
    iterations += 1
  }
}
