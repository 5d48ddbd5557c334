//===--- SubgraphState.swift - a subgraph in the course of running --------===//
//
// The memory of one interpreter's run of a subgraph, and of the subgraphs that it calls: those with
// fixed shapes have their states, and their place in the caller's arena, from the start.
//
// Contract  Running a subgraph of fixed shapes allocates nothing. What is prepared in mid-run, and
//           the memory of its results, is kept until the next run.
// Checked   Tests/MartletInferenceTests/InterpreterTests.swift, ControlFlowTests.swift
//===----------------------------------------------------------------------===//

import MartletTensor

/// What all states of an interpreter share.
final class Session {
  let context: PreparationContext
  let variables: VariableStore
  /// Books what is prepared in mid-run.
  let ledger: Ledger
  /// The iterations that all loops have made since the run began.
  var iterations = 0
  /// The work that the run has taken so far.
  var work = 0

  init(_ context: PreparationContext, ledger: Ledger, variables: VariableStore) {
    self.context = context
    self.ledger = ledger
    self.variables = variables
  }
}

extension Session {
  /// Counts the work of a segment that is about to run.
  fileprivate func take(work segment: Segment) throws(InferenceError) {
    work = sum(work, segment.cost)
    guard work <= context.options.workLimit else {
      throw .tooMuchWork(
        node: segment.steps.first?.node ?? 0, work: work, limit: context.options.workLimit)
    }
  }
}

/// A segment with memory, and the states of the subgraphs that its nodes call.
struct LiveSegment {
  let segment: Segment
  /// `nil` where a caller owns the memory.
  let arena: Arena?
  let children: [SubgraphState]
}

/// A subgraph's memory.
final class SubgraphState {
  let plan: SubgraphPlan
  let session: Session
  private let variables: Arena?
  private let first: LiveSegment
  /// The plan's builder with the addresses of this state.
  private let base: SegmentBuilder
  /// What the last run prepared in mid-run; holds the memory of its results.
  private var later: [LiveSegment] = []
  /// What `later` has taken of the ledger.
  private var laterUse = Ledger.Use(taken: 0)
  /// The tensors' shapes and addresses after the last run.
  var current: SegmentBuilder

  /// A state with an arena of its own.
  convenience init(_ plan: SubgraphPlan, session: Session) {
    let arena = Arena(byteCount: plan.first.byteCount)
    self.init(plan, session: session, arena: arena, base: arena.base, inputs: [])
  }

  /// A state for `call` in the memory of its caller.
  private convenience init(_ call: Call, session: Session, addresses: [UnsafeMutableRawPointer]) {
    self.init(
      call.plan, session: session, arena: nil, base: addresses[call.arena],
      inputs: call.inputs.map { addresses[$0] })
  }

  private init(
    _ plan: SubgraphPlan, session: Session, arena: Arena?, base: UnsafeMutableRawPointer,
    inputs: [UnsafeMutableRawPointer]
  ) {
    self.plan = plan
    self.session = session
    var builder = plan.builder
    builder.preparation.ledger = session.ledger
    builder.preparation.variables = session.variables
    let variables =
      plan.variableByteCount > 0
      ? session.variables.tensors(
        ofSubgraph: plan.index, byteCount: plan.variableByteCount, fills: plan.variableFills) : nil
    self.variables = variables
    if let variables {
      for (tensor, offset) in plan.variables {
        let info = builder.preparation.tensors[tensor]
        builder.addresses[tensor] = variables.base + offset
        builder.byteCounts[tensor] = info.type.byteCount(of: info.shape.elementCount) ?? 0
      }
    }
    for (tensor, address) in zip(plan.graph.inputs, inputs) {
      let info = builder.preparation.tensors[tensor]
      builder.addresses[tensor] = address
      builder.byteCounts[tensor] = info.type.byteCount(of: info.shape.elementCount) ?? 0
    }
    first = SubgraphState.live(
      plan.first, &builder, session: session, arena: arena, base: base)
    self.base = builder
    current = builder
  }

  /// Gives a segment its memory.
  private static func live(
    _ segment: Segment, _ builder: inout SegmentBuilder, session: Session, arena: Arena?,
    base: UnsafeMutableRawPointer
  ) -> LiveSegment {
    builder.bind(segment, to: base)
    var children: [SubgraphState] = []
    for step in segment.steps {
      for call in step.work.calls {
        children.append(
          SubgraphState(call, session: session, addresses: builder.addresses))
      }
    }
    return LiveSegment(segment: segment, arena: arena, children: children)
  }

  /// Runs the subgraph once and calls `observe` with each node's index in the file, before
  /// (`false`) and after (`true`) it runs.
  func run(
    _ observe: (_ node: Int, _ done: Bool) -> Void = { _, _ in }
  ) throws(InferenceError) {
    try run(first, addresses: base.addresses, observe)
    guard !plan.isFixed else { return }
    forget()
    do throws(InferenceError) {
      try runInMidRun(observe)
    } catch {
      // Shapes that were stated for tensors without memory must not be seen.
      forget()
      throw error
    }
  }

  /// Lets go of what the last run prepared in mid-run.
  private func forget() {
    current = base
    later = []
    session.ledger.use -= laterUse
    laterUse = Ledger.Use(taken: 0)
  }

  /// Prepares and runs what is behind the first segment.
  private func runInMidRun(
    _ observe: (_ node: Int, _ done: Bool) -> Void
  ) throws(InferenceError) {
    let use = session.ledger.use
    defer { laterUse = session.ledger.use - use }
    var done = first.segment
    while done.positions.upperBound < plan.graph.nodes.count {
      current.noteComputed(by: done)
      done = try current.segment(from: done.positions.upperBound, inMidRun: true)
      if let step = done.steps.first, case .open(let work) = step.work {
        observe(step.node, false)
        try run(work, of: step.node)
        observe(step.node, true)
      } else {
        let arena = Arena(byteCount: done.byteCount)
        let live = SubgraphState.live(
          done, &current, session: session, arena: arena, base: arena.base)
        later.append(live)
        try run(live, addresses: current.addresses, observe)
      }
    }
  }

  /// Keeps memory until the next run.
  func keep(_ arena: Arena) {
    let nothing = Segment(
      positions: 0..<0, steps: [], byteCount: 0, blocks: [], firstScratchSlot: 0)
    later.append(LiveSegment(segment: nothing, arena: arena, children: []))
  }

  private func run(
    _ live: LiveSegment, addresses: [UnsafeMutableRawPointer],
    _ observe: (_ node: Int, _ done: Bool) -> Void
  ) throws(InferenceError) {
    try session.take(work: live.segment)
    try addresses.withUnsafeBufferPointer { table throws(InferenceError) in
      guard let start = table.baseAddress else { return }
      let evaluation = Evaluation(
        addresses: start, workers: session.context.options.workers)
      for step in live.segment.steps {
        observe(step.node, false)
        if case .kernel(let evaluate) = step.work {
          try evaluate(evaluation)
        } else {
          try perform(step, live.children, start)
        }
        observe(step.node, true)
      }
    }
  }
}
