//===--- VisionObject.swift - the earlier generation's result -------------===//
//
// Contract  The category is `.unknown` where objects are not classified or the classifier is not
//           sure; then there is no confidence either.
// Checked   Tests/MartletTests/FirebaseTests.swift
//===----------------------------------------------------------------------===//

public import Foundation

/// What kind of thing an object is. The later generation counts otherwise: there fashion is 0 and home
/// goods are 1.
public enum VisionObjectCategory: Int, Sendable, CaseIterable {
  case unknown = 0
  case homeGoods = 1
  case fashionGoods = 2
  case food = 3
  case places = 4
  case plants = 5

  /// The category of the same meaning.
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

  /// The object in the form of `Object`.
  public init(from decoder: any Decoder) throws { object = try Object(from: decoder) }

  /// Writes the object in the form of `Object`.
  public func encode(to encoder: any Encoder) throws { try object.encode(to: encoder) }

  /// The same object as the later generation's.
  public init(_ object: Object) { self.object = object }

  /// The bounding box of the object, in pixels of the stored image.
  public var frame: CGRect { object.frame }

  /// The tracking identifier; `nil` unless in `.stream` mode.
  public var trackingID: NSNumber? { object.trackingID }

  /// What kind of thing the object is.
  public var classificationCategory: VisionObjectCategory {
    VisionObjectCategory(object.category ?? .unknown)
  }

  /// The score of the classifier for the category, 0...1; `nil` if that is `.unknown`.
  public var confidence: NSNumber? {
    guard classificationCategory != .unknown else { return nil }
    return object.labels.first.map { NSNumber(value: $0.confidence) }
  }
}
