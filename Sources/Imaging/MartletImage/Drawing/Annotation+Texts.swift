//===--- Annotation+Texts.swift - the texts of labels ---------------------===//

extension Annotation {
  /// A name followed by what is known of a detection: `1 smile 97%, left eye open 69%`. Shorter texts
  /// follow: `1 smile 97%` and `1`.
  ///
  /// - Parameters:
  ///   - name: A number or identifier.
  ///   - facts: Each a word and a probability, 0 to 1; the first is the most important.
  package static func texts(
    _ name: String, _ facts: [(word: String, probability: Float)]
  ) -> [String] {
    let words = facts.map { "\($0.word) \(percent($0.probability))" }
    return (0...words.count).reversed().map { count in
      count == 0 ? name : name + " " + words.prefix(count).joined(separator: ", ")
    }
  }

  /// A probability in whole percent, `-` if it is not finite.
  private static func percent(_ probability: Float) -> String {
    guard probability.isFinite else { return "-" }
    return "\(Int((min(max(probability, -10), 10) * 100).rounded()))%"
  }
}
