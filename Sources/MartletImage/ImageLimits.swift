//===--- ImageLimits.swift - size limits of images ------------------------===//
//
// Contract  Chosen so that no product of sides, channels and bytes of a valid image
//           overflows, and no size from a file makes an unbounded allocation.
// Checked   Tests/MartletImageTests/PixelBufferTests.swift
//===----------------------------------------------------------------------===//

/// The largest images that the package handles.
public enum ImageLimits {
  /// The longest side in pixels.
  public static let maximumSide = 1 << 20
  /// The most pixels in one image: 1.5 GiB as RGB.
  public static let maximumPixels = 1 << 29
}
