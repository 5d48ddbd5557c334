//===--- ImageError.swift - why pixels could not become an image ----------===//
//
// Contract  Each case carries the numbers that disagree; none holds free text,
//           so a test can expect exactly one.
// Checked   the suites of each operation that throws
//===----------------------------------------------------------------------===//

/// Why pixels, a rectangle or a normalization were refused.
public enum ImageError: Error, Equatable, Hashable, Sendable {
  /// A side is below one, above `ImageLimits.maximumSide`, or both together pass
  /// `ImageLimits.maximumPixels`.
  case invalidSize(width: Int, height: Int)
  /// The format has `expected` planes, but `count` were given.
  case wrongPlaneCount(count: Int, expected: Int)
  /// Rows of plane `plane` lie `bytesPerRow` apart but hold `needed` bytes.
  case rowTooShort(plane: Int, bytesPerRow: Int, needed: Int)
  /// Plane `plane` (or the whole buffer, `plane` zero) holds `count` bytes of `needed`.
  ///
  /// `needed` is `Int.max` where rows and distance multiply past an integer's range.
  case tooFewBytes(plane: Int, count: Int, needed: Int)
  /// A packed image of this size has `expected` bytes, but `count` were given.
  case wrongByteCount(count: Int, expected: Int)
  /// The rectangle is empty or leaves the image.
  case rectangleOutsideImage(PixelRectangle, ImageSize)
  /// The box is empty, not finite, or leaves the image.
  case boxOutsideImage(Box, ImageSize)
  /// A normalization takes one value for all channels or three, and as many of each.
  case wrongNormalizationCount(means: Int, deviations: Int)
  /// The standard deviation of `channel` is not a finite number above zero.
  case invalidDeviation(channel: Int, value: Float)
  /// The buffer to write holds `count` elements, the image `expected`.
  case wrongDestinationCount(count: Int, expected: Int)
}

extension ImageError: CustomStringConvertible {
  /// One plain sentence.
  public var description: String {
    switch self {
    case .invalidSize(let width, let height):
      "an image cannot be \(width) by \(height) pixels"
    case .wrongPlaneCount(let count, let expected):
      "the pixel format has \(expected) planes, not \(count)"
    case .rowTooShort(let plane, let bytesPerRow, let needed):
      "a row of plane \(plane) holds \(needed) bytes, but rows lie \(bytesPerRow) apart"
    case .tooFewBytes(let plane, let count, let needed):
      "plane \(plane) needs \(needed) bytes, but has \(count)"
    case .wrongByteCount(let count, let expected):
      "a packed image of this size has \(expected) bytes, not \(count)"
    case .rectangleOutsideImage(let r, let size):
      "the rectangle \(r.x),\(r.y) \(r.width)x\(r.height) is not inside "
        + "the image of \(size.width)x\(size.height)"
    case .boxOutsideImage(_, let size):
      "the box is empty or not inside the image of \(size.width)x\(size.height)"
    case .wrongNormalizationCount(let means, let deviations):
      "a normalization takes one or three means and deviations, not \(means) and \(deviations)"
    case .invalidDeviation(let channel, _):
      "the standard deviation of channel \(channel) is not above zero"
    case .wrongDestinationCount(let count, let expected):
      "the destination holds \(count) elements, but the image has \(expected)"
    }
  }
}
