//===--- TopK.swift - TOPK_V2 ---------------------------------------------===//
//
// The k largest elements of each row, largest first, and their indices.
//
// Contract  TFLite TOPK_V2. Ties go to the lower index, and NaN follows all numbers. Each row has at
//           least k elements, and `Index` can count them.
// Order     `indices` is a heap of the best elements so far, the worst of them at its top, sorted
//           at the end. The order is total, so any method has the same result.
// Cost      O(n log k) per row, in the output's memory.
//===----------------------------------------------------------------------===//

extension Reference {
  /// Stores the best `k` of each row of `row` elements.
  @export(implementation)
  package static func topK<Scalar: Comparable, Index: FixedWidthInteger>(
    _ input: UnsafeMutableBufferPointer<Scalar>, row: Int, k: Int,
    values: UnsafeMutableBufferPointer<Scalar>, indices: UnsafeMutableBufferPointer<Index>
  ) {
    guard k > 0 else { return }
    for start in 0..<indices.count / k {
      let x = UnsafeMutableBufferPointer(rebasing: input[start * row..<(start + 1) * row])
      let best = UnsafeMutableBufferPointer(rebasing: indices[start * k..<(start + 1) * k])
      func precedes(_ a: Index, _ b: Index) -> Bool {
        let (left, right) = (x[Int(a)], x[Int(b)])
        if right < left { return true }
        if left < right { return false }
        let (isLeft, isRight) = (!isUnordered(left), !isUnordered(right))
        return isLeft == isRight ? a < b : isLeft
      }
      for i in 0..<k { best[i] = Index(truncatingIfNeeded: i) }
      makeHeap(best, count: k, by: precedes)
      for i in k..<max(row, k) where precedes(Index(truncatingIfNeeded: i), best[0]) {
        best[0] = Index(truncatingIfNeeded: i)
        siftDown(best, from: 0, count: k, by: precedes)
      }
      sortHeap(best, count: k, by: precedes)
      for i in 0..<k { values[start * k + i] = x[Int(best[i])] }
    }
  }
}
