//===--- OthersNames.swift - names that other frameworks of an app declare ===//
//
// Stands for SwiftUI, SwiftData, MapKit and Accelerate. `Image` is missing, because Martlet has no
// such name on systems with SwiftUI.
//===----------------------------------------------------------------------===//

/// SwiftUI's shape.
public protocol Shape {}
/// A position.
public struct Point: Equatable {
  /// A position.
  public init() {}
}
/// A container.
public struct Box<Content> {
  /// The content.
  public let content: Content

  /// A box with a content.
  public init(_ content: Content) { self.content = content }
}
/// SwiftData's model.
public struct Model {
  /// A model.
  public init() {}
}
/// A normalization.
public struct Normalization {
  /// A normalization.
  public init() {}
}
/// A graph's operand.
public struct Operand {
  /// An operand.
  public init() {}
}
/// MapKit's annotation.
public struct Annotation {
  /// An annotation.
  public init() {}
}
/// A quantization.
public struct Quantization {
  /// A quantization.
  public init() {}
}
/// A lock.
public struct Lock {
  /// A lock.
  public init() {}
}
/// A color space.
public struct ColorSpace {
  /// A color space.
  public init() {}
}
