//===--- ObjectLabel.swift - what a classifier says of an object ----------===//
//
// Checked   Tests/MartletTests/ClassifierTests.swift, Tests/MartletTests/ObjectTests.swift
//===----------------------------------------------------------------------===//

/// What a classifier says of an object.
public struct ObjectLabel: Sendable, Hashable {
  /// The label's name, in English where the model has it; empty if the model has no labels.
  public let text: String
  /// The index among the classifier's classes.
  public let index: Int
  /// How sure the classifier is, by convention 0...1.
  public let confidence: Float

  /// A label with these values.
  public init(text: String, index: Int, confidence: Float) {
    self.text = text
    self.index = index
    self.confidence = confidence
  }
}
