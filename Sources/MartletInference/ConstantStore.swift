//===--- ConstantStore.swift - a model's constants in memory --------------===//
//
// The elements of constant tensors, aligned so that typed pointers may read them: converters align
// buffers to 16 bytes of the file, but a file may say anything.
//
// Cost      One copy of the file's bytes for each interpreter, and one more of each buffer that the
//           file misaligns.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletTensor

/// Memory for a model's buffers.
final class ConstantStore {
  private let file: Arena
  private let buffers: [Range<Int>]
  /// Copies of buffers that are not aligned for the widest element, by buffer.
  private let realigned: [Int: Arena]

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
  }

  /// The elements that buffer `index` holds.
  func memory(ofBuffer index: Int) -> UnsafeRawBufferPointer {
    let range = buffers[index]
    if let copy = realigned[index] {
      return UnsafeRawBufferPointer(start: copy.base, count: range.count)
    }
    return UnsafeRawBufferPointer(start: file.base + range.lowerBound, count: range.count)
  }
}
