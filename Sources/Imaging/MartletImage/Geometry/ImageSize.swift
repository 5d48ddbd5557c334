//===--- ImageSize.swift - width and height -------------------------------===//
//
// Contract  Unchecked integers until `validate` has passed; then within ImageLimits.
//===----------------------------------------------------------------------===//

/// The size of an image in whole pixels.
public struct ImageSize: Equatable, Hashable, Sendable {
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// A size of `width` columns and `height` rows.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Width times height.
  ///
  /// - Precondition: The product is an `Int`, as for each size that `validate` accepts.
  package var pixelCount: Int { width * height }

  /// Throws `.invalidSize` unless each side is at least 1 and within `ImageLimits`.
  package func validate() throws(ImageError) {
    guard ImageLimits.allow(width, height) else {
      throw .invalidSize(width: width, height: height)
    }
  }
}
