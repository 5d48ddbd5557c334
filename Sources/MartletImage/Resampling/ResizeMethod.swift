//===--- ResizeMethod.swift - the ways to another size --------------------===//
//
// Checked   Tests/MartletImageTests/ResizeTests.swift
//===----------------------------------------------------------------------===//

/// How an image is brought to another size.
public enum ResizeMethod: Equatable, Hashable, Sendable, CaseIterable {
  /// A triangle filter, widened when shrinking so that every pixel counts: Pillow's
  /// `Image.BILINEAR` bit for bit. Used before networks.
  case antialiased
  /// The mean of the area that each pixel covers, edges by their share. For shrinking; enlarged
  /// pixels stay squares.
  case area
  /// Two by two pixels around each half-pixel center, however much the image shrinks: the sampling
  /// of TensorFlow Lite's image processing (libyuv's `kFilterBilinear` in the C++ library,
  /// `createScaledBitmap` with filtering on Android) when it makes an image smaller.
  ///
  /// libyuv weighs in 1/128 and 1/256, so a byte may differ by one or two; when enlarging it
  /// places the first and last samples on the centers of the edge pixels instead.
  case bilinear
}
