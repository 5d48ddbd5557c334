//===--- SubgraphState.swift - a subgraph while it runs -------------------===//
//
// A table of tensors, the steps of its plan and the memory of one interpreter's run, and the states of
// the subgraphs that it calls: those with fixed shapes have their states, and their place in the
// caller's arena, from the start.
//
// Contract  Running a subgraph of fixed shapes allocates nothing. After each node, whose kernel may
//           have left out chunks, the run ends if it is to stop. What is prepared in mid-run, and
//           the memory of its results, is kept until a run that finds other values where shapes
//           depend on them: one that finds the same allocates nothing either.
// Checked   Tests/MartletInferenceTests/InterpreterTests.swift, ControlFlowTests.swift
//===----------------------------------------------------------------------===//

import MartletGraph
import MartletRuntime

/// A segment with memory, and the states of the subgraphs that its nodes call.
struct LiveSegment {
  let segment: Segment
  /// `nil` if a caller owns the memory.
  let arena: Arena?
  let children: [SubgraphState]
  /// The elements that a preparation in mid-run depended on, by tensor.
  var reads: [(tensor: Int, bytes: [UInt8])] = []

  /// Gives a segment its memory.
  init(
    _ segment: Segment, arena: Arena?, base: UnsafeMutableRawPointer, in tensors: inout TensorTable,
    session: Session
  ) {
    tensors.bind(segment, to: base)
    var children: [SubgraphState] = []
    for step in segment.steps {
      for call in step.work.calls {
        children.append(SubgraphState(call, session: session, addresses: tensors.addresses))
      }
    }
    self.segment = segment
    self.arena = arena
    self.children = children
  }
}

/// A subgraph's memory.
final class SubgraphState {
  let plan: SubgraphPlan
  let session: Session
  private let variables: Arena?
  private let first: LiveSegment
  /// The tensors before what is behind the first segment is prepared.
  private var base: TensorTable
  /// The elements of inputs of type string, which take as many bytes as they take.
  private var strings: [Int: Arena] = [:]
  /// What the last run prepared in mid-run.
  private var later: [LiveSegment] = []
  /// The memory of results that no segment has a place for.
  private var results: [Arena] = []
  /// Whether `later` is all that is behind the first segment, and depends on nothing but what its
  /// segments have noted.
  private var isComplete = false
  /// What `later` has taken of the budget.
  private var laterUse = Budget.Use(taken: 0)
  /// The tensors after the last run.
  private(set) var tensors: TensorTable

  /// A state with an arena of its own, where inputs lie too, unless they have addresses of their own.
  convenience init(
    _ plan: SubgraphPlan, session: Session, inputs: [UnsafeMutableRawPointer] = []
  ) {
    let arena = Arena(byteCount: plan.first.byteCount)
    self.init(plan, session: session, arena: arena, base: arena.base, inputs: inputs)
  }

  /// A state for `call` in the memory of its caller.
  fileprivate convenience init(
    _ call: Call, session: Session, addresses: [UnsafeMutableRawPointer]
  ) {
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
    var tensors = plan.tensors
    variables =
      plan.variableByteCount > 0
      ? session.variables.tensors(
        ofSubgraph: plan.index, byteCount: plan.variableByteCount, fills: plan.variableFills) : nil
    if let variables {
      for (tensor, offset) in plan.variables {
        tensors.place(
          tensor, at: variables.base + offset, byteCount: tensors.infos[tensor].byteCount ?? 0)
      }
    }
    for (tensor, address) in zip(plan.graph.inputs, inputs) {
      tensors.place(tensor, at: address, byteCount: tensors.infos[tensor].byteCount ?? 0)
    }
    first = LiveSegment(plan.first, arena: arena, base: base, in: &tensors, session: session)
    self.base = tensors
    self.tensors = tensors
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

  private func run(
    _ live: LiveSegment, addresses: [UnsafeMutableRawPointer],
    _ observe: (_ node: Int, _ done: Bool) -> Void
  ) throws(InferenceError) {
    try session.take(work: live.segment)
    try addresses.withUnsafeBufferPointer { table throws(InferenceError) in
      guard let start = table.baseAddress else { return }
      let evaluation = Evaluation(addresses: start, workers: session.workers)
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
        try session.budget.checkCancellation(at: node)
        observe(node, true)
      }
    }
  }

  /// Gives an input of type string its elements, in LiteRT's layout of strings.
  func setStrings(
    _ bytes: UnsafeRawBufferPointer, ofInput tensor: Int
  ) throws(InferenceError) {
    session.budget.release(strings[tensor]?.byteCount ?? 0)
    strings[tensor] = nil
    try session.budget.take(Arena.aligned(bytes.count), for: 0)
    let arena = Arena(copying: bytes)
    strings[tensor] = arena
    base.place(tensor, at: arena.base, byteCount: bytes.count)
    tensors.place(tensor, at: arena.base, byteCount: bytes.count)
  }
}

// MARK: - Nodes whose shapes are known only when the graph runs

extension SubgraphState {
  /// Lets go of what the last run prepared in mid-run.
  private func forget() {
    tensors = base
    later = []
    results = []
    isComplete = false
    session.budget.use -= laterUse
    laterUse = Budget.Use(taken: 0)
  }

  /// Runs what the last run prepared, as long as it finds the same elements where shapes depend on
  /// them; `false` if it does not.
  private func runAgain(
    _ observe: (_ node: Int, _ done: Bool) -> Void
  ) throws(InferenceError) -> Bool {
    guard isComplete else { return false }
    for live in later {
      for (tensor, bytes) in live.reads {
        let found = tensors.memory(of: tensor)
        guard found.count == bytes.count, zip(found, bytes).allSatisfy({ $0 == $1 }) else {
          return false
        }
      }
      try run(live, addresses: tensors.addresses, observe)
    }
    return true
  }

  /// Prepares and runs what is behind the first segment.
  private func runInMidRun(
    _ observe: (_ node: Int, _ done: Bool) -> Void
  ) throws(InferenceError) {
    let use = session.budget.use
    defer { laterUse = session.budget.use - use }
    var builder = SegmentBuilder(
      graph: plan.graph, tensors: tensors, path: plan.path, context: session.context,
      budget: session.budget, variables: session.variables)
    var isComplete = true
    var done = first.segment
    while done.positions.upperBound < plan.graph.nodes.count {
      builder.preparation.common.tensors.noteComputed(by: done)
      let log = ReadLog()
      builder.preparation.common.reads = log
      done = try builder.nextSegment(from: done.positions.upperBound)
      if let step = done.steps.first, case .open(let work) = step.work {
        isComplete = false
        observe(step.node, false)
        results += try run(work, of: step.node, &builder.preparation)
        try showing(&builder) { () throws(InferenceError) in observe(step.node, true) }
      } else {
        let live = live(done, reads: log, &builder)
        later.append(live)
        try showing(&builder) { () throws(InferenceError) in
          try run(live, addresses: tensors.addresses, observe)
        }
      }
    }
    tensors = builder.tensors
    // Who runs segments again, and meets other elements halfway, would set variables twice.
    self.isComplete = isComplete && session.variables.isEmpty
  }

  /// Gives a segment that was prepared in mid-run its memory.
  private func live(
    _ segment: Segment, reads log: ReadLog, _ builder: inout SegmentBuilder
  ) -> LiveSegment {
    let reads = log.tensors.sorted().map { tensor in
      (tensor: tensor, bytes: builder.tensors.known(tensor).map { [UInt8]($0) } ?? [])
    }
    let arena = Arena(byteCount: segment.byteCount)
    var live = LiveSegment(
      segment, arena: arena, base: arena.base, in: &builder.preparation.common.tensors,
      session: session)
    live.reads = reads
    return live
  }

  /// Makes a builder's tensors those of this state while `body` runs.
  private func showing(
    _ builder: inout SegmentBuilder, _ body: () throws(InferenceError) -> Void
  ) throws(InferenceError) {
    swap(&tensors, &builder.preparation.common.tensors)
    defer { swap(&tensors, &builder.preparation.common.tensors) }
    try body()
  }
}
