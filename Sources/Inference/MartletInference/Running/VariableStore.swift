//===--- VariableStore.swift - an interpreter's variables -----------------===//
//
// Resource variables and hash tables, by their index in the model; the memory of variable tensors,
// one block per subgraph; and the set of subgraphs that run once and have run.
//
// Contract  Variables have no value until one is assigned; variable tensors start as quantized
//           zeros. Copying allocates only if a variable's size changes.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletOperators

/// The values of variables.
final class VariableStore {
  private struct Variable {
    var memory: Arena?
    var value: VariableInfo?
  }

  private var variables: [Variable]
  private var tables: [Int: HashTable] = [:]
  private var tensors: [Int: (arena: Arena, fills: [VariableFill])] = [:]
  private var initialized: Set<Int> = []

  init(variableCount: Int) {
    variables = [Variable](repeating: Variable(), count: variableCount)
  }

  /// Whether there are neither variables nor variable tensors.
  var isEmpty: Bool { variables.isEmpty && tensors.isEmpty }

  /// Allocates memory for variables of known size.
  func reserve(_ infos: [VariableInfo?]) {
    for (index, info) in infos.enumerated() where variables[index].memory == nil {
      guard let info else { continue }
      variables[index].memory = Arena(byteCount: info.byteCount)
    }
  }

  /// Returns the memory of a subgraph's variable tensors.
  func tensors(ofSubgraph index: Int, byteCount: Int, fills: [VariableFill]) -> Arena {
    if let arena = tensors[index]?.arena { return arena }
    let arena = Arena(byteCount: byteCount)
    for fill in fills { fill.apply(to: arena) }
    tensors[index] = (arena, fills)
    return arena
  }

  /// Marks a subgraph as run; returns `false` if it has run before.
  func initialize(_ subgraph: Int) -> Bool { initialized.insert(subgraph).inserted }

  /// The type and shape of a variable's value; `nil` before the first assignment.
  func value(of variable: Int) -> VariableInfo? { variables[variable].value }

  /// Resets variable tensors to quantized zeros.
  func clearTensors() {
    for (arena, fills) in tensors.values {
      unsafe arena.base.initializeMemory(as: UInt8.self, repeating: 0, count: arena.byteCount)
      for fill in fills { fill.apply(to: arena) }
    }
  }

  /// Returns the hash table with this index.
  func table(_ index: Int) -> HashTable {
    if let table = tables[index] { return table }
    let table = HashTable()
    tables[index] = table
    return table
  }

  /// Resets variable tensors, and removes the values of variables and hash tables.
  func reset() {
    clearTensors()
    for table in tables.values { table.clear() }
    for index in variables.indices { variables[index].value = nil }
    initialized.removeAll(keepingCapacity: true)
  }

  /// Copies the elements of a variable to `output`.
  func read(
    _ access: VariableAccess, into output: UnsafeMutableRawPointer, node: Int
  ) throws(InferenceError) {
    guard let value = variables[access.variable].value,
      let memory = variables[access.variable].memory
    else { throw .unassignedVariable(node: node, name: access.name) }
    guard value == access.info else {
      throw .variable(
        node: node, name: access.name, found: value.shape, expected: access.info.shape)
    }
    // The value's type and shape are those of the output.
    unsafe output.copyMemory(from: memory.base, byteCount: value.byteCount)
  }

  /// Copies `input` to the elements of a variable.
  func assign(
    _ access: VariableAccess, from input: UnsafeMutableRawPointer, node: Int, budget: Budget
  ) throws(InferenceError) {
    let bytes = access.info.byteCount
    let index = access.variable
    let held = variables[index].memory?.byteCount ?? 0
    if held < bytes || held == 0 {
      try budget.grow(by: Arena.aligned(bytes) - held, for: node)
      variables[index].memory = Arena(byteCount: bytes)
    }
    // The input has the type and shape that the memory has room for.
    unsafe variables[index].memory?.base.copyMemory(from: input, byteCount: bytes)
    variables[index].value = access.info
  }
}

/// A variable tensor of type int8, which starts at its zero point as in LiteRT; all others start as
/// zeros.
struct VariableFill: Sendable {
  let offset: Int
  let byteCount: Int
  let byte: Int8

  func apply(to arena: Arena) {
    unsafe (arena.base + offset).initializeMemory(as: Int8.self, repeating: byte, count: byteCount)
  }
}
