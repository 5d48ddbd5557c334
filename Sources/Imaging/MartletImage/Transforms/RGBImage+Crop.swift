//===--- RGBImage+Crop.swift - crops of whole pixels ----------------------===//
//
// Cost      One copy of the result's rows.
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
    var rows: [UInt8] = []
    rows.reserveCapacity(result.pixelCount * RGBImage.channels)
    for y in rectangle.y..<rectangle.y + rectangle.height {
      let start = (y * width + rectangle.x) * RGBImage.channels
      rows += pixels[start..<start + result.width * RGBImage.channels]
    }
    return RGBImage(checkedSize: result, pixels: rows)
  }
}
