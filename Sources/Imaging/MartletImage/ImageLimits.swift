//===--- ImageLimits.swift - size limits of images ------------------------===//
//
// Contract  Sides and pixels are limited so that no product of sides, channels and bytes of a valid
//           image overflows. The caller sets how much memory a file may use.
//===----------------------------------------------------------------------===//

/// The size limits of images, and the memory limit for decoding a file.
///
/// ```swift
/// let limits = ImageLimits(memory: 64 << 20)
/// let image = try ImageFile(decoding: bytes, limits: limits).upright
/// ```
public struct ImageLimits: Sendable, Hashable {
  /// The longest side in pixels.
  public static let maximumSide = 1 << 20
  /// The maximum number of pixels in an image: 2²⁹, 1.5 GiB as RGB. If `Int` has 32 bits, half as
  /// many.
  public static let maximumPixels = maximumPixels(Int.self)
  /// The default of `memory` in bytes: 256 MiB. This is enough for a JPEG of 80 million pixels, or
  /// a progressive one of 40 million with subsampled chroma. A JPEG, PNG or TIFF in strips that is
  /// reduced for detection may have 268 million pixels, the maximum of a file.
  public static let defaultMemory = 256 << 20

  /// The maximum number of bytes in use while an image is decoded: the file, its RGB pixels and the
  /// decoder's buffers. Turning the image upright allocates its pixels once more.
  public var memory: Int

  /// The size in bytes of the file that is being decoded, which counts towards `memory`.
  package var fileByteCount = 0

  /// Limits for image files.
  public init(memory: Int = defaultMemory) { self.memory = memory }

  /// Whether both sides are at least 1 and within the limits.
  static func allow<Count: FixedWidthInteger>(_ width: Count, _ height: Count) -> Bool {
    let sides = 1...Count(maximumSide)
    guard sides.contains(width), sides.contains(height) else { return false }
    return Area.samples(width, height).map { $0 <= maximumPixels(Count.self) } ?? false
  }

  /// The maximum number of pixels if sizes are of type `Count`: seven bytes per pixel do not exceed
  /// 32 bits.
  private static func maximumPixels<Count: FixedWidthInteger>(_: Count.Type) -> Count {
    Count.bitWidth > 32 ? 1 << 29 : 1 << 28
  }
}
