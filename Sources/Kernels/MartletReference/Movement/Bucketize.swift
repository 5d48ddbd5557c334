//===--- Bucketize.swift - BUCKETIZE --------------------------------------===//
//
// y = the number of boundaries that are not greater than x
//
// Contract  TFLite BUCKETIZE. Boundaries ascend. NaN is in the last bucket: no boundary is greater.
// Cost      O(log boundaries) for each element.
//===----------------------------------------------------------------------===//

extension Reference {
  /// `isBelow` returns whether an element is less than a boundary.
  @export(implementation)
  package static func bucketize<Scalar>(
    _ x: UnsafeMutableBufferPointer<Scalar>, boundaries: [Float],
    into y: UnsafeMutableBufferPointer<Int32>, _ isBelow: (Scalar, Float) -> Bool
  ) {
    map(x, into: y) { element in
      var range = 0..<boundaries.count
      while !range.isEmpty {
        let middle = range.lowerBound + range.count / 2
        range =
          isBelow(element, boundaries[middle])
          ? range.lowerBound..<middle : middle + 1..<range.upperBound
      }
      return Int32(truncatingIfNeeded: range.lowerBound)
    }
  }
}
