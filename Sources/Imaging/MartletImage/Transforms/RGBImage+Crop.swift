//===--- RGBImage+Crop.swift - crops of whole pixels ----------------------===//
//
// Cost      One copy of the result's rows.
// Checked   Tests/MartletImageTests/CropTests.swift
//===----------------------------------------------------------------------===//

extension RGBImage {
  /// The pixels of `rectangle`.
  ///
  /// - Throws: `ImageError.rectangleOutsideImage` if it is empty or not inside the image.
  public func cropped(to rectangle: PixelRectangle) throws(ImageError) -> RGBImage {
    guard rectangle.isInside(size) else { throw .rectangleOutsideImage(rectangle, size) }
    return copy(rectangle)
  }

  /// The pixels of `rectangle`, clipped to the image; `nil` if they do not overlap.
  public func croppedClipping(to rectangle: PixelRectangle) -> RGBImage? {
    rectangle.clipped(to: size).map(copy)
  }

  private func copy(_ rectangle: PixelRectangle) -> RGBImage {
    let result = ImageSize(width: rectangle.width, height: rectangle.height)
    return pixels.withUnsafeBufferPointer { input in
      RGBImage(checkedSize: result) { output in
        guard let base = input.baseAddress else { return }
        for y in 0..<result.height {
          let source = base + ((rectangle.y + y) * width + rectangle.x) * 3
          (output + y * result.width * 3).update(from: source, count: result.width * 3)
        }
      }
    }
  }
}
