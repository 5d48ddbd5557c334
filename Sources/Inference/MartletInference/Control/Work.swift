//===--- Work.swift - the work of a prepared node -------------------------===//
//
// Most nodes run a kernel. Nodes that run subgraphs or use variables need the interpreter's state:
// their preparation describes the work, and the state executes it.
//
// Contract  The same `Work` is valid for every state: memory is referred to by slots of the caller.
//===----------------------------------------------------------------------===//

import MartletOperators

/// The work of a prepared node.
enum Work: Sendable {
  /// Computes outputs from inputs.
  case kernel(Evaluate)
  /// Runs a subgraph.
  case call(Call)
  /// Runs one of two subgraphs, depending on the boolean in slot `condition`.
  case branch(condition: Int, then: Call, otherwise: Call)
  /// Runs a subgraph while another one returns true.
  case loop(Loop)
  /// Runs a subgraph once for each set of the interpreter's variables.
  case once(Call)
  /// Copies a variable's elements.
  case read(VariableAccess)
  /// Sets a variable's elements.
  case assign(VariableAccess)
  /// Stores the number of keys of a hash table in a slot, as one int64.
  case count(table: Int, slot: Int)
  /// Runs subgraphs or string operators whose results' sizes are only known afterwards.
  case open(OpenWork)

  /// The subgraphs whose states belong to the caller's state.
  var calls: [Call] {
    switch self {
    case .call(let call), .once(let call): [call]
    case .branch(_, let then, let otherwise): [then, otherwise]
    case .loop(let loop): [loop.condition, loop.body]
    case .kernel, .read, .assign, .count, .open: []
    }
  }
}

/// A call of a subgraph with fixed shapes.
struct Call: Sendable {
  let plan: SubgraphPlan
  /// The caller's slot of the subgraph's arena.
  let arena: Int
  /// The caller's slot of each input.
  let inputs: [Int]
  /// The copies to make after the subgraph has run.
  let results: [Copy]
}

/// Copies elements from one slot to another.
struct Copy: Sendable {
  let from: Int
  let to: Int
  let byteCount: Int
}

/// A WHILE loop with variables of fixed shapes. They are in the caller's outputs, except those that
/// the body passes on unchanged.
struct Loop: Sendable {
  let condition: Call
  let body: Call
  /// The copies from the caller's inputs to its outputs, before the first iteration.
  let initial: [Copy]
  /// Results of the body that are another of its inputs. They are first saved from the caller's
  /// slots to scratch memory, then copied to the outputs.
  let save: [Copy]
  let restore: [Copy]
}

/// A variable and the tensor that it is read into or assigned from.
struct VariableAccess: Sendable {
  let variable: Int
  let name: String
  let slot: Int
  let info: VariableInfo
}

/// Work that is prepared and run when the values of the inputs are known.
enum OpenWork: Sendable {
  /// Runs subgraph `subgraph` on these inputs of the node.
  case call(subgraph: Int, inputs: Range<Int>)
  case loop(condition: Int, body: Int)
  /// Runs this operator's kernel on numbers in place of strings.
  case strings(Registration, inputs: [Int])
  /// Fills a hash table with inputs 1 and 2 as keys and values.
  case importTable(Int)
  /// Searches a hash table for the keys in input 1; input 2 is the default value.
  case searchTable(Int)
}
