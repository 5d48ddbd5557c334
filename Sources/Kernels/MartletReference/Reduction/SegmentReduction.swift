//===--- SegmentReduction.swift - SEGMENT_SUM, UNSORTED_SEGMENT_MAX... ----===//
//
// y[s] = the combination of all slices x[i] with ids[i] = s, `initial` if there are none
//
// Contract  Slices are combined in index order; slices with a negative id are ignored. Ids are
//           checked before anything is written.
// Cost      One pass over input and output.
//===----------------------------------------------------------------------===//

extension Reference {
  /// Combines slices of `run` elements into `segments` segments.
  @export(implementation)
  package static func combineSegments<Scalar>(
    _ x: UnsafeMutableBufferPointer<Scalar>, ids: UnsafeMutableBufferPointer<Int32>, run: Int,
    segments: Int, initial: Scalar, into y: UnsafeMutableBufferPointer<Scalar>,
    _ combine: (Scalar, Scalar) -> Scalar
  ) throws(IndexOutOfRange) {
    for id in ids where id >= segments {
      throw IndexOutOfRange(found: Int(id), limit: segments)
    }
    y.update(repeating: initial)
    for (i, id) in ids.enumerated() where id >= 0 {
      let start = Int(id) * run
      for j in 0..<run { y[start + j] = combine(y[start + j], x[i * run + j]) }
    }
  }
}
