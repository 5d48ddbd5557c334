//===--- Sparsity+Expanding.swift - expansion of sparse constants ---------===//
//
// Traverses the levels of a sparse layout from the outermost. For each it keeps the coordinate
// along its axis and the current entry; the entry of the last level is a stored element.
//
// Contract  The layout was checked against `shape` when the model was read.
// Cost      One step per entry of each level.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

extension Sparsity {
  /// Copies each stored element to its position in the dense tensor at `output`, which contains
  /// zeros.
  func expand(
    _ stored: UnsafeRawBufferPointer, elementSize: Int, shape: Shape,
    into output: UnsafeMutableRawPointer
  ) {
    // The byte stride in the dense tensor of one step along each level's axis.
    var steps = [Int](repeating: 0, count: levels.count)
    var stride = elementSize
    for axis in (0..<shape.rank).reversed() {
      var step = stride
      for level in levels.indices.reversed()
      where self.axis(ofLevel: level, rank: shape.rank) == axis {
        let isBlock = traversalOrder[level] >= shape.rank
        if isBlock { steps[level] = step }
        if isBlock, case .dense(let size) = levels[level] { step &*= size }
      }
      for level in levels.indices where traversalOrder[level] == axis { steps[level] = step }
      stride &*= shape[axis]
    }
    unsafe copy(level: 0, entry: 0, offset: 0, steps: steps, elementSize, from: stored, to: output)
  }

  /// The tensor's axis of a level, whole or in blocks.
  private func axis(ofLevel level: Int, rank: Int) -> Int {
    let axis = traversalOrder[level]
    return axis < rank ? axis : blockMap[axis - rank]
  }

  private func copy(
    level: Int, entry: Int, offset: Int, steps: [Int], _ elementSize: Int,
    from stored: UnsafeRawBufferPointer, to output: UnsafeMutableRawPointer
  ) {
    guard level < levels.count else {
      guard let base = stored.baseAddress else { return }
      // The model has checked that entries and positions are within both tensors.
      unsafe (output + offset).copyMemory(from: base + entry * elementSize, byteCount: elementSize)
      return
    }
    switch levels[level] {
    case .dense(let size):
      for index in 0..<size {
        unsafe copy(
          level: level + 1, entry: entry * size + index, offset: offset + index * steps[level],
          steps: steps, elementSize, from: stored, to: output)
      }
    case .compressed(let segments, let indices):
      for place in segments[entry]..<segments[entry + 1] {
        unsafe copy(
          level: level + 1, entry: place, offset: offset + indices[place] * steps[level],
          steps: steps, elementSize, from: stored, to: output)
      }
    }
  }
}
