//===--- SubgraphState.swift - state of a running subgraph ----------------===//
//
// The tensors, the plan and the memory of one interpreter's run, and the states of the subgraphs
// that it calls. Subgraphs with fixed shapes have their states, and their part of the caller's
// arena, from the start.
//
// Contract  Running a subgraph of fixed shapes allocates nothing. After each node the run checks
//           for cancellation, because a kernel may have skipped chunks. Segments prepared during a
//           run, and their results' memory, are kept until a run in which values that determine
//           shapes differ: with the same values a run allocates nothing either.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletOperators

/// A segment with memory, and the states of the subgraphs that its nodes call.
struct LiveSegment {
  let segment: Segment
  /// `nil` if a caller owns the memory.
  let arena: Arena?
  let children: [SubgraphState]
  /// The elements that a preparation during a run depended on, by tensor.
  var reads: [(tensor: Int, bytes: [UInt8])] = []

  /// Sets the addresses of a segment's memory.
  init(
    _ segment: Segment, arena: Arena?, base: UnsafeMutableRawPointer, in tensors: inout TensorTable,
    session: Session
  ) {
    unsafe tensors.bind(segment, to: base)
    var children: [SubgraphState] = []
    for step in segment.steps {
      for call in step.work.calls {
        unsafe children.append(SubgraphState(call, session: session, addresses: tensors.addresses))
      }
    }
    self.segment = segment
    self.arena = arena
    self.children = children
  }
}

/// The state of a subgraph.
final class SubgraphState {
  let plan: SubgraphPlan
  let session: Session
  private let variables: Arena?
  private let first: LiveSegment
  /// The tensors before the nodes after the first segment are prepared.
  private var base: TensorTable
  /// The elements of inputs of type string, whose size in bytes varies.
  private var strings: [Int: Arena] = [:]
  /// The segments that the last run prepared.
  private var later: [LiveSegment] = []
  /// The memory of results outside the segments' arenas.
  private var results: [Arena] = []
  /// Whether `later` covers all nodes after the first segment, and depends only on the reads that
  /// its segments have recorded.
  private var isComplete = false
  /// The memory and work of `later`, counted in the budget.
  private var laterUse = Budget.Use(taken: 0)
  /// The tensors after the last run.
  private(set) var tensors: TensorTable

  /// Creates a state with its own arena, which contains the inputs unless `inputs` has their
  /// addresses.
  convenience init(
    _ plan: SubgraphPlan, session: Session, inputs: [UnsafeMutableRawPointer] = unsafe []
  ) {
    let arena = Arena(byteCount: plan.first.byteCount)
    unsafe self.init(plan, session: session, arena: arena, base: arena.base, inputs: inputs)
  }

  /// Creates a state for `call` in the memory of its caller.
  fileprivate convenience init(
    _ call: Call, session: Session, addresses: [UnsafeMutableRawPointer]
  ) {
    unsafe self.init(
      call.plan, session: session, arena: nil, base: addresses[call.arena],
      inputs: call.inputs.map { unsafe addresses[$0] })
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
      // The plan's offsets are within its number of bytes.
      for (tensor, offset) in plan.variables {
        unsafe tensors.place(
          tensor, at: variables.base + offset, byteCount: tensors.infos[tensor].byteCount ?? 0)
      }
    }
    // Whoever passes addresses of inputs provides the bytes of their shapes.
    for (tensor, index) in unsafe zip(plan.graph.inputs, inputs.indices) {
      unsafe tensors.place(
        tensor, at: inputs[index], byteCount: tensors.infos[tensor].byteCount ?? 0)
    }
    first = unsafe LiveSegment(plan.first, arena: arena, base: base, in: &tensors, session: session)
    self.base = tensors
    self.tensors = tensors
  }

  /// Runs the subgraph once and calls `observe` with each node's index in the file, before
  /// (`false`) and after (`true`) it runs.
  func run(
    _ observe: (_ node: Int, _ done: Bool) -> Void = { _, _ in }
  ) throws(InferenceError) {
    try unsafe run(first, addresses: base.addresses, observe)
    guard !plan.isFixed else { return }
    do throws(InferenceError) {
      if try runAgain(observe) { return }
      forget()
      try runInMidRun(observe)
    } catch {
      // Shapes set for tensors without memory must not be visible.
      forget()
      throw error
    }
  }

  private func run(
    _ live: LiveSegment, addresses: [UnsafeMutableRawPointer],
    _ observe: (_ node: Int, _ done: Bool) -> Void
  ) throws(InferenceError) {
    try session.take(work: live.segment)
    try unsafe addresses.withUnsafeBufferPointer { table throws(InferenceError) in
      guard let start = table.baseAddress else { return }
      let evaluation = unsafe Evaluation(addresses: start, workers: session.workers)
      let steps = live.segment.steps
      // By index: an iterator copies each step.
      for index in steps.indices {
        let node = steps[index].node
        observe(node, false)
        if let evaluate = steps[index].kernel {
          try evaluation.run(evaluate, stackByteCount: steps[index].stackByteCount)
        } else {
          try unsafe perform(steps[index], live.children, start)
        }
        if let interruption = evaluation.workers.cancellation.interruption {
          throw InferenceError(interruption, node: node)
        }
        observe(node, true)
      }
    }
  }

  /// Sets the elements of an input of type string, in LiteRT's layout of strings.
  func setStrings(
    _ bytes: UnsafeRawBufferPointer, ofInput tensor: Int
  ) throws(InferenceError) {
    session.budget.release(strings[tensor]?.byteCount ?? 0)
    strings[tensor] = nil
    try session.budget.take(Arena.aligned(bytes.count), for: 0)
    let arena = unsafe Arena(copying: bytes)
    strings[tensor] = arena
    base.place(tensor, in: arena, byteCount: bytes.count)
    tensors.place(tensor, in: arena, byteCount: bytes.count)
  }
}

// MARK: - Dynamic shapes

extension SubgraphState {
  /// Releases the segments that the last run prepared.
  private func forget() {
    tensors = base
    later = []
    results = []
    isComplete = false
    session.budget.use -= laterUse
    laterUse = Budget.Use(taken: 0)
  }

  /// Runs the segments that the last run prepared; returns `false` if elements that shapes depend
  /// on have changed.
  private func runAgain(
    _ observe: (_ node: Int, _ done: Bool) -> Void
  ) throws(InferenceError) -> Bool {
    guard isComplete else { return false }
    for live in later {
      for (tensor, bytes) in live.reads {
        let found = unsafe tensors.memory(of: tensor)
        guard found.count == bytes.count, unsafe zip(found, bytes).allSatisfy({ $0 == $1 }) else {
          return false
        }
      }
      try unsafe run(live, addresses: tensors.addresses, observe)
    }
    return true
  }

  /// Prepares and runs the nodes after the first segment.
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
          try unsafe run(live, addresses: tensors.addresses, observe)
        }
      }
    }
    tensors = builder.tensors
    // Rerunning segments and stopping halfway at changed elements would set variables twice.
    self.isComplete = isComplete && session.variables.isEmpty
  }

  /// Allocates the memory of a segment that was prepared during a run.
  private func live(
    _ segment: Segment, reads log: ReadLog, _ builder: inout SegmentBuilder
  ) -> LiveSegment {
    let reads = log.tensors.sorted().map { tensor in
      unsafe (tensor: tensor, bytes: builder.tensors.known(tensor).map { unsafe [UInt8]($0) } ?? [])
    }
    let arena = Arena(byteCount: segment.byteCount)
    var live = unsafe LiveSegment(
      segment, arena: arena, base: arena.base, in: &builder.preparation.common.tensors,
      session: session)
    live.reads = reads
    return live
  }

  /// Uses a builder's tensors as those of this state while `body` runs.
  private func showing(
    _ builder: inout SegmentBuilder, _ body: () throws(InferenceError) -> Void
  ) throws(InferenceError) {
    swap(&tensors, &builder.preparation.common.tensors)
    defer { swap(&tensors, &builder.preparation.common.tensors) }
    try body()
  }
}

// MARK: - One node

extension Evaluation {
  /// Creates the context of nodes without scratch memory on the stack.
  init(addresses: UnsafePointer<UnsafeMutableRawPointer>, workers: Workers) {
    unsafe self.init(
      addresses: addresses, stack: UnsafeMutableRawPointer(mutating: addresses), workers: workers)
  }

  /// Runs a node with `stackByteCount` bytes of scratch memory on the stack.
  func run(_ evaluate: Evaluate, stackByteCount: Int) throws(InferenceError) {
    guard stackByteCount > 0 else { return try evaluate(self) }
    var failure: InferenceError?
    unsafe StackMemory.with(stackByteCount) { stack in
      do throws(InferenceError) {
        try unsafe evaluate(Evaluation(addresses: addresses, stack: stack, workers: workers))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
