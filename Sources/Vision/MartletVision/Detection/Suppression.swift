//===--- Suppression.swift - boxes that overlap ---------------------------===//
//
// Suppression is greedy: boxes are visited by decreasing score; each is kept unless it overlaps a
// kept one. A box around several objects is probably not an object itself, so its score is halved.
//
// Contract  Needs objects sorted by decreasing score, and keeps their order, except for halved ones.
// Cost      O(n · limit) overlaps, for n boxes; groups O(n²).
//===----------------------------------------------------------------------===//

import MartletBase

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

  /// Returns the objects, sorted by decreasing score, with half the score of each group, and half its
  /// probability of being the most prominent object. A group is a box in which at least two others
  /// lie, each with a score of at least `least` and half of the group's, whose areas sum up to at least a
  /// third of its own.
  package func halvingScoresOfGroups(leastMemberScore least: Float = 0) -> [DetectedObject] {
    let result = map { group in
      let held = filter {
        $0 != group && $0.score >= Swift.max(group.score / 2, least)
          && $0.frame.lies(in: group.frame)
      }
      let area = held.reduce(0) { $0 + $1.frame.area }
      guard held.count >= 2, area >= group.frame.area / 3 else { return group }
      var halved = group
      halved.score /= 2
      halved.prominence = group.prominence.map { $0 / 2 }
      return halved
    }
    return result.indices.sorted { (result[$1].score, $0) < (result[$0].score, $1) }
      .map { result[$0] }
  }

  /// Returns the objects that do not lie in a better one.
  func suppressingParts() -> [DetectedObject] {
    var kept: [Box] = []
    return filter { object in
      guard !kept.contains(where: { object.frame.lies(in: $0) }) else { return false }
      kept.append(object.frame)
      return true
    }
  }
}

extension Box {
  /// Whether at least nine tenths of the box's area are in `other`.
  fileprivate func lies(in other: Box) -> Bool { share(inside: other) >= 0.9 }
}
