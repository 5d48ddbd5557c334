//===--- ResizeMethod.swift - resampling filters --------------------------===//

/// The filter for resizing an image.
public enum ResizeMethod: Equatable, Hashable, Sendable, CaseIterable {
  /// A triangle filter, widened when shrinking so that every pixel contributes. Identical to
  /// Pillow's `Image.BILINEAR`, bit for bit. Used before networks.
  case antialiased
  /// The mean of the area that each output pixel covers; edge pixels are weighted by their covered
  /// fraction. Intended for shrinking; enlarging repeats pixels.
  case area
  /// Interpolates the 2 x 2 pixels around each sample point, however much the image shrinks. This
  /// is the sampling of TensorFlow Lite's image processing when it shrinks an image: libyuv's
  /// `kFilterBilinear` in the C++ library, `createScaledBitmap` with filtering on Android.
  ///
  /// libyuv's weights are in 1/128 and 1/256, so a byte may differ by one or two. When enlarging,
  /// libyuv places the first and last samples at the centers of the edge pixels instead.
  case bilinear
}
