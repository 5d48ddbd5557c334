//===--- Preparation.swift - what an operator sees while it is prepared ---===//
//
// One node's options and tensors, and the means to state what it needs: output shapes and scratch
// memory.
//
// Contract  `input` and `output` throw rather than trap on anything that a file can say. Values
//           that are known only when the graph runs throw `valueNotKnown`: the interpreter then
//           prepares this node, and those behind it, again in mid-run, when they are known.
// Checked   Tests/MartletInferenceTests/PreparationTests.swift
//===----------------------------------------------------------------------===//

import MartletKernels
import MartletModel
import MartletRuntime
import MartletTensor

/// The computed tensors whose elements a preparation depends on.
final class ReadLog {
  var tensors: Set<Int> = []
}

/// A node in preparation: what an operator sees of it, and the means to state what it needs.
public struct Preparation {
  /// The operator as the file states it.
  package internal(set) var operation: Operator
  /// The node's index in its subgraph, which errors name.
  public internal(set) var node: Int
  /// Which kernels to choose from.
  public let kernels: KernelSet
  /// How many chunks may run at the same time, for kernels that need scratch memory for each.
  public let workerCount: Int

  /// What all subgraphs of the model share; `nil` where a node is prepared for itself.
  let context: PreparationContext?
  /// What has been taken so far.
  var ledger: Ledger
  /// The subgraphs that are being prepared, from the outermost to this node's own.
  let path: [Int]
  /// The variables of the interpreter that runs; `nil` before it does.
  var variables: VariableStore?
  /// Notes the tensors whose computed elements a preparation in mid-run depends on.
  var reads: ReadLog?
  /// Whether the node is prepared in mid-run, and all that is before it has run.
  var isNext = false
  /// The resource variable that each tensor of type `resource` stands for, as far as known.
  var resources: [Int: Int] = [:]

  /// The model's file, where custom operators have their options.
  let file: FileBytes
  /// The subgraph's tensors as they are known so far, by index.
  var tensors: [TensorInfo]
  /// The memory of tensors whose elements are known: constants, and in mid-run all that has been
  /// computed.
  var known: [UnsafeRawBufferPointer?]
  /// The sizes in bytes of the scratch memory in the arena asked for so far, and the slot of the
  /// first.
  var scratch: [Int] = []
  var firstScratchSlot: Int
  /// The work that the node has stated.
  var statedWork = 0
  /// The bytes of the node's scratch memory on the stack.
  var stackByteCount = 0
  /// Results that may lie where an operand does.
  var sharings: [BlockSharing] = []

  init(
    operation: Operator, node: Int, kernels: KernelSet, workerCount: Int,
    file: FileBytes = FileBytes([]),
    tensors: [TensorInfo], known: [UnsafeRawBufferPointer?], context: PreparationContext? = nil,
    ledger: Ledger = Ledger(limit: Int.max, taken: 0, variableCount: 0), path: [Int] = [0]
  ) {
    self.operation = operation
    self.node = node
    self.kernels = kernels
    self.workerCount = workerCount
    self.file = file
    self.tensors = tensors
    self.known = known
    self.context = context
    self.ledger = ledger
    self.path = path
    self.firstScratchSlot = tensors.count
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
    return tensors[operation.inputs[index]]
  }

  /// What the file says of output `index`: its type and quantisation count, its shape is stated by
  /// `output(_:as:shape:)`.
  public func output(_ index: Int) throws(InferenceError) -> TensorInfo {
    guard index < outputCount else { throw .missingOperand(node: node, operand: .output(index)) }
    return tensors[operation.outputs[index]]
  }

  /// A handle to input `index`, which must be of type `Scalar`.
  @inlinable
  public func input<Scalar: TensorElement>(
    _ index: Int, as: Scalar.Type
  ) throws(InferenceError) -> Operand<Scalar> {
    let info = try input(index)
    guard info.type == Scalar.elementType else {
      throw .type(
        node: node, operand: .input(index), found: info.declaredType, expected: Scalar.elementType)
    }
    return Operand(slot: info.index, shape: info.shape)
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
    let info = try output(index)
    guard info.declaredType == Scalar.elementType else {
      throw .type(
        node: node, operand: .output(index), found: info.declaredType,
        expected: Scalar.elementType)
    }
    setShape(shape, ofTensor: info.index)
    return Operand(slot: info.index, shape: shape)
  }

  /// States the shape of an output.
  @usableFromInline
  mutating func setShape(_ shape: Shape, ofTensor index: Int) { tensors[index].shape = shape }

  /// States the shape and type of a tensor.
  mutating func setShape(_ shape: Shape, type: ElementType, ofTensor index: Int) {
    tensors[index].declaredType = type
    tensors[index].shape = shape
  }

  /// Notes that a tensor's elements were computed beforehand.
  mutating func setConstant(_ index: Int, _ memory: UnsafeRawBufferPointer) {
    tensors[index].isConstant = true
    known[index] = memory
  }

  /// States that the node takes this many steps of work, where options that its operator alone can
  /// read make them more than its shapes say (see NodeCost.swift).
  mutating func state(work: Int) { statedWork = work }

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
  mutating func scratch<Scalar: TensorElement>(
    rows: Int, of length: Int, as type: Scalar.Type
  ) throws(InferenceError) -> Operand<Scalar> {
    let (count, overflow) = rows.multipliedReportingOverflow(by: length)
    return try scratch(overflow ? Int.max : count, as: type)
  }

  /// A place for scratch memory: on the stack as long as there is room.
  @usableFromInline
  mutating func placeScratch(bytes: Int) -> Int {
    let start = stackByteCount
    guard bytes <= StackMemory.limit - start else { return addScratch(bytes: bytes) }
    stackByteCount = Arena.aligned(start + bytes)
    return ~start
  }

  /// A place for scratch memory in the arena.
  mutating func addScratch(bytes: Int) -> Int {
    scratch.append(bytes)
    return firstScratchSlot + scratch.count - 1
  }

  /// The elements of input `index`, whose values decide shapes or parameters, or which are constant
  /// and are to be laid out anew.
  ///
  /// Throws `valueNotKnown` where they are computed by the graph and it is not running yet.
  @inlinable
  public func values<Scalar: TensorElement>(
    of index: Int, as type: Scalar.Type
  ) throws(InferenceError) -> [Scalar] {
    let operand = try input(index, as: type)
    guard let memory = knownMemory(ofTensor: operand.slot) else {
      throw .valueNotKnown(node: node, operand: .input(index))
    }
    return (0..<operand.count).map {
      memory.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Scalar>.stride, as: type)
    }
  }

  /// The elements of input `index` where the file holds them (weights that may be packed), or `nil`
  /// where they are computed. Aligned for `Scalar`.
  @inlinable
  package func constant<Scalar: Element>(
    _ index: Int, as type: Scalar.Type
  ) throws(InferenceError) -> UnsafeBufferPointer<Scalar>? {
    let operand = try input(index, as: type)
    guard try input(index).isConstant, let memory = knownMemory(ofTensor: operand.slot) else {
      return nil
    }
    return UnsafeBufferPointer(
      start: memory.baseAddress?.assumingMemoryBound(to: type), count: operand.count)
  }

  @usableFromInline
  func knownMemory(ofTensor index: Int) -> UnsafeRawBufferPointer? {
    noteRead(of: index)
    return known[index]
  }

  /// Notes that what is prepared depends on a tensor's elements.
  func noteRead(of tensor: Int) {
    if tensor >= 0, !tensors[tensor].isConstant, known[tensor] != nil {
      reads?.tensors.insert(tensor)
    }
  }
}
