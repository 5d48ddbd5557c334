//===--- NonMaximumSuppression.swift - one box for each object ------------===//
//
// Greedy: from the best box to the worst, each is kept unless it overlaps one kept before.
//
// Contract  Objects come by decreasing score; the result keeps their order.
// Cost      O(n · limit) overlaps.
// Checked   Tests/MartletVisionTests/NonMaximumSuppressionTests.swift
//===----------------------------------------------------------------------===//

extension [DetectedObject] {
  /// The objects, at most `limit`, that do not overlap a better one by `overlap` or more
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
