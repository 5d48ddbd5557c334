//===--- Evaluation.swift - a node while it runs --------------------------===//
//
// Contract  A node may write its outputs and its scratch memory alone.
// Checked   Tests/MartletOperatorTests/OwnOperatorTests.swift
//===----------------------------------------------------------------------===//

@_exported public import struct MartletRuntime.CancellationCheck
@_exported public import struct MartletRuntime.Workers
import MartletTensor

/// What a node sees while it runs: memory for its operands, and workers.
///
/// The pointers are valid until the node's evaluation returns: the interpreter keeps the memory, and calls
/// nodes with an evaluation that they borrow.
@safe public struct Evaluation {
  @usableFromInline
  package let addresses: UnsafePointer<UnsafeMutableRawPointer>
  /// The node's scratch memory on the stack.
  @usableFromInline
  package let stack: UnsafeMutableRawPointer
  /// Who runs the chunks of a kernel's work.
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

  /// The memory of an operand, until the node's evaluation returns. Only a node's outputs and
  /// scratch may be written; a tensor's memory is shared with no other that the node sees.
  ///
  /// The buffer's own bounds are checked in debug builds; its `span` and `mutableSpan` are checked
  /// in all.
  @inlinable
  public subscript<Scalar>(operand: Operand<Scalar>) -> UnsafeMutableBufferPointer<Scalar> {
    // Operands come from the node's preparation, which has counted slots and elements.
    let memory =
      unsafe operand.slot >= 0 ? addresses[operand.slot] : stack + ~operand.slot
    return unsafe UnsafeMutableBufferPointer(
      start: memory.assumingMemoryBound(to: Scalar.self), count: operand.count)
  }
}

extension Evaluation {
  /// The memory of an optional operand: no elements where it is absent.
  @inlinable
  public subscript<Scalar>(operand: Operand<Scalar>?) -> UnsafeMutableBufferPointer<Scalar> {
    guard let operand else { return unsafe UnsafeMutableBufferPointer(start: nil, count: 0) }
    return unsafe self[operand]
  }
}

/// One node, ready to run: allocates nothing, and throws only what depends on the tensors' values
/// (an index out of range).
public typealias Evaluate = @Sendable (borrowing Evaluation) throws(InferenceError) -> Void
