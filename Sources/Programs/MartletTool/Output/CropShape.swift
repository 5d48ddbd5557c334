//===--- CropShape.swift - what a crop of a box contains ------------------===//
//
// Contract  A crop has the requested aspect ratio unless the image is too small for it: at the edge of
//           the image it is moved inside.
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletVision

/// The options `--crop-margin` and `--crop-aspect`.
struct CropShape {
  static let options = [
    OptionSpecification(
      "--crop-margin", "X", needs: ["--save-crops"],
      help: "Margin around each crop, as a share of the box's sides (default: 0)"),
    OptionSpecification(
      "--crop-aspect", "W:H", needs: ["--save-crops"],
      help: "Extend each crop to this ratio, such as 1:1 (default: the box's)"),
  ]

  /// The margin on each edge, as a share of the side.
  let margin: Float
  /// The width divided by the height; `nil` for that of the box.
  let aspect: Float?

  init(margin: Float = 0, aspect: Float? = nil) { (self.margin, self.aspect) = (margin, aspect) }

  init(_ arguments: Arguments) throws(UsageError) {
    margin = try arguments.number("--crop-margin", in: 0...Float(10)) ?? 0
    guard let text = arguments["--crop-aspect"] else {
      aspect = nil
      return
    }
    let sides = text.split(separator: ":", omittingEmptySubsequences: false).map { Float($0) ?? 0 }
    guard sides.count == 2, sides.allSatisfy({ (0.001...1000).contains($0) }) else {
      throw .invalidValue(option: "--crop-aspect", value: text, expected: "W:H, such as 3:4")
    }
    aspect = sides[0] / sides[1]
  }

  /// The part of an image of this size to save for a box, which may exceed the image.
  func box(around frame: Box, in size: ImageSize) -> Box {
    if margin == 0, aspect == nil { return frame }
    var (width, height) = (frame.width * (1 + 2 * margin), frame.height * (1 + 2 * margin))
    if let aspect { (width, height) = (max(width, height * aspect), max(height, width / aspect)) }
    func start(_ center: Float, _ length: Float, _ whole: Int, isFixed: Bool) -> Float {
      let start = center - length / 2
      return isFixed ? start : min(max(start, 0), max(Float(whole) - length, 0))
    }
    let center = frame.center
    return Box(
      x: start(center.x, width, size.width, isFixed: aspect == nil),
      y: start(center.y, height, size.height, isFixed: aspect == nil), width: width, height: height)
  }
}
