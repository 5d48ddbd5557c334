//===--- Proposal.swift - a place where something may be ------------------===//

/// A box that may hold an object.
package struct Proposal: Sendable, Hashable {
  /// Shares of the picture's width and height, 0...1.
  package var box: Box
  /// How sure the network is that an object is there, 0...1.
  package var score: Float
  /// The class of the object, where the network says so.
  package var category: Int?

  package init(box: Box, score: Float, category: Int? = nil) {
    self.box = box
    self.score = score
    self.category = category
  }
}
