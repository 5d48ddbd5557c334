//===--- ImageLimits.swift - size limits of images ------------------------===//
//
// Contract  Sides and pixels are limited so that no product of sides, channels and bytes of a valid
//           image overflows. The caller sets how much memory a file may use.
// Checked   Tests/MartletImageTests/PixelBufferTests.swift
//===----------------------------------------------------------------------===//

/// The size limits of images, and the memory limit for decoding a file.
public struct ImageLimits: Sendable, Hashable {
  /// The longest side in pixels.
  public static let maximumSide = 1 << 20
  /// The maximum number of pixels in an image: 1.5 GiB as RGB.
  public static let maximumPixels = 1 << 29
  /// The default of `memory` in bytes: 256 MiB. This is enough for a JPEG of 80 million pixels, or
  /// a progressive one of 40 million with subsampled chroma. Reduced for detection, a JPEG, PNG or TIFF
  /// in strips may have 268 million pixels, the maximum of a file.
  public static let defaultMemory = 256 << 20

  /// The maximum number of bytes in use while an image is decoded: the file, its RGB pixels and the
  /// decoder's buffers. Turning the image upright allocates its pixels once more.
  public var memory: Int

  /// The size in bytes of the file that is being decoded, which counts towards `memory`.
  package var fileByteCount = 0

  /// Limits for image files.
  public init(memory: Int = defaultMemory) { self.memory = memory }
}
