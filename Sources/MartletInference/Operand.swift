//===--- Operand.swift - a tensor as a kernel's caller sees it ------------===//
//
// While a node is prepared, tensors are described by `TensorInfo`; what evaluation needs is an
// `Operand`, a typed handle that an `Evaluation` turns into memory.
//
// Contract  An operand's memory is aligned for its type and holds `count` elements. Handles are
//           valid in every state of the interpreter that prepared them.
// Cost      Looking an operand up is one load.
//===----------------------------------------------------------------------===//

import MartletKernels
import MartletModel
import MartletRuntime
import MartletTensor

/// What preparation knows of one of a node's tensors.
public struct TensorInfo: Sendable {
  /// The tensor's index in its subgraph.
  @usableFromInline
  package let index: Int
  /// The type that the file gives the elements, or the operator that computes them.
  @usableFromInline
  package internal(set) var declaredType: ElementType
  /// The extents; those of an output are the file's until the operator states them.
  public internal(set) var shape: Shape
  /// How integers stand for reals, or `nil` where the file says nothing of it.
  public let quantization: Quantization?
  /// Whether the elements are known before the graph runs.
  public internal(set) var isConstant: Bool
  /// What the file says of quantisation beyond that.
  var quantizationDetails: QuantizationDetails?
  /// Whether it keeps its values from run to run.
  var isVariable = false

  /// The type of the elements in memory, where integers of less than a byte have one each: int8 for
  /// int4 and int2, uint8 for uint4.
  public var type: ElementType { declaredType.unpacked }
}

extension TensorInfo {
  /// A tensor as the file describes it.
  init(_ index: Int, _ tensor: TensorDescription, isConstant: Bool) {
    self.init(
      index: index, declaredType: tensor.type, shape: tensor.shape,
      quantization: tensor.quantization, isConstant: isConstant,
      quantizationDetails: tensor.details, isVariable: tensor.isVariable)
  }
}

/// A typed handle to a tensor or to scratch memory.
///
/// Only the node that asked for it may use it.
public struct Operand<Scalar: TensorElement>: Sendable {
  /// The place in the table of addresses; that of scratch memory on the stack is `~offset`.
  @usableFromInline
  let slot: Int
  /// The extents; those of scratch memory are its number of elements.
  public let shape: Shape

  /// - Precondition: `Scalar` is as wide as the elements of its type are.
  @inlinable
  init(slot: Int, shape: Shape) {
    precondition(MemoryLayout<Scalar>.stride * 8 == Scalar.elementType.bitWidth)
    self.slot = slot
    self.shape = shape
  }

  /// The number of elements.
  @inlinable
  public var count: Int { shape.elementCount }
}

/// What a node sees while it runs: memory for its operands, and workers.
public struct Evaluation {
  @usableFromInline
  let addresses: UnsafePointer<UnsafeMutableRawPointer>
  /// The node's scratch memory on the stack.
  @usableFromInline
  let stack: UnsafeMutableRawPointer
  /// Who runs the chunks of a kernel's work.
  public let workers: Workers

  @usableFromInline
  init(
    addresses: UnsafePointer<UnsafeMutableRawPointer>, stack: UnsafeMutableRawPointer,
    workers: Workers
  ) {
    self.addresses = addresses
    self.stack = stack
    self.workers = workers
  }

  /// The memory of an operand, until the node's evaluation returns. Only a node's outputs and
  /// scratch may be written; a tensor's memory is shared with no other that the node sees.
  ///
  /// The buffer's own bounds are checked in debug builds; its `span` and `mutableSpan` are checked
  /// in all.
  @inlinable
  public subscript<Scalar>(operand: Operand<Scalar>) -> UnsafeMutableBufferPointer<Scalar> {
    let memory = operand.slot >= 0 ? addresses[operand.slot] : stack + ~operand.slot
    return UnsafeMutableBufferPointer(
      start: memory.assumingMemoryBound(to: Scalar.self), count: operand.count)
  }
}

extension Evaluation {
  /// The memory of an optional operand: no elements where it is absent.
  @inlinable
  public subscript<Scalar>(operand: Operand<Scalar>?) -> UnsafeMutableBufferPointer<Scalar> {
    guard let operand else { return UnsafeMutableBufferPointer(start: nil, count: 0) }
    return self[operand]
  }
}

/// One node, ready to run: allocates nothing, and throws only what depends on the tensors' values
/// (an index out of range).
public typealias Evaluate = @Sendable (borrowing Evaluation) throws(InferenceError) -> Void

extension Evaluation {
  /// What nodes without scratch memory on the stack see.
  init(addresses: UnsafePointer<UnsafeMutableRawPointer>, workers: Workers) {
    self.init(
      addresses: addresses, stack: UnsafeMutableRawPointer(mutating: addresses), workers: workers)
  }

  /// Runs a node that has `stackByteCount` bytes of scratch memory on the stack.
  func run(_ evaluate: Evaluate, stackByteCount: Int) throws(InferenceError) {
    guard stackByteCount > 0 else { return try evaluate(self) }
    var failure: InferenceError?
    StackMemory.with(stackByteCount) { stack in
      do throws(InferenceError) {
        try evaluate(Evaluation(addresses: addresses, stack: stack, workers: workers))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
