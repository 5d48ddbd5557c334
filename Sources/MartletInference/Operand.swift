//===--- Operand.swift - a tensor as a kernel's caller sees it ------------===//
//
// While a node is prepared, tensors are described by `TensorInfo`; what evaluation needs is an
// `Operand`, a typed handle that an `Evaluation` turns into memory.
//
// Contract  An operand's memory is aligned for its type and holds `count` elements. Handles are
//           valid in every state of the interpreter that prepared them.
// Cost      Looking an operand up is one load.
//===----------------------------------------------------------------------===//

import MartletTensor

/// What preparation knows of one of a node's tensors.
package struct TensorInfo: Sendable {
  /// The tensor's index in its subgraph.
  package let index: Int
  package let type: ElementType
  package let shape: Shape
  package let quantization: Quantization?
  /// Whether the file holds its elements.
  package let isConstant: Bool
}

/// A typed handle to a tensor or to scratch memory.
package struct Operand<Scalar: Element>: Sendable {
  @usableFromInline
  let slot: Int
  /// The extents; those of scratch memory are its number of elements.
  package let shape: Shape

  @usableFromInline
  init(slot: Int, shape: Shape) {
    self.slot = slot
    self.shape = shape
  }

  /// The number of elements.
  @inlinable
  package var count: Int { shape.elementCount }
}

/// What a node sees while it runs: memory for its operands, and workers.
package struct Evaluation {
  @usableFromInline
  let addresses: UnsafePointer<UnsafeMutableRawPointer>
  /// Who runs the chunks of a kernel's work.
  package let workers: Workers

  @usableFromInline
  init(addresses: UnsafePointer<UnsafeMutableRawPointer>, workers: Workers) {
    self.addresses = addresses
    self.workers = workers
  }

  /// The memory of an operand. Only a node's outputs and scratch may be written.
  @inlinable
  package subscript<Scalar>(operand: Operand<Scalar>) -> UnsafeMutableBufferPointer<Scalar> {
    UnsafeMutableBufferPointer(
      start: addresses[operand.slot].assumingMemoryBound(to: Scalar.self), count: operand.count)
  }
}

extension Evaluation {
  /// The memory of an optional operand: no elements where it is absent.
  @inlinable
  package subscript<Scalar>(operand: Operand<Scalar>?) -> UnsafeMutableBufferPointer<Scalar> {
    guard let operand else { return UnsafeMutableBufferPointer(start: nil, count: 0) }
    return self[operand]
  }
}

/// One node, ready to run: allocates nothing, and throws only what depends on the tensors' values
/// (an index out of range).
package typealias Evaluate = @Sendable (borrowing Evaluation) throws(InferenceError) -> Void
