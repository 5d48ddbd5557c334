//===--- OthersNames.swift - names that an app's other frameworks bring ---===//
//
// Stands where SwiftUI, SwiftData, MapKit and Accelerate do. Not `Image`: where there is SwiftUI,
// Martlet has no such name.
//===----------------------------------------------------------------------===//

/// What SwiftUI draws.
public protocol Shape {}
/// A position.
public struct Point: Equatable {
  /// A position.
  public init() {}
}
/// A container.
public struct Box<Content> {
  /// What it holds.
  public let content: Content

  /// A box with something in it.
  public init(_ content: Content) { self.content = content }
}
/// What is kept.
public struct Model {
  /// A model.
  public init() {}
}
/// A way to make things alike.
public struct Normalization {
  /// A way.
  public init() {}
}
/// What is computed with.
public struct Operand {
  /// An operand.
  public init() {}
}
/// A mark on a map.
public struct Annotation {
  /// A mark.
  public init() {}
}
/// A number in few bits.
public struct Quantization {
  /// Bits.
  public init() {}
}
/// What excludes others.
public struct Lock {
  /// A lock.
  public init() {}
}
/// A kind of colors.
public struct ColorSpace {
  /// A kind.
  public init() {}
}
