//===--- RGBImage+Exposure.swift - brighten a dark image ------------------===//
//
// Contract  An image of which more than a hundredth of the pixels are at least as bright as half of the
//           range is returned as it is. Any other is multiplied by one factor for all pixels and channels, the
//           one that brings its brightest hundredth to white.
// Cost      One pass to find the factor, a second one for dark images.
// Checked   Tests/MartletImageTests/ExposureTests.swift
//===----------------------------------------------------------------------===//

extension RGBImage {
  /// The image, brightened if it is dark.
  ///
  /// The brightness of a pixel is its largest channel. White is the brightness that at most one pixel in a hundred
  /// exceeds; an image in which it is 128 or more, and a black one, are not changed.
  public func exposed() -> RGBImage {
    var counts = [Int](repeating: 0, count: 256)
    for pixel in stride(from: 0, to: pixels.count, by: 3) {
      counts[Int(max(pixels[pixel], pixels[pixel + 1], pixels[pixel + 2]))] += 1
    }
    var white = 255
    var brighter = counts[255]
    while white > 0, brighter <= pixels.count / 300 {
      white -= 1
      brighter += counts[white]
    }
    guard (1..<128).contains(white) else { return self }
    let curve = (0...255).map { UInt8(min(($0 * 255 + white / 2) / white, 255)) }
    return RGBImage(checkedSize: size, pixels: pixels.map { curve[Int($0)] })
  }
}
