//===--- RGBImage+Enlarge.swift - enlarging by repeated pixels ------------===//
//
// Cost      One pass over the result.
// Checked   Tests/MartletImageTests/EnlargeTests.swift
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
    return pixels.withUnsafeBufferPointer { input in
      RGBImage(checkedSize: larger) { output in
        for y in 0..<larger.height {
          for x in 0..<larger.width {
            let source = ((y / factor) * width + x / factor) * 3
            let target = (y * larger.width + x) * 3
            for channel in 0..<3 { output[target + channel] = input[source + channel] }
          }
        }
      }
    }
  }
}
