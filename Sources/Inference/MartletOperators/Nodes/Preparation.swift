//===--- Preparation.swift - context of a node in preparation -------------===//
//
// One node's options and tensors, and methods to set output shapes and to request scratch memory.
//
// Contract  `input` and `output` throw, and never trap, whatever the file contains. Values that are
//           only known while the graph runs throw `valueNotKnown`; the interpreter then prepares
//           this node and the following ones again during the run.
//===----------------------------------------------------------------------===//

import MartletModel
public import MartletBase

/// Records the computed tensors whose elements a preparation depends on.
package final class ReadLog {
  package var tensors: Set<Int> = []

  package init() {}
}

/// The context of a node in preparation: its options and tensors, and methods to request what it
/// needs.
public struct Preparation {
  /// The operator in the file.
  package var operation: Operator
  /// The node's index in its subgraph; errors contain it.
  public package(set) var node: Int
  #if MARTLET_REFERENCE
    /// The kernels to choose from; the compiler removes all others.
    public var kernels: KernelSet { .reference }
  #else
    /// The kernels to choose from.
    public let kernels: KernelSet
  #endif
  /// The number of chunks that may run in parallel, for kernels with scratch memory for each.
  public let workerCount: Int
  /// The model's file, which contains the options of custom operators.
  let file: FileBytes

  /// The subgraph's tensors, as far as known.
  package var tensors: TensorTable
  /// The requests of the nodes.
  package var requirements: Requirements
  /// The remaining memory and work.
  package let budget: Budget
  /// The model's subgraphs, which describe the computations of some operators.
  let subgraphs: [Subgraph]
  /// Records the computed tensors that a preparation during a run depends on.
  package var reads: ReadLog?

  package init(
    operation: Operator, node: Int, kernels: KernelSet, workerCount: Int,
    file: FileBytes = FileBytes([]), tensors: TensorTable,
    budget: Budget = Budget(limit: Int.max, taken: 0, variableCount: 0),
    subgraphs: [Subgraph] = []
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
    self.subgraphs = subgraphs
    requirements = Requirements(firstScratchSlot: tensors.slotCount)
  }

  /// The operator's version in the file.
  public var version: Int { operation.version }
  /// The number of inputs in the file's list, including absent ones.
  public var inputCount: Int { operation.inputs.count }
  /// The number of outputs in the file's list.
  public var outputCount: Int { operation.outputs.count }

  /// Throws unless the numbers of inputs and outputs are in these ranges.
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

  /// Whether the optional input `index` is present.
  public func hasInput(_ index: Int) -> Bool {
    index < inputCount && operation.inputs[index] >= 0
  }

  /// Returns what is known of input `index`. Throws `missingOperand` if it is absent.
  public func input(_ index: Int) throws(InferenceError) -> TensorInfo {
    guard hasInput(index) else { throw .missingOperand(node: node, operand: .input(index)) }
    return tensors.infos[operation.inputs[index]]
  }

  /// Returns the file's description of output `index`. Use its type and quantization;
  /// `output(_:as:shape:)` sets its shape.
  public func output(_ index: Int) throws(InferenceError) -> TensorInfo {
    guard index < outputCount else { throw .missingOperand(node: node, operand: .output(index)) }
    return tensors.infos[operation.outputs[index]]
  }

  /// Returns a handle to input `index`. Throws unless it has type `Scalar`.
  @inlinable
  public func input<Scalar: TensorElement>(
    _ index: Int, as: Scalar.Type
  ) throws(InferenceError) -> Operand<Scalar> {
    let (slot, shape) = try input(index, of: Scalar.elementType)
    return Operand(slot: slot, shape: shape)
  }

  /// Returns the slot and the shape of input `index`. Throws unless it has type `type`.
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

  /// Returns a handle to input `index`, or `nil` if it is absent.
  @inlinable
  public func optionalInput<Scalar: TensorElement>(
    _ index: Int, as type: Scalar.Type
  ) throws(InferenceError) -> Operand<Scalar>? {
    hasInput(index) ? try input(index, as: type) : nil
  }

  /// Sets the shape of output `index` and returns its handle. Throws unless it has type `Scalar`.
  @inlinable
  public mutating func output<Scalar: TensorElement>(
    _ index: Int, as: Scalar.Type, shape: Shape
  ) throws(InferenceError) -> Operand<Scalar> {
    Operand(slot: try setShape(shape, ofOutput: index, type: Scalar.elementType), shape: shape)
  }

  /// Sets the shape of an output and returns its slot.
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

  package mutating func setShape(_ shape: Shape, ofTensor index: Int) {
    tensors.infos[index].shape = shape
  }

  /// Sets the node's work if it exceeds what its shapes imply, because of options that only its
  /// operator can read (see OperatorCost.swift).
  package mutating func state(work: Int) { requirements.statedWork = work }

  /// Returns scratch memory for `count` elements, which only this node uses while it runs. Its
  /// contents are undefined at the start of each run.
  @inlinable
  public mutating func scratch<Scalar: TensorElement>(
    _ count: Int, as: Scalar.Type
  ) throws(InferenceError) -> Operand<Scalar> {
    let bytes = Scalar.elementType.byteCount(of: count) ?? Int.max
    guard let shape = Shape(checking: [count]), bytes < Int.max else {
      throw .tooLarge(node: node, bytes: bytes, limit: Int(Int32.max))
    }
    return Operand(slot: placeScratch(bytes: bytes), shape: shape)
  }

  /// Returns scratch memory for `rows` rows of `length` elements; throws if the product overflows.
  package mutating func scratch<Scalar: TensorElement>(
    rows: Int, of length: Int, as type: Scalar.Type
  ) throws(InferenceError) -> Operand<Scalar> {
    let (count, overflow) = rows.multipliedReportingOverflow(by: length)
    return try scratch(overflow ? Int.max : count, as: type)
  }

  @usableFromInline
  mutating func placeScratch(bytes: Int) -> Int { requirements.place(bytes: bytes) }

  /// Returns the elements of input `index`, for values that decide shapes or parameters, and for
  /// constants that are repacked.
  ///
  /// Throws `valueNotKnown` if the graph computes them and has not done so yet.
  @inlinable
  public func values<Scalar: TensorElement>(
    of index: Int, as type: Scalar.Type
  ) throws(InferenceError) -> [Scalar] {
    let operand = try input(index, as: type)
    guard let memory = unsafe knownMemory(ofTensor: operand.slot) else {
      throw .valueNotKnown(node: node, operand: .input(index))
    }
    // Known tensors are complete: they have `operand.count` elements.
    return (0..<operand.count).map {
      unsafe memory.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Scalar>.stride, as: type)
    }
  }

  /// Returns the constant elements of input `index`, for example weights to pack, or `nil` if they
  /// are computed. They are aligned for `Scalar`.
  @inlinable
  package func constant<Scalar: Element>(
    _ index: Int, as type: Scalar.Type
  ) throws(InferenceError) -> UnsafeBufferPointer<Scalar>? {
    let operand = try input(index, as: type)
    guard try input(index).isConstant, let memory = unsafe knownMemory(ofTensor: operand.slot)
    else {
      return nil
    }
    // Complete, as in `values`, and kept as long as the model.
    return unsafe UnsafeBufferPointer(
      start: memory.baseAddress?.assumingMemoryBound(to: type), count: operand.count)
  }

  /// Returns the bytes of a tensor's elements if they are known; their number fits its shape and
  /// type.
  @usableFromInline
  package func knownMemory(ofTensor index: Int) -> UnsafeRawBufferPointer? {
    noteRead(of: index)
    return unsafe tensors.known(index)
  }

  /// Records that the preparation depends on a tensor's elements.
  package func noteRead(of tensor: Int) {
    guard let reads, tensor >= 0, !tensors.infos[tensor].isConstant else { return }
    if unsafe tensors.known(tensor) != nil { reads.tensors.insert(tensor) }
  }
}

extension Preparation {
  /// Allows output 0 to use the memory of one of these inputs if both have the same size. The
  /// kernel must not read an element of it after writing the output's element at that index.
  public mutating func mayOverwrite(inputs indices: Int...) {
    share(.overwrites, indices)
  }

  /// Declares that output 0 has the same bytes as input `index`. They may share memory; the kernel
  /// then copies nothing.
  public mutating func mayAlias(input index: Int) { share(.keeps, [index]) }

  private mutating func share(_ kind: BlockSharing.Kind, _ indices: [Int]) {
    guard let result = operation.outputs.first else { return }
    let operands = indices.filter(hasInput).map { operation.inputs[$0] }
    requirements.add(BlockSharing(kind: kind, result: result, operands: operands))
  }
}
