//===--- ConstantStore.swift - a model's constants in memory --------------===//
//
// The elements of constant tensors, aligned so that typed pointers may read them: converters align
// buffers to 16 bytes of the file, but a file may say anything. Sparse tensors are expanded, and
// integers of less than a byte unpacked, so that whoever reads a constant finds all its elements,
// each in whole bytes.
//
// Contract  Never changes once made: any number of interpreters read it, on any threads. Constants
//           lie in the model's own bytes, which the store keeps alive.
// Cost      No copy of the file; one of each buffer that the file misaligns, all elements of sparse
//           tensors, and a byte for each narrow integer.
// Checked   Tests/MartletInferenceTests/PreparedModelTests.swift, HostileGraphTests.swift
//===----------------------------------------------------------------------===//

import MartletGraph
import MartletModel
import MartletReference
import MartletRuntime
import MartletTensor

/// Memory for a model's constants.
final class ConstantStore: @unchecked Sendable {
  private let bytes: FileBytes
  private let file: UnsafeRawBufferPointer
  private let buffers: [Range<Int>]
  /// Copies of buffers that are not aligned for their elements, by buffer.
  private let realigned: [Int: Arena]
  /// Sparse tensors with their zeros and narrow integers in bytes, by buffer and shape.
  private let expanded: [Expansion: Arena]
  /// The bytes of copies and of expanded tensors.
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

    /// The bytes that the elements take in memory, or `nil` if they are too many to be counted.
    var byteCount: Int? { type.unpacked.byteCount(of: shape.elementCount) }

    func expand(_ stored: UnsafeRawBufferPointer, byteCount: Int) -> Arena {
      let arena = Arena(byteCount: byteCount)
      // Where an extent is zero the others may be huge, and walking them endless.
      guard byteCount > 0 else { return arena }
      if let sparsity {
        sparsity.expand(stored, elementSize: type.bitWidth / 8, shape: shape, into: arena.base)
      } else {
        Reference.unpack(
          stored, type,
          into: UnsafeMutableRawBufferPointer(start: arena.base, count: byteCount))
      }
      return arena
    }
  }

  /// The constants of these subgraphs of `model`. Throws if the copies would take more than `limit`
  /// bytes: many buffers may be one range.
  init(_ model: Model, subgraphs: [Int], limit: Int) throws(InferenceError) {
    bytes = model.bytes
    file = bytes.memory
    buffers = model.buffers
    var copied = 0
    var realigned: [Int: Arena] = [:]
    var expanded: [Expansion: Arena] = [:]
    for tensor in subgraphs.flatMap({ model.subgraphs[$0].tensors }) {
      let range = buffers[tensor.buffer]
      guard !range.isEmpty else { continue }
      var stored = UnsafeRawBufferPointer(rebasing: file[range])
      if let copy = realigned[tensor.buffer] {
        stored = UnsafeRawBufferPointer(start: copy.base, count: range.count)
      } else if !stored.isAligned(for: tensor.type) {
        try ConstantStore.take(range.count, of: &copied, limit: limit)
        let copy = Arena(copying: stored)
        realigned[tensor.buffer] = copy
        stored = UnsafeRawBufferPointer(start: copy.base, count: range.count)
      }
      guard let expansion = Expansion(tensor), expanded[expansion] == nil else { continue }
      guard let count = expansion.byteCount else {
        throw .tooLarge(node: 0, bytes: Int.max, limit: limit)
      }
      try ConstantStore.take(count, of: &copied, limit: limit)
      expanded[expansion] = expansion.expand(stored, byteCount: count)
    }
    self.realigned = realigned
    self.expanded = expanded
    copiedByteCount = copied
  }

  private static func take(
    _ bytes: Int, of total: inout Int, limit: Int
  ) throws(InferenceError) {
    guard bytes <= limit - total else { throw .tooLarge(node: 0, bytes: bytes, limit: limit) }
    total += bytes
  }

  /// The elements of a constant tensor of one of the subgraphs.
  func memory(of tensor: TensorDescription) -> UnsafeRawBufferPointer {
    let range = buffers[tensor.buffer]
    if let expansion = Expansion(tensor), let arena = expanded[expansion] {
      return UnsafeRawBufferPointer(start: arena.base, count: expansion.byteCount ?? 0)
    }
    if let copy = realigned[tensor.buffer] {
      return UnsafeRawBufferPointer(start: copy.base, count: range.count)
    }
    return UnsafeRawBufferPointer(rebasing: file[range])
  }
}

extension UnsafeRawBufferPointer {
  /// Whether elements of this type may be read in place; strings begin with numbers of 32 bits.
  fileprivate func isAligned(for type: ElementType) -> Bool {
    let width = type == .string ? 4 : type.bitWidth / 8
    return Int(bitPattern: baseAddress) % Swift.min(Swift.max(width, 1), 8) == 0
  }
}
