//===--- CoarseCategory.swift - the six kinds of things -------------------===//
//
// Source    ML Kit's coarse classifier: label strings and indices of `DetectedObjectLabel`.
// Checked   Tests/MartletImageTests/CoarseCategoryTests.swift
//===----------------------------------------------------------------------===//

/// What kind of thing an object is, in the coarse classifier's terms.
///
/// Raw values are the classifier's class indices, the first five those of ML Kit's
/// `DetectedObjectLabelIndex`.
public enum CoarseCategory: Int, Sendable, Hashable, CaseIterable {
  case fashion = 0
  case home = 1
  case food = 2
  case places = 3
  case plants = 4
  /// None of the others, or not sure: such an object carries no label.
  case unknown = 5

  /// The short name, as the tool's JSON carries it.
  public var name: String {
    switch self {
    case .fashion: "fashion"
    case .home: "home"
    case .food: "food"
    case .places: "places"
    case .plants: "plants"
    case .unknown: "unknown"
    }
  }

  /// The category that scores for each class speak for: that of the highest score (the lower index
  /// of equals), and `unknown` if that score is under `threshold`.
  package init(scores: [Float], threshold: Float) {
    var best = 0
    for index in scores.indices where scores[index] > scores[best] { best = index }
    self =
      scores.indices.contains(best) && scores[best] >= threshold
      ? CoarseCategory(rawValue: best) ?? .unknown : .unknown
  }
}
