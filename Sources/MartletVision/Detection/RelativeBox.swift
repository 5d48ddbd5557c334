//===--- RelativeBox.swift - a box in shares of an image ------------------===//
//
// What networks give, whatever the size of the image that they have looked at.
//
// Contract  Becomes pixels once: everything behind the networks speaks of pixels.
// Checked   Tests/MartletVisionTests/SaliencyMapTests.swift
//===----------------------------------------------------------------------===//

/// A box whose sides are shares of an image's width and height, 0...1.
struct RelativeBox {
  let minX, minY, maxX, maxY: Float

  /// Whether the box covers nothing.
  var isEmpty: Bool { !(maxX - minX > 0 && maxY - minY > 0) }

  /// The box in pixels of an image, of which it does not leave.
  func pixels(of size: ImageSize) -> Box {
    let (width, height) = (Float(size.width), Float(size.height))
    return Box(
      x: minX * width, y: minY * height, width: (maxX - minX) * width,
      height: (maxY - minY) * height
    ).clipped(toWidth: width, height: height)
  }
}
