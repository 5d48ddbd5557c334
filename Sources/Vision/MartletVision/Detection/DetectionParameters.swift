//===--- DetectionParameters.swift - selecting detected boxes -------------===//
//
// Boxes ▶ non-maximum suppression ▶ groups ▶ salience. Suppression is greedy: boxes are visited by
// decreasing score; each is kept unless it overlaps a kept one. A box around several objects is
// probably not an object itself, so its score is halved. The salience of an object is the mean of the
// detector's score and of its probability that the image is about the object. If the detector
// reports only the score, salience is the score times a power of the box's nearness to the center.
// If there are more objects than requested, the most salient one stays, and the best-scoring others:
// the probability says which object comes first, not which others there are.
//
// If several objects of a still image are requested, `ReportingRules` drop doubtful boxes too.
//
// Boxes below the lowest score to report are dropped last, so that this score changes neither the
// score nor the fate of any other box: a higher one reports a subset of the boxes, unless the limit
// leaves out some.
//
// The values belong to the included localizer; `Weights/Training/README.md` has the reasons.
//
// Contract  Suppression needs objects sorted by decreasing score, and keeps their order. The sort by
//           salience is stable. Nearness is measured in pixels, so it depends on the aspect ratio:
//           1 at the center, 0 in a corner.
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

/// Which of several objects of a still image are reported.
package struct ReportingRules: Sendable, Hashable {
  /// The lowest score of a reported box, unless another one is requested. F1 is highest near it on
  /// images with all objects annotated.
  package static let minimumScore: Float = 0.25
  /// A box is the whole scene if it covers this share of the image.
  package var sceneShare: Float = 0.75
  /// The lowest score of a box that is the whole scene.
  package var sceneScore: Float = 0.5

  package init() {}

  /// The objects to report of `objects`, which are sorted by decreasing score. What is reported of
  /// the best ones does not depend on the others.
  package func reported(of objects: [DetectedObject], in size: ImageSize) -> [DetectedObject] {
    let scene = sceneShare * Float(size.width) * Float(size.height)
    return objects.filter { $0.score >= sceneScore || $0.frame.area < scene }.suppressingParts()
  }
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

  /// The salience of an object in an image of this size, 0...1.
  package func prominence(of object: DetectedObject, in size: ImageSize) -> Float {
    if let prominence = object.prominence { return (object.score + prominence) / 2 }
    let (width, height) = (Float(size.width), Float(size.height))
    let dx = object.frame.center.x - width / 2
    let dy = object.frame.center.y - height / 2
    let halfDiagonal = (width * width + height * height).squareRoot() / 2
    let nearness = max(1 - (dx * dx + dy * dy).squareRoot() / halfDiagonal, 0)
    return object.score * power(nearness, centerExponent)
  }
}

/// `base` to the power of `exponent`, for bases in 0...1.
private func power(_ base: Float, _ exponent: Float) -> Float {
  if exponent == 0 { return 1 }
  return base > 0 ? VectorMath.exp(exponent * VectorMath.log(base)) : 0
}

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
  fileprivate func suppressingParts() -> [DetectedObject] {
    var kept: [Box] = []
    return filter { object in
      guard !kept.contains(where: { object.frame.lies(in: $0) }) else { return false }
      kept.append(object.frame)
      return true
    }
  }

  /// Returns the most salient object and the best-scoring others, at most `limit` in all, sorted by
  /// decreasing salience in an image of this size.
  package func selected(
    _ limit: Int, in size: ImageSize, parameters: DetectionParameters
  ) -> [DetectedObject] {
    let sorted = byProminence(in: size, parameters: parameters)
    guard limit > 1 else { return Array(sorted.prefix(limit)) }
    let others = sorted.indices.dropFirst().sorted {
      (sorted[$1].score, $0) < (sorted[$0].score, $1)
    }
    return (sorted.indices.prefix(1) + others.prefix(limit - 1)).sorted().map { sorted[$0] }
  }

  /// Returns the objects sorted by decreasing salience in an image of this size.
  package func byProminence(
    in size: ImageSize, parameters: DetectionParameters
  ) -> [DetectedObject] {
    let prominences = map { parameters.prominence(of: $0, in: size) }
    return indices.sorted { (prominences[$1], $0) < (prominences[$0], $1) }.map { self[$0] }
  }
}

extension Box {
  /// Whether at least nine tenths of the box's area are in `other`.
  fileprivate func lies(in other: Box) -> Bool { share(inside: other) >= 0.9 }
}
