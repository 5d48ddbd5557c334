//===--- Preparation.swift - a node while it is prepared ------------------===//
//
// One node's options and tensors, and the means to state what it needs: output shapes and scratch
// memory.
//
// Contract  `input` and `output` throw rather than trap on anything that a file can say. Values
//           that are known only when the graph runs throw `valueNotKnown`: the interpreter then
//           prepares this node, and those behind it, again in mid-run, when they are known.
// Checked   Tests/MartletInferenceTests/PreparationTests.swift
//===----------------------------------------------------------------------===//

import MartletModel
public import MartletTensor

/// The computed tensors whose elements a preparation depends on.
package final class ReadLog {
  package var tensors: Set<Int> = []

  package init() {}
}

/// A node in preparation: what an operator sees of it, and the means to state what it needs.
public struct Preparation {
  /// The operator as the file states it.
  package var operation: Operator
  /// The node's index in its subgraph, which errors name.
  public package(set) var node: Int
  #if MARTLET_REFERENCE
    /// Which kernels to choose from: the compiler leaves out all others.
    public var kernels: KernelSet { .reference }
  #else
    /// Which kernels to choose from.
    public let kernels: KernelSet
  #endif
  /// How many chunks may run at the same time, for kernels that need scratch memory for each.
  public let workerCount: Int
  /// The model's file, where custom operators have their options.
  let file: FileBytes

  /// The subgraph's tensors as they are known so far.
  package var tensors: TensorTable
  /// What the nodes have asked for.
  package var requirements: Requirements
  /// What may still be taken.
  package let budget: Budget
  /// Notes the tensors whose computed elements a preparation in mid-run depends on.
  package var reads: ReadLog?

  package init(
    operation: Operator, node: Int, kernels: KernelSet, workerCount: Int,
    file: FileBytes = FileBytes([]), tensors: TensorTable,
    budget: Budget = Budget(limit: Int.max, taken: 0, variableCount: 0)
  ) {
    self.operation = operation
    self.node = node
    #if !MARTLET_REFERENCE
      self.kernels = kernels
    #endif
    self.workerCount = workerCount
    self.file = file
    self.tensors = tensors
    self.budget = budget
    requirements = Requirements(firstScratchSlot: tensors.slotCount)
  }

  /// The operator version that the file asks for.
  public var version: Int { operation.version }
  /// The number of inputs in the file's list, absent ones included.
  public var inputCount: Int { operation.inputs.count }
  /// The number of outputs.
  public var outputCount: Int { operation.outputs.count }

  /// Throws unless the node has as many inputs and outputs as these ranges say.
  public func expect(
    inputs: ClosedRange<Int>, outputs: ClosedRange<Int> = 1...1
  ) throws(InferenceError) {
    guard inputs.contains(inputCount) else {
      throw .operandCount(node: node, found: inputCount, expected: inputs)
    }
    guard outputs.contains(outputCount) else {
      throw .operandCount(node: node, found: outputCount, expected: outputs)
    }
  }

  /// Whether the optional input `index` is there.
  public func hasInput(_ index: Int) -> Bool {
    index < inputCount && operation.inputs[index] >= 0
  }

  /// What is known of input `index`.
  public func input(_ index: Int) throws(InferenceError) -> TensorInfo {
    guard hasInput(index) else { throw .missingOperand(node: node, operand: .input(index)) }
    return tensors.infos[operation.inputs[index]]
  }

  /// What the file says of output `index`: its type and quantization count, its shape is stated by
  /// `output(_:as:shape:)`.
  public func output(_ index: Int) throws(InferenceError) -> TensorInfo {
    guard index < outputCount else { throw .missingOperand(node: node, operand: .output(index)) }
    return tensors.infos[operation.outputs[index]]
  }

  /// A handle to input `index`, which must be of type `Scalar`.
  @inlinable
  public func input<Scalar: TensorElement>(
    _ index: Int, as: Scalar.Type
  ) throws(InferenceError) -> Operand<Scalar> {
    let (slot, shape) = try input(index, of: Scalar.elementType)
    return Operand(slot: slot, shape: shape)
  }

  /// The place and shape of input `index`, which must be of a type.
  @usableFromInline @inline(never)
  package func input(
    _ index: Int, of type: ElementType
  ) throws(InferenceError) -> (slot: Int, shape: Shape) {
    let info = try input(index)
    guard info.type == type else {
      throw .type(
        node: node, operand: .input(index), found: info.declaredType, expected: type)
    }
    return (info.index, info.shape)
  }

  /// A handle to input `index` if it is there.
  @inlinable
  public func optionalInput<Scalar: TensorElement>(
    _ index: Int, as type: Scalar.Type
  ) throws(InferenceError) -> Operand<Scalar>? {
    hasInput(index) ? try input(index, as: type) : nil
  }

  /// States the shape of output `index`, which must be of type `Scalar`, and gives its handle.
  @inlinable
  public mutating func output<Scalar: TensorElement>(
    _ index: Int, as: Scalar.Type, shape: Shape
  ) throws(InferenceError) -> Operand<Scalar> {
    Operand(slot: try setShape(shape, ofOutput: index, type: Scalar.elementType), shape: shape)
  }

  /// States the shape of an output, and tells its place.
  @usableFromInline @inline(never)
  package mutating func setShape(
    _ shape: Shape, ofOutput index: Int, type: ElementType
  ) throws(InferenceError) -> Int {
    let info = try output(index)
    guard info.declaredType == type else {
      throw .type(
        node: node, operand: .output(index), found: info.declaredType, expected: type)
    }
    setShape(shape, ofTensor: info.index)
    return info.index
  }

  /// States the shape of a tensor.
  package mutating func setShape(_ shape: Shape, ofTensor index: Int) {
    tensors.infos[index].shape = shape
  }

  /// States that the node takes this many steps of work, where options that its operator alone can
  /// read make them more than its shapes say (see NodeCost.swift).
  package mutating func state(work: Int) { requirements.statedWork = work }

  /// Memory for `count` elements that this node alone uses while it runs; its contents are
  /// undefined at the start of each run.
  @inlinable
  public mutating func scratch<Scalar: TensorElement>(
    _ count: Int, as: Scalar.Type
  ) throws(InferenceError) -> Operand<Scalar> {
    guard let shape = Shape(checking: [count]),
      let bytes = Scalar.elementType.byteCount(of: count)
    else { throw .tooLarge(node: node, bytes: Int.max, limit: Int(Int32.max)) }
    return Operand(slot: placeScratch(bytes: bytes), shape: shape)
  }

  /// Scratch memory for rows of `length` elements each, however many that would be.
  package mutating func scratch<Scalar: TensorElement>(
    rows: Int, of length: Int, as type: Scalar.Type
  ) throws(InferenceError) -> Operand<Scalar> {
    let (count, overflow) = rows.multipliedReportingOverflow(by: length)
    return try scratch(overflow ? Int.max : count, as: type)
  }

  @usableFromInline
  mutating func placeScratch(bytes: Int) -> Int { requirements.place(bytes: bytes) }

  /// The elements of input `index`, whose values decide shapes or parameters, or which are constant
  /// and are to be laid out anew.
  ///
  /// Throws `valueNotKnown` where they are computed by the graph and it is not running yet.
  @inlinable
  public func values<Scalar: TensorElement>(
    of index: Int, as type: Scalar.Type
  ) throws(InferenceError) -> [Scalar] {
    let operand = try input(index, as: type)
    guard let memory = unsafe knownMemory(ofTensor: operand.slot) else {
      throw .valueNotKnown(node: node, operand: .input(index))
    }
    // What is known is there whole: `operand.count` elements.
    return (0..<operand.count).map {
      unsafe memory.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Scalar>.stride, as: type)
    }
  }

  /// The elements of input `index` where the file holds them (weights that may be packed), or `nil`
  /// where they are computed. Aligned for `Scalar`.
  @inlinable
  package func constant<Scalar: Element>(
    _ index: Int, as type: Scalar.Type
  ) throws(InferenceError) -> UnsafeBufferPointer<Scalar>? {
    let operand = try input(index, as: type)
    guard try input(index).isConstant, let memory = unsafe knownMemory(ofTensor: operand.slot)
    else {
      return nil
    }
    // Whole, as in `values`, and kept as long as the model.
    return unsafe UnsafeBufferPointer(
      start: memory.baseAddress?.assumingMemoryBound(to: type), count: operand.count)
  }

  /// The elements of a tensor, if they are known; as many as its shape and type say.
  @usableFromInline
  package func knownMemory(ofTensor index: Int) -> UnsafeRawBufferPointer? {
    noteRead(of: index)
    return unsafe tensors.known(index)
  }

  /// Notes that what is prepared depends on a tensor's elements.
  package func noteRead(of tensor: Int) {
    guard let reads, tensor >= 0, !tensors.infos[tensor].isConstant else { return }
    if unsafe tensors.known(tensor) != nil { reads.tensors.insert(tensor) }
  }
}

extension Preparation {
  /// States that output 0 may be computed in the memory of one of these inputs, if that is as long:
  /// the kernel reads no element of it after it has written the output's element of that place.
  public mutating func mayOverwrite(inputs indices: Int...) {
    share(.overwrites, indices)
  }

  /// States that output 0 has the very bytes of input `index`, and that its kernel moves nothing if
  /// they lie in the same place.
  public mutating func mayAlias(input index: Int) { share(.keeps, [index]) }

  private mutating func share(_ kind: BlockSharing.Kind, _ indices: [Int]) {
    guard let result = operation.outputs.first else { return }
    let operands = indices.filter(hasInput).map { operation.inputs[$0] }
    requirements.add(BlockSharing(kind: kind, result: result, operands: operands))
  }
}
