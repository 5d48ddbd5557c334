//===--- NonMaximumSuppression.swift - one box for each object ------------===//
//
// Greedy: from the best proposal to the worst, each is kept unless it overlaps one kept before.
//
// Contract  `proposals` come by falling score; the result keeps their order.
// Cost      O(n · limit) overlaps.
// Checked   Tests/MartletVisionTests/NonMaximumSuppressionTests.swift
//===----------------------------------------------------------------------===//

extension [Proposal] {
  /// The proposals, at most `limit`, that do not overlap a better one by `overlap` or more
  /// (intersection over union).
  package func suppressingOverlaps(of overlap: Float, limit: Int) -> [Proposal] {
    var kept: [Proposal] = []
    for proposal in self where kept.count < limit {
      let isNew = kept.allSatisfy {
        $0.box.intersectionOverUnion(with: proposal.box) < overlap
      }
      if isNew { kept.append(proposal) }
    }
    return kept
  }
}
