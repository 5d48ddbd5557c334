//===--- ConstantStore.swift - a model's constants in memory --------------===//
//
// The elements of constant tensors, aligned so that typed pointers may read them: converters align
// buffers to 16 bytes of the file, but a file may say anything. Sparse tensors are expanded, so that
// whoever reads a constant finds all its elements.
//
// Cost      One copy of the file's bytes for each interpreter, one more of each buffer that the
//           file misaligns, and the zeros of sparse tensors.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletTensor

/// Memory for a model's buffers.
final class ConstantStore {
  private let file: Arena
  private let buffers: [Range<Int>]
  /// Copies of buffers that are not aligned for the widest element, by buffer.
  private let realigned: [Int: Arena]
  /// Sparse tensors with their zeros, by buffer and shape.
  private var expanded: [Expansion: Arena] = [:]
  private let limit: Int
  /// The bytes of copies and of expanded tensors.
  private(set) var copiedByteCount: Int

  private struct Expansion: Hashable {
    let buffer: Int
    let type: ElementType
    let shape: Shape
    let sparsity: Sparsity
  }

  /// Throws if the copies would take more than `limit` bytes: many buffers may be one range.
  init(_ model: Model, limit: Int) throws(InferenceError) {
    let file = model.bytes.withUnsafeBytes { Arena(copying: $0) }
    var realigned: [Int: Arena] = [:]
    var copied = 0
    for (index, range) in model.buffers.enumerated()
    where !range.isEmpty && range.lowerBound % MemoryLayout<Int64>.alignment != 0 {
      copied += range.count
      guard copied <= limit else { throw .tooLarge(node: 0, bytes: copied, limit: limit) }
      realigned[index] = Arena(
        copying: UnsafeRawBufferPointer(start: file.base + range.lowerBound, count: range.count))
    }
    self.file = file
    self.buffers = model.buffers
    self.realigned = realigned
    self.limit = limit
    self.copiedByteCount = copied
  }

  /// The elements of a constant tensor.
  func memory(of tensor: TensorDescription) throws(InferenceError) -> UnsafeRawBufferPointer {
    let stored = memory(ofBuffer: tensor.buffer)
    guard let sparsity = tensor.sparsity, tensor.type.bitWidth >= 8 else { return stored }
    let key = Expansion(
      buffer: tensor.buffer, type: tensor.type, shape: tensor.shape, sparsity: sparsity)
    guard let bytes = tensor.type.byteCount(of: tensor.shape.elementCount) else {
      throw .tooLarge(node: 0, bytes: Int.max, limit: limit)
    }
    if let arena = expanded[key] { return UnsafeRawBufferPointer(start: arena.base, count: bytes) }
    guard bytes <= limit - copiedByteCount else {
      throw .tooLarge(node: 0, bytes: bytes, limit: limit)
    }
    copiedByteCount += bytes
    let arena = Arena(byteCount: bytes)
    // Where an extent is zero the others may be huge, and walking them endless.
    if bytes > 0 {
      sparsity.expand(
        stored, elementSize: tensor.type.bitWidth / 8, shape: tensor.shape, into: arena.base)
    }
    expanded[key] = arena
    return UnsafeRawBufferPointer(start: arena.base, count: bytes)
  }

  /// The elements that buffer `index` holds.
  private func memory(ofBuffer index: Int) -> UnsafeRawBufferPointer {
    let range = buffers[index]
    if let copy = realigned[index] {
      return UnsafeRawBufferPointer(start: copy.base, count: range.count)
    }
    return UnsafeRawBufferPointer(start: file.base + range.lowerBound, count: range.count)
  }
}
