//===--- DetectionParameters.swift - selecting detected boxes -------------===//
//
// Boxes ▶ non-maximum suppression ▶ groups ▶ salience. If several objects of a still image are
// requested, `ReportingRules` drop doubtful boxes too.
//
// Boxes below the lowest score to report are dropped last, so that this score changes neither the
// score nor the fate of any other box: a higher one reports a subset of the boxes, unless the limit
// leaves out some.
//
// The values belong to the included localizer; `Weights/Training/README.md` has the reasons.
//
// Contract  Boxes are sorted by decreasing score.
// Cost      O(n · limit) overlaps, for n boxes; groups O(limit²).
//===----------------------------------------------------------------------===//

import MartletBase

/// Options for selecting and sorting detected boxes.
package struct DetectionParameters: Sendable, Hashable {
  /// The lowest score of a box in a group, and of a reported box unless another one is requested.
  package var minimumScore: Float = 0.03
  /// The number of boxes, by decreasing score, that non-maximum suppression considers.
  package var candidates = 200
  /// The intersection over union from which the lower-scoring of two boxes is dropped.
  package var overlap: Float = 0.55
  /// The largest number of boxes after suppression, unless more objects are requested.
  package var survivors = 20
  /// The exponent of the nearness to the center, used for salience if the detector does not report
  /// it.
  package var centerExponent: Float = 0.5

  package init() {}
}

extension DetectionParameters {
  /// At most `limit` of `boxes`, which are sorted by decreasing score, without those that overlap a
  /// better one, with the scores of groups halved, and without those that score below `least` or
  /// that `rules` drop: `[DetectedObject].selected`. `boxes` hold all from `minimumScore` on.
  package func selected(
    _ boxes: [DetectedObject], in size: ImageSize, limit: Int, least: Float,
    rules: ReportingRules? = nil
  ) -> [DetectedObject] {
    var kept = boxes.suppressingOverlaps(of: overlap, limit: max(survivors, limit))
      .halvingScoresOfGroups(leastMemberScore: minimumScore).filter { $0.score >= least }
    if let rules { kept = rules.reported(of: kept, in: size) }
    return kept.selected(limit, in: size, parameters: self)
  }
}
