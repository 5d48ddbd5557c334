//===--- ReportingRules.swift - doubtful boxes ----------------------------===//
//
// Of several objects of a still image, those that people would not count are not reported: the whole
// scene, and parts of better ones.
//
// Contract  What is reported of the best objects does not depend on the others.
// Cost      O(n²) overlaps, for n objects.
//===----------------------------------------------------------------------===//

import MartletBase

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
