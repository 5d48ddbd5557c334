//===--- RGBImage+Enlarge.swift - enlarging by repeated pixels ------------===//
//
// Cost      One pass over the result.
//===----------------------------------------------------------------------===//

extension RGBImage {
  /// The image with each pixel repeated `factor` times in both directions.
  ///
  /// - Precondition: `factor` is positive, and the result has at most `ImageLimits.maximumPixels`
  ///   pixels.
  package func enlarged(by factor: Int) -> RGBImage {
    precondition(factor > 0, "an image is enlarged by one or more")
    guard factor > 1 else { return self }
    let larger = ImageSize(width: width * factor, height: height * factor)
    precondition(larger.pixelCount <= ImageLimits.maximumPixels, "an image has a largest size")
    var result: [UInt8] = []
    result.reserveCapacity(larger.pixelCount * RGBImage.channels)
    for y in 0..<height {
      let start = result.count
      for x in 0..<width {
        let color = self[x, y]
        for _ in 0..<factor {
          result.append(color.red)
          result.append(color.green)
          result.append(color.blue)
        }
      }
      let row = Array(result[start...])
      for _ in 1..<factor { result += row }
    }
    return RGBImage(checkedSize: larger, pixels: result)
  }
}
