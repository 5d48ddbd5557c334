//===--- Operand.swift - typed tensor handle ------------------------------===//
//
// While a node is prepared, tensors are described by `TensorInfo`. For evaluation a node keeps
// `Operand`s, typed handles that an `Evaluation` resolves to memory.
//
// Contract  An operand's memory is aligned for its type and holds `count` elements. Handles are
//           valid in every state of the interpreter that prepared them.
// Cost      Resolving an operand is one load.
//===----------------------------------------------------------------------===//

public import MartletBase

/// A typed handle to a tensor or to scratch memory.
///
/// Only the node whose preparation returned it may use it.
public struct Operand<Scalar: TensorElement>: Sendable {
  /// The index in the table of addresses; `~offset` for scratch memory on the stack.
  @usableFromInline
  package let slot: Int
  /// The tensor's shape; for scratch memory, its number of elements.
  public let shape: Shape

  /// - Precondition: `Scalar` has the bit width of its element type.
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
