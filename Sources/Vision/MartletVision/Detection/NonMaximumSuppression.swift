//===--- NonMaximumSuppression.swift - non-maximum suppression ------------===//
//
// Greedy: boxes are visited by decreasing score; each is kept unless it overlaps a kept one.
//
// Contract  The objects must be sorted by decreasing score; the result keeps their order.
// Cost      O(n · limit) overlaps.
// Checked   Tests/MartletVisionTests/NonMaximumSuppressionTests.swift
//===----------------------------------------------------------------------===//

extension [DetectedObject] {
  /// Returns at most `limit` objects that do not overlap a better one by `overlap` or more
  /// (intersection over union).
  package func suppressingOverlaps(of overlap: Float, limit: Int) -> [DetectedObject] {
    var kept: [Box] = []
    return filter { object in
      guard kept.count < limit,
        kept.allSatisfy({ $0.intersectionOverUnion(with: object.frame) < overlap })
      else { return false }
      kept.append(object.frame)
      return true
    }
  }
}
