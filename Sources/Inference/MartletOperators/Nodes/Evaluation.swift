//===--- Evaluation.swift - context of a running node ---------------------===//
//
// Contract  A node may write only its outputs and its scratch memory.
//===----------------------------------------------------------------------===//

public import MartletBase

/// The context of a running node: the memory of its operands, and workers.
///
/// The pointers are valid until the node's evaluation returns: the interpreter owns the memory, and
/// nodes only borrow the evaluation.
@safe public struct Evaluation {
  @usableFromInline
  package let addresses: UnsafePointer<UnsafeMutableRawPointer>
  /// The node's scratch memory on the stack.
  @usableFromInline
  package let stack: UnsafeMutableRawPointer
  /// The workers that run the chunks of a kernel's work.
  public let workers: Workers

  @inlinable
  package init(
    addresses: UnsafePointer<UnsafeMutableRawPointer>, stack: UnsafeMutableRawPointer,
    workers: Workers
  ) {
    unsafe self.addresses = addresses
    unsafe self.stack = stack
    self.workers = workers
  }

  /// The memory of an operand, valid until the node's evaluation returns. Only a node's outputs and
  /// scratch memory may be written. No two tensors of a node share memory, unless the node allowed
  /// it.
  ///
  /// Indices into the buffer are checked in debug builds only; those into its `span` and
  /// `mutableSpan` always.
  @inlinable
  public subscript<Scalar>(operand: Operand<Scalar>) -> UnsafeMutableBufferPointer<Scalar> {
    // Operands come from the node's preparation, which has checked slots and element counts.
    let memory =
      unsafe operand.slot >= 0 ? addresses[operand.slot] : stack + ~operand.slot
    return unsafe UnsafeMutableBufferPointer(
      start: memory.assumingMemoryBound(to: Scalar.self), count: operand.count)
  }
}

extension Evaluation {
  /// The memory of an optional operand; empty if the operand is absent.
  @inlinable
  public subscript<Scalar>(operand: Operand<Scalar>?) -> UnsafeMutableBufferPointer<Scalar> {
    guard let operand else { return unsafe UnsafeMutableBufferPointer(start: nil, count: 0) }
    return unsafe self[operand]
  }
}

/// A prepared node. It allocates nothing, and throws only errors that depend on the tensors'
/// values, for example an index out of range.
public typealias Evaluate = @Sendable (borrowing Evaluation) throws(InferenceError) -> Void
