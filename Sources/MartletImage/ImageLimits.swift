//===--- ImageLimits.swift - size limits of images ------------------------===//
//
// Contract  Sides and pixels are chosen so that no product of sides, channels and bytes of a valid
//           image overflows. How much memory a file may ask for is the caller's to say.
// Checked   Tests/MartletImageTests/PixelBufferTests.swift
//===----------------------------------------------------------------------===//

/// The largest images that the package handles, and the memory that one image file may take.
public struct ImageLimits: Sendable, Hashable {
  /// The longest side in pixels.
  public static let maximumSide = 1 << 20
  /// The most pixels in one image: 1.5 GiB as RGB.
  public static let maximumPixels = 1 << 29
  /// The bytes that an image may take unless another number is given: 256 MiB, enough for a JPEG
  /// photograph of 80 million pixels, or a progressive one of 40 with
  /// halved colors.
  public static let defaultMemory = 256 << 20

  /// The bytes that decoding one image may take at once: the file, its pixels as RGB and whatever its
  /// format needs on the way. Turning the image upright takes its pixels once more.
  public var memory: Int

  /// The bytes of the file that is being decoded, which are part of `memory`.
  package var fileByteCount = 0

  /// Limits for image files.
  public init(memory: Int = defaultMemory) { self.memory = memory }
}
