//===--- Scatter.swift - SCATTER_ND, SPARSE_TO_DENSE ----------------------===//
//
// Writes slices to the positions in an index tensor.
//
// Contract  Indices are checked before anything is written. SCATTER_ND adds the slices of a
//           position in index order; SPARSE_TO_DENSE keeps the last one.
// Cost      One pass over the output, one over the slices.
//===----------------------------------------------------------------------===//

extension Reference {
  /// y = 0 except for y[indices[i]], the sum of the slices x[i], of `run` elements each.
  @export(implementation)
  package static func scatterSums<Scalar, Index: FixedWidthInteger>(
    _ x: UnsafePointer<Scalar>, _ indices: UnsafeMutableBufferPointer<Index>,
    _ tuples: IndexTuples, run: Int, into y: UnsafeMutableBufferPointer<Scalar>,
    _ add: (Scalar, Scalar) -> Scalar
  ) throws(IndexOutOfRange) {
    try tuples.check(indices)
    UnsafeMutableRawBufferPointer(y).initializeMemory(as: UInt8.self, repeating: 0)
    for tuple in 0..<tuples.count {
      let place = tuples.offset(tuple, indices)
      for i in 0..<run { y[place + i] = add(y[place + i], x[tuple * run + i]) }
    }
  }

  /// y[indices[i]] = x[i], elements of `size` bytes; x is one element for all if `isScalar`.
  @export(implementation)
  package static func scatter<Index: FixedWidthInteger>(
    _ x: UnsafeRawPointer, isScalar: Bool, _ indices: UnsafeMutableBufferPointer<Index>,
    _ tuples: IndexTuples, size: Int, into y: UnsafeMutableRawPointer
  ) {
    for tuple in 0..<tuples.count {
      (y + tuples.offset(tuple, indices)).copyMemory(
        from: x + (isScalar ? 0 : tuple * size), byteCount: size)
    }
  }
}
