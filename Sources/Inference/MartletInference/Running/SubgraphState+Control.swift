//===--- SubgraphState+Control.swift - branches, loops, variables ---------===//
//
// The work of nodes without kernels if all shapes are fixed. It uses existing memory and allocates
// nothing.
//===----------------------------------------------------------------------===//

import MartletOperators

extension SubgraphState {
  typealias Addresses = UnsafePointer<UnsafeMutableRawPointer>

  /// Executes a node without a kernel; `children` are the states of its segment's calls.
  /// `addresses` has all slots of the subgraph, and the node's preparation has checked the types and
  /// shapes of its operands.
  func perform(
    _ step: Step, _ children: [SubgraphState], _ addresses: Addresses
  ) throws(InferenceError) {
    switch step.work {
    case .kernel, .open: break
    case .call(let call):
      try unsafe children[step.firstCall].run(call, addresses)
    case .branch(let condition, let then, let otherwise):
      if unsafe addresses[condition].load(as: UInt8.self) != 0 {
        try unsafe children[step.firstCall].run(then, addresses)
      } else {
        try unsafe children[step.firstCall + 1].run(otherwise, addresses)
      }
    case .loop(let loop):
      try unsafe run(
        loop, condition: children[step.firstCall], body: children[step.firstCall + 1], addresses,
        node: step.node)
    case .once(let call):
      guard session.variables.initialize(call.plan.index) else { return }
      try unsafe children[step.firstCall].run(call, addresses)
    case .read(let access):
      try unsafe session.variables.read(access, into: addresses[access.slot], node: step.node)
    case .assign(let access):
      try unsafe session.variables.assign(
        access, from: addresses[access.slot], node: step.node, budget: session.budget)
    case .count(let table, let slot):
      unsafe addresses[slot].storeBytes(
        of: Int64(session.variables.table(table).count), as: Int64.self)
    }
  }

  /// Runs this state's subgraph and copies its results to its caller.
  private func run(_ call: Call, _ caller: Addresses) throws(InferenceError) {
    do throws(InferenceError) {
      try run()
    } catch {
      throw .inSubgraph(index: plan.index, error)
    }
    // Both tensors have as many bytes, and their memory is that of the two segments' plans.
    for copy in call.results {
      unsafe caller[copy.to].copyMemory(
        from: tensors.addresses[copy.from], byteCount: copy.byteCount)
    }
  }

  private func run(
    _ loop: Loop, condition: SubgraphState, body: SubgraphState, _ addresses: Addresses, node: Int
  ) throws(InferenceError) {
    // Both tensors have as many bytes.
    func copy(_ copies: [Copy]) {
      for copy in copies {
        unsafe addresses[copy.to].copyMemory(from: addresses[copy.from], byteCount: copy.byteCount)
      }
    }
    copy(loop.initial)
    while true {
      try unsafe condition.run(loop.condition, addresses)
      guard condition.isTrue else { return }
      try session.countIteration(node: node)
      copy(loop.save)
      try unsafe body.run(loop.body, addresses)
      copy(loop.restore)
    }
  }

  /// The boolean that the subgraph returned.
  var isTrue: Bool {
    unsafe tensors.addresses[plan.graph.outputs[0]].load(as: UInt8.self) != 0
  }
}
