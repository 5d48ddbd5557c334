//===--- ObjectLabel.swift - a classification result ----------------------===//

/// A class that a classifier assigns to an object.
public struct ObjectLabel: Sendable, Hashable {
  /// The label's name in the model's language; empty if the model has no labels.
  public let text: String
  /// The index of the class in the classifier's output; of a fine label in `FineLabeler.names`.
  public let index: Int
  /// The classifier's score, by convention 0...1.
  public let confidence: Float

  /// A label with these values.
  public init(text: String, index: Int, confidence: Float) {
    self.text = text
    self.index = index
    self.confidence = confidence
  }
}
