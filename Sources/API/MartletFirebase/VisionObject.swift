//===--- VisionObject.swift - Firebase's object type ----------------------===//
//
// Contract  The category is `.unknown` if objects are not classified or the classifier is
//           uncertain; then `confidence` is `nil`.
//===----------------------------------------------------------------------===//

public import Foundation

/// The category of an object. Numbers differ from the current API, which has 0 for fashion and 1
/// for home goods.
public enum VisionObjectCategory: Int, Sendable, CaseIterable {
  case unknown = 0
  case homeGoods = 1
  case fashionGoods = 2
  case food = 3
  case places = 4
  case plants = 5

  /// The category with the same meaning.
  public init(_ category: CoarseCategory) {
    switch category {
    case .unknown: self = .unknown
    case .home: self = .homeGoods
    case .fashion: self = .fashionGoods
    case .food: self = .food
    case .places: self = .places
    case .plants: self = .plants
    }
  }
}

/// An object in an image.
public struct VisionObject: Sendable, Hashable, Codable {
  let object: Object

  /// Decodes the JSON format of `Object`.
  public init(from decoder: any Decoder) throws { object = try Object(from: decoder) }

  /// Encodes the JSON format of `Object`.
  public func encode(to encoder: any Encoder) throws { try object.encode(to: encoder) }

  /// Wraps an object of the current API.
  public init(_ object: Object) { self.object = object }

  /// The bounding box of the object, in pixels of the stored image.
  public var frame: CGRect { object.frame }

  /// The tracking identifier; `nil` unless in `.stream` mode.
  public var trackingID: NSNumber? { object.trackingID }

  /// The category of the object; `.unknown` if it is not classified.
  public var classificationCategory: VisionObjectCategory {
    VisionObjectCategory(object.category ?? .unknown)
  }

  /// The classifier's score for the category, 0...1; `nil` if that is `.unknown`.
  public var confidence: NSNumber? {
    guard classificationCategory != .unknown else { return nil }
    return object.labels.first.map { NSNumber(value: $0.confidence) }
  }
}

extension VisionObject: CustomStringConvertible {
  /// The description of the `Object`.
  public var description: String { object.description }
}
