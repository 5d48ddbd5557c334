//===--- RelativeBox.swift - box relative to an image ---------------------===//
//
// The output of networks, independent of the image's size.
//
// Contract  Converted to pixels once, directly after the network.
//===----------------------------------------------------------------------===//

/// A box in units of an image's width and height, 0...1.
struct RelativeBox {
  let minX, minY, maxX, maxY: Float

  /// Whether the box has no area.
  var isEmpty: Bool { !(maxX - minX > 0 && maxY - minY > 0) }

  /// Returns the box in pixels, clipped to the image.
  func pixels(of size: ImageSize) -> Box {
    let (width, height) = (Float(size.width), Float(size.height))
    return Box(
      x: minX * width, y: minY * height, width: (maxX - minX) * width,
      height: (maxY - minY) * height
    ).clipped(toWidth: width, height: height)
  }
}
