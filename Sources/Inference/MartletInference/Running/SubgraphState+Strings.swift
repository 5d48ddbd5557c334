//===--- SubgraphState+Strings.swift - nodes with string operands ---------===//
//
// They run when the strings are known: kernels on numbers in their place, and hash table searches.
//
// Contract  Memory and work are counted before they are used, also for strings that are repeated in
//           the results.
// Cost      A pass over the strings, plus the kernel's on their numbers.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletOperators

/// A tensor of strings that is temporarily replaced by numbers. It is safe to keep while the tensor's
/// memory is: only the table that it comes from gets the address back.
@safe private struct StringOperand {
  let tensor: Int
  /// The memory of the numbers.
  var numbers: Arena?
  private let address: UnsafeMutableRawPointer
  private let byteCount: Int

  init(_ tensor: Int, _ tensors: TensorTable) {
    self.tensor = tensor
    unsafe address = tensors.addresses[tensor]
    byteCount = tensors.byteCounts[tensor]
  }

  /// Restores the strings.
  func restore(in tensors: inout TensorTable) {
    tensors.infos[tensor].declaredType = .string
    unsafe tensors.place(tensor, at: address, byteCount: byteCount)
  }
}

/// The bytes counted for a string in addition to its own, while it has a number or is in a table.
private let stringOverhead = 64

extension SubgraphState {
  /// Runs an operator's kernel on the numbers of the strings in these inputs; returns the memory of
  /// the results.
  func run(
    _ registration: Registration, onStrings inputs: [Int], _ p: inout Preparation
  ) throws(InferenceError) -> [Arena] {
    let use = session.budget.use
    var numbers = StringNumbers()
    var given: [StringOperand] = []
    for index in inputs where p.tensors.infos[p.operation.inputs[index]].type == .string {
      given.append(StringOperand(p.operation.inputs[index], p.tensors))
      try number(&given[given.count - 1], ofInput: index, with: &numbers, &p)
    }
    let outputs = p.operation.outputs
    let areStrings = outputs.map { p.tensors.infos[$0].declaredType == .string }
    for (tensor, isString) in zip(outputs, areStrings) where isString {
      p.tensors.infos[tensor].declaredType = .int32
    }
    p.requirements = Requirements(firstScratchSlot: p.tensors.slotCount)
    let evaluate = try registration.prepare(&p)
    let work = registration.traits.cost.work(of: p.operation, p.tensors.infos, kernels: p.kernels)
    try session.take(work: work, node: p.node)
    var results: [Arena] = []
    for tensor in outputs { results.append(try place(tensor, &p)) }
    if !outputs.allSatisfy({ p.tensors.infos[$0].shape.elementCount == 0 }) {
      try p.run(evaluate, p.requirements.scratch[...], workers: session.workers)
      try session.budget.checkCancellation(at: p.node)
    }
    for operand in given { operand.restore(in: &p.tensors) }
    for (place, tensor) in outputs.enumerated() {
      p.tensors.setKnown(tensor)
      guard areStrings[place] else { continue }
      p.tensors.infos[tensor].declaredType = .string
      let words = unsafe p.tensors.memory(of: tensor).bindMemory(to: Int32.self)
      results[place] = try withExtendedLifetime(results[place]) { () throws(InferenceError) in
        try unsafe setStrings(words.lazy.map { numbers.strings[Int($0)] }, tensor, &p)
      }
    }
    // The memory of the numbers has been released; the results are kept.
    session.budget.use = use
    for arena in results { try session.budget.take(arena.byteCount, for: p.node) }
    return results
  }

  /// Replaces an operand's strings by numbers.
  private func number(
    _ operand: inout StringOperand, ofInput index: Int, with numbers: inout StringNumbers,
    _ p: inout Preparation
  ) throws(InferenceError) {
    let strings = try strings(ofInput: index, p)
    let bytes = Arena.aligned(strings.count * 4)
    try session.budget.take(bytes, for: p.node)
    let arena = Arena(byteCount: bytes)
    let words = unsafe arena.base.bindMemory(to: Int32.self, capacity: strings.count)
    // The arena has room for a word per string.
    for i in 0..<strings.count { unsafe words[i] = numbers.number(of: strings[i]) }
    p.tensors.infos[operand.tensor].declaredType = .int32
    p.tensors.place(operand.tensor, in: arena, byteCount: strings.count * 4)
    operand.numbers = arena
  }

  /// Allocates a result's memory.
  private func place(_ tensor: Int, _ p: inout Preparation) throws(InferenceError) -> Arena {
    let info = p.tensors.infos[tensor]
    guard info.type.bitWidth >= 8, let bytes = info.byteCount else {
      throw .unsupportedType(node: p.node, operand: .output(0), found: info.type)
    }
    try session.budget.take(Arena.aligned(bytes), for: p.node)
    let arena = Arena(byteCount: bytes)
    p.tensors.place(tensor, in: arena, byteCount: bytes)
    return arena
  }

  /// Sets a result of the node to these strings.
  private func setStrings<Strings: Collection<[UInt8]>>(
    _ strings: Strings, _ tensor: Int, _ p: inout Preparation
  ) throws(InferenceError) -> Arena {
    guard let bytes = StringTensor.byteCount(ofLengths: strings.lazy.map { $0.count }) else {
      throw .tooLarge(node: p.node, bytes: Int.max, limit: session.budget.limit)
    }
    try session.budget.take(Arena.aligned(bytes), for: p.node)
    try session.take(work: bytes, node: p.node)
    let arena = Arena(byteCount: bytes)
    unsafe StringTensor.write(strings, into: arena.base)
    return set(tensor, to: arena, byteCount: bytes, &p)
  }

  private func set(
    _ tensor: Int, to arena: Arena, byteCount: Int, _ p: inout Preparation
  ) -> Arena {
    p.tensors.place(tensor, in: arena, byteCount: byteCount)
    p.tensors.setKnown(tensor)
    return arena
  }

  /// Returns the strings of input `index`; throws unless their number fits the shape. Counts the
  /// memory and work of copies of them.
  private func strings(
    ofInput index: Int, _ p: Preparation
  ) throws(InferenceError) -> StringTensor {
    let info = try p.input(index)
    let memory = unsafe p.tensors.memory(of: info.index)
    let expected = info.shape.elementCount
    guard let strings = unsafe StringTensor(memory), strings.count == expected else {
      throw .strings(
        node: p.node, operand: .input(index), found: unsafe StringTensor(memory)?.count ?? 0,
        expected: expected)
    }
    let bytes = memory.count + strings.count * stringOverhead
    try session.budget.take(bytes, for: p.node)
    try session.take(work: bytes, node: p.node)
    return strings
  }
}

// MARK: - Hash tables

extension SubgraphState {
  /// Fills a hash table from inputs 1 and 2, unless it is already filled.
  func importTable(_ index: Int, _ p: Preparation) throws(InferenceError) {
    let table = session.variables.table(index)
    guard table.content == nil else { return }
    let use = session.budget.use
    let content: HashTable.Content
    if try p.input(1).type == .string {
      let keys = try strings(ofInput: 1, p)
      let values = try p.values(of: 2, as: Int64.self)
      var numbers: [[UInt8]: Int64] = [:]
      for i in 0..<keys.count where numbers[keys[i]] == nil { numbers[keys[i]] = values[i] }
      content = .numbers(numbers)
    } else {
      let keys = try p.values(of: 1, as: Int64.self)
      let values = try strings(ofInput: 2, p)
      var strings: [Int64: [UInt8]] = [:]
      for i in 0..<values.count where strings[keys[i]] == nil { strings[keys[i]] = values[i] }
      content = .strings(strings)
    }
    let bytes = session.budget.use.taken - use.taken
    session.budget.use = use
    try session.budget.grow(by: bytes - table.byteCount, for: p.node)
    table.fill(content, byteCount: bytes)
  }

  /// Searches a hash table for the keys in input 1; returns the memory of the result.
  func searchTable(_ index: Int, _ p: inout Preparation) throws(InferenceError) -> Arena {
    let use = session.budget.use
    let tensor = p.operation.outputs[0]
    p.tensors.infos[tensor].shape = try p.input(1).shape
    switch session.variables.table(index).content {
    case .numbers(let numbers):
      let keys = try strings(ofInput: 1, p)
      let missing = try p.values(of: 2, as: Int64.self)[0]
      session.budget.use = use
      let bytes = keys.count * 8
      try session.budget.take(Arena.aligned(bytes), for: p.node)
      let arena = Arena(byteCount: bytes)
      let words = unsafe arena.base.bindMemory(to: Int64.self, capacity: keys.count)
      // The arena has room for a word per key.
      for i in 0..<keys.count { unsafe words[i] = numbers[keys[i]] ?? missing }
      return set(tensor, to: arena, byteCount: bytes, &p)
    case .strings(let strings):
      let keys = try p.values(of: 1, as: Int64.self)
      let missing = try self.strings(ofInput: 2, p)[0]
      session.budget.use = use
      return try setStrings(keys.lazy.map { strings[$0] ?? missing }, tensor, &p)
    case nil: throw .emptyTable(node: p.node, table: index)
    }
  }
}
