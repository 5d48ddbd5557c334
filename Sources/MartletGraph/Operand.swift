//===--- Operand.swift - a typed handle to a tensor -----------------------===//
//
// While a node is prepared, tensors are described by `TensorInfo`; what evaluation needs is an
// `Operand`, a typed handle that an `Evaluation` turns into memory.
//
// Contract  An operand's memory is aligned for its type and holds `count` elements. Handles are
//           valid in every state of the interpreter that prepared them.
// Cost      Looking an operand up is one load.
// Checked   Tests/MartletOperatorTests/OwnOperatorTests.swift
//===----------------------------------------------------------------------===//

public import MartletTensor

/// A typed handle to a tensor or to scratch memory.
///
/// Only the node that asked for it may use it.
public struct Operand<Scalar: TensorElement>: Sendable {
  /// The place in the table of addresses; that of scratch memory on the stack is `~offset`.
  @usableFromInline
  package let slot: Int
  /// The extents; those of scratch memory are its number of elements.
  public let shape: Shape

  /// - Precondition: `Scalar` is as wide as the elements of its type are.
  @inlinable
  package init(slot: Int, shape: Shape) {
    precondition(MemoryLayout<Scalar>.stride * 8 == Scalar.elementType.bitWidth)
    self.slot = slot
    self.shape = shape
  }

  /// The number of elements.
  @inlinable
  public var count: Int { shape.elementCount }
}
