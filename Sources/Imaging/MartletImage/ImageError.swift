//===--- ImageError.swift - errors of image operations --------------------===//
//
// Contract  Each case carries the numbers that disagree and no free text, so a test can expect
//           exactly one error.
//===----------------------------------------------------------------------===//

/// Why pixels, a rectangle or a normalization were rejected.
@nonexhaustive
public enum ImageError: Error, Equatable, Hashable, Sendable {
  /// A side is below 1 or above `ImageLimits.maximumSide`, or there are more than
  /// `ImageLimits.maximumPixels` pixels.
  case invalidSize(width: Int, height: Int)
  /// The format has `expected` planes, but `count` were passed.
  case wrongPlaneCount(count: Int, expected: Int)
  /// The distance of rows in `plane` is `bytesPerRow`, but a row needs `needed` bytes.
  case rowTooShort(plane: Int, bytesPerRow: Int, needed: Int)
  /// `plane` (0 for the whole buffer) has `count` bytes, but `needed` are required.
  ///
  /// `needed` is `Int.max` if the required size overflows an integer.
  case tooFewBytes(plane: Int, count: Int, needed: Int)
  /// A packed image of this size has `expected` bytes, but `count` were passed.
  case wrongByteCount(count: Int, expected: Int)
  /// The rectangle is empty or not inside the image.
  case rectangleOutsideImage(PixelRectangle, ImageSize)
  /// The box is empty, not finite, or not inside the image.
  case boxOutsideImage(Box, ImageSize)
  /// A normalization needs one or three means, and as many deviations.
  case wrongNormalizationCount(means: Int, deviations: Int)
  /// The standard deviation of `channel` is not a finite number above zero.
  case invalidDeviation(channel: Int, value: Float)
  /// The output buffer has `count` elements, but the image needs `expected`.
  case wrongDestinationCount(count: Int, expected: Int)
}

extension ImageError: CustomStringConvertible {
  /// One sentence that names the numbers found and expected.
  public var description: String {
    switch self {
    case .invalidSize(let width, let height):
      "invalid image size \(width) x \(height)"
    case .wrongPlaneCount(let count, let expected):
      "found \(count) planes, expected \(expected)"
    case .rowTooShort(let plane, let bytesPerRow, let needed):
      "plane \(plane) has \(bytesPerRow) bytes per row, expected at least \(needed)"
    case .tooFewBytes(let plane, let count, let needed):
      "plane \(plane) has \(count) bytes, expected at least \(needed)"
    case .wrongByteCount(let count, let expected):
      "the image has \(count) bytes, expected \(expected)"
    case .rectangleOutsideImage(let r, let size):
      "the rectangle \(r.x),\(r.y) \(r.width)x\(r.height) is not inside "
        + "the image of \(size.width)x\(size.height)"
    case .boxOutsideImage(_, let size):
      "the box is empty or not inside the image of \(size.width)x\(size.height)"
    case .wrongNormalizationCount(let means, let deviations):
      "found \(means) means and \(deviations) deviations, expected one or three of each"
    case .invalidDeviation(let channel, _):
      "the standard deviation of channel \(channel) is not positive"
    case .wrongDestinationCount(let count, let expected):
      "the destination has \(count) elements, expected \(expected)"
    }
  }
}
