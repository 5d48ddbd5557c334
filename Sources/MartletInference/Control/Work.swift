//===--- Work.swift - the work of a prepared node -------------------------===//
//
// Most nodes are a kernel. Those that run subgraphs or use variables need the interpreter's state,
// which has memory for them: they say what is to be done, and the state does it.
//
// Contract  The same `Work` serves every state: memory is named by slots of the caller.
// Checked   Tests/MartletInferenceTests/ControlFlowTests.swift
//===----------------------------------------------------------------------===//

import MartletGraph

/// What a prepared node does.
enum Work: Sendable {
  /// Computes outputs from inputs.
  case kernel(Evaluate)
  /// Runs a subgraph.
  case call(Call)
  /// Runs one of two subgraphs, as the boolean in slot `condition` says.
  case branch(condition: Int, then: Call, otherwise: Call)
  /// Runs a subgraph as long as another says so.
  case loop(Loop)
  /// Runs a subgraph once in the life of the interpreter's variables.
  case once(Call)
  /// Copies a variable's elements.
  case read(VariableAccess)
  /// Sets a variable's elements.
  case assign(VariableAccess)
  /// Counts the keys of a hash table, as one int64 in a slot.
  case count(table: Int, slot: Int)
  /// Runs subgraphs whose results have shapes that are known only afterwards.
  case open(OpenWork)

  /// The subgraphs that have their states beside that of the caller.
  var calls: [Call] {
    switch self {
    case .call(let call), .once(let call): [call]
    case .branch(_, let then, let otherwise): [then, otherwise]
    case .loop(let loop): [loop.condition, loop.body]
    case .kernel, .read, .assign, .count, .open: []
    }
  }
}

/// A subgraph of fixed shapes as a node calls it.
struct Call: Sendable {
  let plan: SubgraphPlan
  /// The caller's slot in which the subgraph has its arena.
  let arena: Int
  /// The caller's slot that is the memory of each input.
  let inputs: [Int]
  /// What is copied when the subgraph has run.
  let results: [Copy]
}

/// Elements that go from a subgraph's slot to one of its caller's.
struct Copy: Sendable {
  let from: Int
  let to: Int
  let byteCount: Int
}

/// WHILE, with variables of fixed shapes: they live in the caller's outputs, except those that the
/// body passes on unchanged.
struct Loop: Sendable {
  let condition: Call
  let body: Call
  /// From the caller's inputs to its outputs, before the first iteration.
  let initial: [Copy]
  /// Results of the body that are another of its inputs: kept apart until all are saved. From the
  /// caller's slots to scratch memory, and from there to the outputs.
  let save: [Copy]
  let restore: [Copy]
}

/// A variable and the tensor that it is read into, or assigned from.
struct VariableAccess: Sendable {
  let variable: Int
  let name: String
  let slot: Int
  let info: VariableInfo
}

/// What is prepared and run when the values of the inputs are there.
enum OpenWork: Sendable {
  /// Runs subgraph `subgraph` on these inputs of the node.
  case call(subgraph: Int, inputs: Range<Int>)
  case loop(condition: Int, body: Int)
  /// Moves or compares strings as the kernel of this operator does integers.
  case strings(Registration, inputs: [Int])
  /// Takes inputs 1 and 2 as the keys and values of a hash table.
  case importTable(Int)
  /// Searches a hash table for the keys in input 1; input 2 is for those that are not there.
  case searchTable(Int)
}
