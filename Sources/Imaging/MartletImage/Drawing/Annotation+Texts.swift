//===--- Annotation+Texts.swift - the texts of labels ---------------------===//

extension Annotation {
  /// A name followed by what is known best of a detection: `1 Food 97%`, then the name alone.
  ///
  /// - Parameters:
  ///   - name: A number or identifier.
  ///   - fact: A word and a probability, 0 to 1; `nil` for the name alone.
  package static func texts(
    _ name: String, _ fact: (word: String, probability: Float)?
  ) -> [String] {
    guard let fact else { return [name] }
    return ["\(name) \(fact.word) \(percent(fact.probability))", name]
  }

  /// A probability in whole percent, `-` if it is not finite.
  private static func percent(_ probability: Float) -> String {
    guard probability.isFinite else { return "-" }
    return "\(Int((min(max(probability, -10), 10) * 100).rounded()))%"
  }
}
