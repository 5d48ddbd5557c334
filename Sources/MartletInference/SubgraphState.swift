//===--- SubgraphState.swift - a subgraph in the course of running --------===//
//
// The memory of one interpreter's run of a subgraph, and of the subgraphs that it calls: those with
// fixed shapes have their states, and their place in the caller's arena, from the start.
//
// Contract  Running a subgraph of fixed shapes allocates nothing. What is prepared in mid-run, and
//           the memory of its results, is kept until a run that finds other values where shapes
//           depend on them: one that finds the same allocates nothing either.
// Checked   Tests/MartletInferenceTests/InterpreterTests.swift, ControlFlowTests.swift
//===----------------------------------------------------------------------===//

import MartletRuntime

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
  /// The elements that a preparation in mid-run depended on, by tensor.
  var reads: [(tensor: Int, bytes: [UInt8])] = []
}

/// A subgraph's memory.
final class SubgraphState {
  let plan: SubgraphPlan
  let session: Session
  private let variables: Arena?
  private let first: LiveSegment
  /// The plan's builder with the addresses of this state.
  private var base: SegmentBuilder
  /// The elements of inputs of type string, which take as many bytes as they take.
  private var strings: [Int: Arena] = [:]
  /// What the last run prepared in mid-run; holds the memory of its results.
  private var later: [LiveSegment] = []
  /// Whether `later` is all that is behind the first segment, and depends on nothing but what its
  /// segments have noted.
  private var isComplete = false
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
    do throws(InferenceError) {
      if try runAgain(observe) { return }
      forget()
      try runInMidRun(observe)
    } catch {
      // Shapes that were stated for tensors without memory must not be seen.
      forget()
      throw error
    }
  }

  /// Gives an input of type string its elements, in LiteRT's layout of strings.
  func setStrings(
    _ bytes: UnsafeRawBufferPointer, ofInput tensor: Int
  ) throws(InferenceError) {
    session.ledger.release(strings[tensor]?.byteCount ?? 0)
    strings[tensor] = nil
    try session.ledger.take(Arena.aligned(bytes.count), for: 0)
    let arena = Arena(copying: bytes)
    strings[tensor] = arena
    base.addresses[tensor] = arena.base
    base.byteCounts[tensor] = bytes.count
    current.addresses[tensor] = arena.base
    current.byteCounts[tensor] = bytes.count
  }

  /// Lets go of what the last run prepared in mid-run.
  private func forget() {
    current = base
    later = []
    isComplete = false
    session.ledger.use -= laterUse
    laterUse = Ledger.Use(taken: 0)
  }

  /// Runs what the last run prepared, as long as it finds the same elements where shapes depend on
  /// them; `false` where it does not.
  private func runAgain(
    _ observe: (_ node: Int, _ done: Bool) -> Void
  ) throws(InferenceError) -> Bool {
    guard isComplete else { return false }
    for live in later {
      for (tensor, bytes) in live.reads {
        let found = UnsafeRawBufferPointer(
          start: current.addresses[tensor], count: current.byteCounts[tensor])
        guard found.count == bytes.count, zip(found, bytes).allSatisfy({ $0 == $1 }) else {
          return false
        }
      }
      try run(live, addresses: current.addresses, observe)
    }
    return true
  }

  /// Prepares and runs what is behind the first segment.
  private func runInMidRun(
    _ observe: (_ node: Int, _ done: Bool) -> Void
  ) throws(InferenceError) {
    let use = session.ledger.use
    defer { laterUse = session.ledger.use - use }
    var isComplete = true
    var done = first.segment
    while done.positions.upperBound < plan.graph.nodes.count {
      current.noteComputed(by: done)
      let log = ReadLog()
      current.preparation.reads = log
      done = try current.segment(from: done.positions.upperBound, inMidRun: true)
      if let step = done.steps.first, case .open(let work) = step.work {
        isComplete = false
        observe(step.node, false)
        try run(work, of: step.node)
        observe(step.node, true)
      } else {
        let reads = log.tensors.sorted().map { tensor in
          (tensor: tensor, bytes: current.preparation.known[tensor].map { [UInt8]($0) } ?? [])
        }
        let arena = Arena(byteCount: done.byteCount)
        var live = SubgraphState.live(
          done, &current, session: session, arena: arena, base: arena.base)
        live.reads = reads
        later.append(live)
        try run(live, addresses: current.addresses, observe)
      }
    }
    // Who runs segments again, and meets other elements halfway, would set variables twice.
    self.isComplete = isComplete && session.variables.isEmpty
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
      let evaluation = Evaluation(addresses: start, workers: session.context.options.workers)
      let steps = live.segment.steps
      // By index: an iterator copies each step whole, which takes a twentieth of a small network's time.
      for index in steps.indices {
        let node = steps[index].node
        observe(node, false)
        if case .kernel(let evaluate) = steps[index].work {
          try evaluation.run(evaluate, stackByteCount: steps[index].stackByteCount)
        } else {
          try perform(steps[index], live.children, start)
        }
        observe(node, true)
      }
    }
  }
}
