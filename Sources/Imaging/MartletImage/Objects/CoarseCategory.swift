//===--- CoarseCategory.swift - the coarse object categories --------------===//
//
// Source    ML Kit's coarse classifier: label strings and indices of `DetectedObjectLabel`.
//===----------------------------------------------------------------------===//

/// The coarse category of an object.
///
/// Raw values are the classifier's class indices; the first five are those of ML Kit's
/// `DetectedObjectLabelIndex`.
public enum CoarseCategory: Int, Sendable, Hashable, CaseIterable {
  case fashion = 0
  case home = 1
  case food = 2
  case places = 3
  case plants = 4
  /// None of the others, or uncertain. An object of this category has no label.
  case unknown = 5

  /// The name in the tool's JSON, in lower case.
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

  /// The category with the highest score (the lower index of equals); `unknown` if that score is
  /// below `threshold`. Scores are in the order of raw values.
  package init(scores: [Float], threshold: Float) {
    var best = 0
    for index in scores.indices where scores[index] > scores[best] { best = index }
    self =
      scores.indices.contains(best) && scores[best] >= threshold
      ? CoarseCategory(rawValue: best) ?? .unknown : .unknown
  }
}
