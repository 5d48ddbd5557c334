//===--- Classification.swift - what a classifier returns -----------------===//

/// The labels of an image or a part of it.
public struct Classification: Sendable, Hashable {
  /// The classifier's labels by decreasing confidence; at most one of the coarse classifier.
  public let labels: [ObjectLabel]
  /// The coarse category; `nil` unless the coarse classifier ran.
  public let category: CoarseCategory?
  /// Everyday names, or a hypernym before them, by decreasing confidence; `nil` unless there is a
  /// ``FineLabeler``.
  public let fineLabels: [ObjectLabel]?

  package init(
    labels: [ObjectLabel], category: CoarseCategory? = nil, fineLabels: [ObjectLabel]? = nil
  ) {
    self.labels = labels
    self.category = category
    self.fineLabels = fineLabels
  }
}

extension DetectedObject {
  /// Replaces the labels and the category; `nil` removes them.
  mutating func label(_ classification: Classification?) {
    labels = classification?.labels ?? []
    category = classification?.category
    fineLabels = classification?.fineLabels
  }
}
