//===--- Raster.swift - a decoded image -----------------------------------===//
//
// Contract  Samples are 8 bits, row-major from the top left, channels interleaved, rows without
//           padding. Colors are as stored in the file: alpha is not premultiplied, no color profile
//           is applied.
//===----------------------------------------------------------------------===//

public import struct MartletImage.ImageSize

/// A decoded image: 8-bit samples in rows from the top left, without padding.
public struct Raster: Equatable, Sendable {
  /// The number of columns.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The number of samples per pixel: 1 gray, 2 gray and alpha, 3 RGB, 4 RGBA (alpha not
  /// premultiplied).
  public let channels: Int
  /// `width * height * channels` samples; channel `c` of the pixel in column `x` and row `y` is at
  /// `(y * width + x) * channels + c`.
  public let samples: [UInt8]
  /// The EXIF orientation of the file, 1 to 8; 1 if it has none. The samples are as stored; the
  /// orientation is not applied.
  public let orientation: Int
  /// Damage that the decoder recovered from; empty for an intact file.
  public internal(set) var warnings: [DecodingWarning]
  /// The file's columns and rows: more than those of the samples if the decoder reduced the image.
  public internal(set) var fullSize: ImageSize
  /// The file's ICC profile; `nil` if it has none. It is not applied to the samples.
  public internal(set) var colorProfile: [UInt8]?

  /// An image with the given samples.
  ///
  /// - Precondition: `channels` is 1 to 4, `orientation` is 1 to 8, both sides are positive and
  ///   `samples` holds `width * height * channels` values.
  public init(
    width: Int, height: Int, channels: Int, samples: [UInt8], orientation: Int = 1,
    warnings: [DecodingWarning] = []
  ) {
    precondition(width > 0 && height > 0, "an image has at least one pixel")
    precondition((1...4).contains(channels), "a pixel has 1 to 4 samples")
    precondition((1...8).contains(orientation), "EXIF orientations are 1 to 8")
    precondition(samples.count == width * height * channels, "one sample for each channel")
    self.width = width
    self.height = height
    self.channels = channels
    self.samples = samples
    self.orientation = orientation
    self.warnings = warnings
    fullSize = ImageSize(width: width, height: height)
  }
}
