//===--- VariableStore.swift - variables of an interpreter ----------------===//
//
// Resource variables and hash tables, by their index in the model; the memory of variable tensors, one
// block for each subgraph that has some; and which subgraphs have run that run once.
//
// Contract  Variables have no value until they are assigned one; variable tensors begin as what
//           stands for zero. Copying allocates only where a variable's size changes.
// Checked   Tests/MartletInferenceTests/VariablesTests.swift
//===----------------------------------------------------------------------===//

import MartletGraph
import MartletRuntime

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

  /// Whether there is nothing to keep.
  var isEmpty: Bool { variables.isEmpty && tensors.isEmpty }

  /// Takes memory for variables whose size is known.
  func reserve(_ infos: [VariableInfo?]) {
    for (index, info) in infos.enumerated() where variables[index].memory == nil {
      guard let info else { continue }
      variables[index].memory = Arena(byteCount: info.byteCount)
    }
  }

  /// The memory of a subgraph's variable tensors.
  func tensors(ofSubgraph index: Int, byteCount: Int, fills: [VariableFill]) -> Arena {
    if let arena = tensors[index]?.arena { return arena }
    let arena = Arena(byteCount: byteCount)
    for fill in fills { fill.apply(to: arena) }
    tensors[index] = (arena, fills)
    return arena
  }

  /// Notes that a subgraph runs that is to run once; `false` if it has.
  func initialize(_ subgraph: Int) -> Bool { initialized.insert(subgraph).inserted }

  /// What a variable holds; `nil` before it is assigned anything.
  func value(of variable: Int) -> VariableInfo? { variables[variable].value }

  /// Sets variable tensors to what stands for zero.
  func clearTensors() {
    for (arena, fills) in tensors.values {
      arena.base.initializeMemory(as: UInt8.self, repeating: 0, count: arena.byteCount)
      for fill in fills { fill.apply(to: arena) }
    }
  }

  /// The hash table of this index.
  func table(_ index: Int) -> HashTable {
    if let table = tables[index] { return table }
    let table = HashTable()
    tables[index] = table
    return table
  }

  /// Sets variable tensors to zero and forgets what variables and hash tables hold.
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
    output.copyMemory(from: memory.base, byteCount: value.byteCount)
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
    variables[index].memory?.base.copyMemory(from: input, byteCount: bytes)
    variables[index].value = access.info
  }
}

/// A variable tensor of signed bytes, which begins at its zero point, as LiteRT's do; all others
/// begin as zeros.
struct VariableFill: Sendable {
  let offset: Int
  let byteCount: Int
  let byte: Int8

  func apply(to arena: Arena) {
    (arena.base + offset).initializeMemory(as: Int8.self, repeating: byte, count: byteCount)
  }
}
