//===--- ImageSize.swift - columns and rows -------------------------------===//
//
// Contract  Any two integers until `validate` has passed; within ImageLimits after.
// Checked   Tests/MartletImageTests/PixelBufferTests.swift
//===----------------------------------------------------------------------===//

/// The extent of an image in whole pixels.
public struct ImageSize: Equatable, Hashable, Sendable {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// A size of `width` columns and `height` rows.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Columns times rows; meaningful after the size has been validated.
  package var pixelCount: Int { width &* height }

  /// Throws unless an image of this size can exist: each side at least one and within
  /// `ImageLimits`.
  package func validate() throws(ImageError) {
    let sides = 1...ImageLimits.maximumSide
    guard sides.contains(width), sides.contains(height),
      pixelCount <= ImageLimits.maximumPixels
    else { throw .invalidSize(width: width, height: height) }
  }
}
