//===--- ConstantStore.swift - memory of a model's constants --------------===//
//
// The elements of constant tensors, aligned for typed pointers. Converters align buffers to 16
// bytes in the file, but other files may not. Sparse tensors are expanded and integers of less than
// a byte are unpacked, so that all elements of a constant are present and take whole bytes.
//
// Contract  Immutable: any number of interpreters read it, on any threads. Constants point into the
//           model's own bytes, which the store keeps alive.
// Cost      The file is not copied. Copied are misaligned buffers, all elements of sparse tensors,
//           and narrow integers, one byte each.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletOperators
import MartletReference

/// Memory for a model's constants. It is safe to keep: it owns all memory that it returns.
@safe final class ConstantStore: @unchecked Sendable {
  private let bytes: FileBytes
  private let file: UnsafeRawBufferPointer
  private let buffers: [Range<Int>]
  /// Copies of misaligned buffers, by buffer.
  private let realigned: [Int: Arena]
  /// Expanded sparse tensors and unpacked narrow integers, by buffer and shape.
  private let expanded: [Expansion: Arena]
  /// The bytes of all copies and expanded tensors.
  let copiedByteCount: Int

  private struct Expansion: Hashable {
    let buffer: Int
    let type: ElementType
    let shape: Shape
    let sparsity: Sparsity?

    init?(_ tensor: TensorDescription) {
      let isSparse = tensor.sparsity != nil
      guard isSparse ? tensor.type.bitWidth >= 8 : tensor.type.isNarrow else { return nil }
      buffer = tensor.buffer
      type = tensor.type
      shape = tensor.shape
      sparsity = tensor.sparsity
    }

    /// The bytes of the elements in memory, or `nil` if the number overflows.
    var byteCount: Int? { type.unpacked.byteCount(of: shape.elementCount) }

    /// The model has checked the positions of sparse elements; `stored` has all stored elements.
    func expand(_ stored: UnsafeRawBufferPointer, byteCount: Int) -> Arena {
      let arena = Arena(byteCount: byteCount)
      // If one extent is zero, the others may be huge and the loops would not end.
      guard byteCount > 0 else { return arena }
      if let sparsity {
        unsafe sparsity.expand(
          stored, elementSize: type.bitWidth / 8, shape: shape, into: arena.base)
      } else {
        unsafe Reference.unpack(
          stored, type,
          into: UnsafeMutableRawBufferPointer(start: arena.base, count: byteCount))
      }
      return arena
    }
  }

  /// Creates the constants of these subgraphs of `model`. Throws if the copies exceed `limit`
  /// bytes, which is possible because many buffers may refer to the same bytes.
  init(_ model: Model, subgraphs: [Int], limit: Int) throws(InferenceError) {
    bytes = model.bytes
    unsafe file = bytes.memory
    buffers = model.buffers
    var copied = 0
    var realigned: [Int: Arena] = [:]
    var expanded: [Expansion: Arena] = [:]
    for tensor in subgraphs.flatMap({ model.subgraphs[$0].tensors }) {
      // The model has checked that its buffers are in the file; copies are as long as a buffer.
      let range = buffers[tensor.buffer]
      guard !range.isEmpty else { continue }
      var stored = unsafe UnsafeRawBufferPointer(rebasing: file[range])
      if let copy = realigned[tensor.buffer] {
        unsafe stored = UnsafeRawBufferPointer(start: copy.base, count: range.count)
      } else if unsafe !stored.isAligned(for: tensor.type) {
        try ConstantStore.take(range.count, of: &copied, limit: limit)
        let copy = unsafe Arena(copying: stored)
        realigned[tensor.buffer] = copy
        unsafe stored = UnsafeRawBufferPointer(start: copy.base, count: range.count)
      }
      guard let expansion = Expansion(tensor), expanded[expansion] == nil else { continue }
      guard let count = expansion.byteCount else {
        throw .tooLarge(node: 0, bytes: Int.max, limit: limit)
      }
      try ConstantStore.take(count, of: &copied, limit: limit)
      expanded[expansion] = unsafe expansion.expand(stored, byteCount: count)
    }
    self.realigned = realigned
    self.expanded = expanded
    copiedByteCount = copied
  }

  private static func take(
    _ bytes: Int, of total: inout Int, limit: Int
  ) throws(InferenceError) {
    guard bytes <= limit - total else {
      throw .tooLarge(node: 0, bytes: saturatingSum(total, bytes), limit: limit)
    }
    total += bytes
  }

  /// Returns the elements of a constant tensor of one of the subgraphs.
  func memory(of tensor: TensorDescription) -> UnsafeRawBufferPointer {
    // Arenas have at least as many bytes as what they were made for.
    let range = buffers[tensor.buffer]
    if let expansion = Expansion(tensor), let arena = expanded[expansion] {
      return unsafe UnsafeRawBufferPointer(start: arena.base, count: expansion.byteCount ?? 0)
    }
    if let copy = realigned[tensor.buffer] {
      return unsafe UnsafeRawBufferPointer(start: copy.base, count: range.count)
    }
    return unsafe UnsafeRawBufferPointer(rebasing: file[range])
  }
}

extension UnsafeRawBufferPointer {
  /// Whether elements of this type can be read in place; strings start with 32-bit integers.
  fileprivate func isAligned(for type: ElementType) -> Bool {
    let width = type == .string ? 4 : type.bitWidth / 8
    return Int(bitPattern: baseAddress) % Swift.min(Swift.max(width, 1), 8) == 0
  }
}
