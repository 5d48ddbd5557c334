//===--- DetectedObjectLabel.swift - the coarse classifier's labels -------===//
//
// Source    ML Kit's `DetectedObjectLabel` and `DetectedObjectLabelIndex`. Firebase ML Vision has
//           other indices: see `VisionObjectCategory`.
//===----------------------------------------------------------------------===//

/// The texts of the coarse classifier's labels: `ObjectLabel.text` is one of these.
public struct DetectedObjectLabel: RawRepresentable, Sendable, Hashable {
  /// The label's text, for example `Food`.
  public let rawValue: String

  /// A label with this text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Clothes, shoes, bags.
  public static let fashionGood = DetectedObjectLabel(rawValue: "Fashion good")
  /// Furniture, kitchenware, things in a house.
  public static let homeGood = DetectedObjectLabel(rawValue: "Home good")
  /// Food and drink.
  public static let food = DetectedObjectLabel(rawValue: "Food")
  /// Buildings, streets, landscapes.
  public static let place = DetectedObjectLabel(rawValue: "Place")
  /// Plants.
  public static let plant = DetectedObjectLabel(rawValue: "Plant")
}

/// The indices of the coarse classifier's labels: `ObjectLabel.index` is one of these.
public enum DetectedObjectLabelIndex: Int, Sendable, CaseIterable {
  case fashionGood = 0
  case homeGood = 1
  case food = 2
  case place = 3
  case plant = 4
}
