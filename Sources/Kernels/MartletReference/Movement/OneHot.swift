//===--- OneHot.swift - ONE_HOT -------------------------------------------===//
//
// y[o, d, i] = on if d = indices[o, i]; other elements are unchanged
//
// Contract  TFLite ONE_HOT over an output that holds `off` everywhere. An index beyond the depth
//           sets nothing; int64 indices are truncated to 32 bits, as in LiteRT.
// Cost      One pass over the indices.
//===----------------------------------------------------------------------===//

extension Reference {
  /// - Parameters:
  ///   - inner: the number of indices after the new axis.
  ///   - size: the bytes of an element.
  @export(implementation)
  package static func setHot<Index: FixedWidthInteger>(
    _ indices: UnsafeMutableBufferPointer<Index>, depth: Int, inner: Int,
    on: UnsafeRawPointer, size: Int, into y: UnsafeMutableRawPointer
  ) {
    for (i, index) in indices.enumerated() {
      let hot = Int(Int32(truncatingIfNeeded: index))
      guard hot >= 0, hot < depth else { continue }
      let place = (i / inner * depth + hot) * inner + i % inner
      (y + place * size).copyMemory(from: on, byteCount: size)
    }
  }
}
