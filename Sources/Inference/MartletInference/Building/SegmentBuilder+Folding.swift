//===--- SegmentBuilder+Folding.swift - constant folding ------------------===//
//
// Nodes whose inputs are all constants run while the graph is built: for example DEQUANTIZE of
// float16 weights, DENSIFY of sparse weights, shapes. Nodes that exceed the allowed work run with
// the graph.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletOperators

extension SegmentBuilder {
  /// Runs a node and keeps its outputs as constants.
  mutating func fold(
    _ node: GraphNode, _ scratchSizes: ArraySlice<Int>, _ evaluate: Evaluate,
    into draft: inout SegmentDraft
  ) throws(InferenceError) {
    for tensor in node.operation.outputs {
      let bytes = try byteCount(ofTensor: tensor, in: node)
      try budget.take(Arena.aligned(bytes), for: node.index)
      budget.folded += bytes
      let arena = Arena(byteCount: bytes)
      draft.folded.append(arena)
      setConstant(tensor, arena, byteCount: bytes)
    }
    try preparation.common.run(
      evaluate, scratchSizes, workers: .serial.checking(budget.cancellation))
    try budget.checkCancellation(at: node.index)
  }

  private mutating func setConstant(_ tensor: Int, _ arena: Arena, byteCount: Int) {
    preparation.common.tensors.place(tensor, in: arena, byteCount: byteCount)
    preparation.common.tensors.setKnown(tensor)
    preparation.common.tensors.infos[tensor].isConstant = true
  }
}

extension Preparation {
  /// Runs the node once, with its own scratch memory.
  mutating func run(
    _ evaluate: Evaluate, _ scratchSizes: ArraySlice<Int>, workers: Workers
  ) throws(InferenceError) {
    let use = budget.use
    defer { budget.use = use }
    var scratch: [Arena] = []
    for size in scratchSizes {
      try budget.take(Arena.aligned(size), for: node)
      scratch.append(Arena(byteCount: size))
    }
    // The arenas live until the end of this function, longer than their rows of the table.
    for arena in scratch { unsafe tensors.addScratch(at: arena.base) }
    defer { tensors.removeScratch(scratch.count) }
    let stackByteCount = requirements.stackByteCount
    try unsafe tensors.addresses.withUnsafeBufferPointer { table throws(InferenceError) in
      guard let start = table.baseAddress else { return }
      try unsafe Evaluation(addresses: start, workers: workers)
        .run(evaluate, stackByteCount: stackByteCount)
    }
    withExtendedLifetime(scratch) {}
  }
}
