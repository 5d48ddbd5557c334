//===--- CandidateQueue.swift - boxes by score ----------------------------===//
//
// A priority queue of boxes; the one with the highest score is first.
//
// Contract  Boxes with equal scores are in the order in which LiteRT takes them, that of the GNU
//           library's heap. A new box rises while its parent is less. When the top is removed, the
//           hole sinks to the bottom, always to the child that is not less (the right one of two
//           equals), and the last box rises from there.
// Cost      O(log n) for a push or a pop. The caller provides the memory.
//===----------------------------------------------------------------------===//

/// A heap of boxes in memory of the caller, which has room for all of them.
struct CandidateQueue {
  let heap: UnsafeMutableBufferPointer<Int32>
  let scores: UnsafeMutableBufferPointer<Float>
  private(set) var count = 0

  private func score(_ place: Int) -> Float { scores[Int(heap[place])] }

  /// Adds a box that is not in the queue.
  mutating func push(_ box: Int32) {
    count += 1
    siftUp(box, from: count - 1)
  }

  /// Removes and returns the box with the highest score.
  mutating func pop() -> Int32? {
    guard count > 0 else { return nil }
    count -= 1
    let top = heap[0]
    let last = heap[count]
    var hole = 0
    while 2 * hole + 1 < count {
      var child = 2 * hole + 1
      if child + 1 < count, !(score(child + 1) < score(child)) { child += 1 }
      heap[hole] = heap[child]
      hole = child
    }
    if count > 0 { siftUp(last, from: hole) }
    return top
  }

  private func siftUp(_ box: Int32, from place: Int) {
    var hole = place
    while hole > 0, score((hole - 1) / 2) < scores[Int(box)] {
      heap[hole] = heap[(hole - 1) / 2]
      hole = (hole - 1) / 2
    }
    heap[hole] = box
  }
}
