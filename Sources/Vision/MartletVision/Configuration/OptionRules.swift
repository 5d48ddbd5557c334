//===--- OptionRules.swift - options without effect -----------------------===//
//
// Some options of classification and of faces have an effect only beside certain others, or not beside
// them. The tool, the C library and the WebAssembly module refuse them by these rules.
//
// Contract  Names are those of JSON options; `--max-labels` of the tool is `maxLabels`. The custom
//           classifier, `--model` of the tool, is `classifier`, the custom detector `detector`.
//===----------------------------------------------------------------------===//

/// When an option has an effect.
package struct OptionRule: Sendable, Equatable {
  package let option: String
  /// The options of which one is required too; empty for none.
  package let needs: [String]
  /// The options beside which it has no effect.
  package let excludes: [String]

  private init(_ option: String, needs: [String] = [], excludes: [String] = []) {
    self.option = option
    self.needs = needs
    self.excludes = excludes
  }

  /// The options that enable classification of objects.
  package static let classifying = ["classify", "fineLabels", "classifier"]

  /// The rules of classifiers. Only `detect`, `track` and other detectors of objects require options
  /// that enable classification.
  package static let classification = [
    OptionRule("fineLabels", excludes: ["classifier"]),
    OptionRule("labels", needs: ["classifier", "detector"]),
    OptionRule("mean", needs: ["classifier", "detector"]),
    OptionRule("std", needs: ["classifier", "detector"]),
    OptionRule("dropBackground", needs: ["classifier"]),
    OptionRule("allowLabels", needs: classifying + ["detector"], excludes: ["denyLabels"]),
    OptionRule("denyLabels", needs: classifying + ["detector"]),
    OptionRule("threshold", needs: classifying),
    OptionRule("maxLabels", needs: ["classifier"]),
  ]

  /// The rule of the option that reports all boxes of still images.
  package static let allBoxes = OptionRule(
    "allBoxes", needs: ["multiple", "maxObjects"], excludes: ["detector", "stream"])

  /// The rules of options of a custom detector.
  package static let detectors = [
    OptionRule("detectorHead", needs: ["detector"]), OptionRule("overlap", needs: ["detector"]),
    OptionRule("anchors", needs: ["detector"]), OptionRule("bgr", needs: ["detector"]),
  ]

  /// The rules of options that the tool has in `track` only.
  package static let streams = [
    OptionRule("detectEvery", needs: ["stream"]), OptionRule("keepLost", needs: ["stream"]),
    OptionRule("smoothing", needs: ["stream"]),
  ]

  /// The options of faces that have no effect if only the contours of the most prominent face are
  /// detected: `FaceConfiguration.applyingMLKitRules`.
  package static let withoutEffectOnOneFace = ["minFaceSize", "maxFaces"]
}

/// An option that has no effect.
package enum UselessOption: Error, Equatable, Sendable {
  case needs(option: String, others: [String])
  case excludes(option: String, other: String)

  /// The first one by these rules; `isGiven` returns whether an option is given.
  package init?(_ rules: [OptionRule], isGiven: (String) -> Bool) {
    for rule in rules where isGiven(rule.option) {
      if !rule.needs.isEmpty, !rule.needs.contains(where: isGiven) {
        self = .needs(option: rule.option, others: rule.needs)
        return
      }
      if let other = rule.excludes.first(where: isGiven) {
        self = .excludes(option: rule.option, other: other)
        return
      }
    }
    return nil
  }
}

extension UselessOption: CustomStringConvertible {
  package var description: String {
    switch self {
    case .needs(let option, let others):
      "\(option) requires \(others.joined(separator: " or "))"
    case .excludes(let option, let other): "\(option) cannot be combined with \(other)"
    }
  }
}
