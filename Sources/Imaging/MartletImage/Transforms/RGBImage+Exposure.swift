//===--- RGBImage+Exposure.swift - brightening dark images ----------------===//
//
// Contract  An image is returned unchanged if more than 1 % of its pixels have a brightness of at
//           least 128. Otherwise all channels of all pixels are multiplied by one factor, which
//           brings the brightest 1 % to white.
// Cost      One pass to find the factor, which ends once the image is known to be bright, and a
//           second one for dark images.
//===----------------------------------------------------------------------===//

extension RGBImage {
  /// The image, brightened if it is dark.
  ///
  /// The brightness of a pixel is its largest channel. White is the brightness that at most 1 % of
  /// the pixels exceed. Black images, and images whose white is 128 or more, are returned
  /// unchanged.
  public func exposed() -> RGBImage {
    let onePercent = pixels.count / 300
    var counts = [Int](repeating: 0, count: 256)
    var bright = 0
    for pixel in stride(from: 0, to: pixels.count, by: 3) {
      let brightness = max(pixels[pixel], pixels[pixel + 1], pixels[pixel + 2])
      counts[Int(brightness)] += 1
      if brightness >= 128 { bright += 1 }
      if bright > onePercent { return self }
    }
    var white = 255
    var brighter = counts[255]
    while white > 0, brighter <= onePercent {
      white -= 1
      brighter += counts[white]
    }
    guard white > 0 else { return self }
    let curve = (0...255).map { UInt8(min(($0 * 255 + white / 2) / white, 255)) }
    return RGBImage(checkedSize: size, pixels: pixels.map { curve[Int($0)] })
  }
}
