//===--- DetectorInput.swift - how a detector takes images ----------------===//
//
// Families of detectors differ in how an image becomes their input: stretched, or scaled with bars;
// red or blue first; pixels of 0–255, shares, or normalized ones.
//
// Contract  The pixels' range is that of the caller, else of the metadata, else that to which the
//           network quantizes its input if it is one of three usual ones, else the family's.
// Source    Ultralytics 8.4 `data/augment.py`; YOLOX `data/data_augment.py`; NanoDet
//           `data/transform/warp.py`; MediaPipe `image_to_tensor_calculator.cc`.
//===----------------------------------------------------------------------===//

/// How a family of detectors takes images.
struct DetectorInput: Sendable, Hashable {
  enum Fit: Sendable {
    /// The image fills the input; its aspect ratio changes.
    case stretched
    /// The image keeps its aspect ratio; bars on both sides fill the rest.
    case centered
    /// The image keeps its aspect ratio and is at the top left.
    case topLeft
  }

  let fit: Fit
  /// Whether the first channel is blue.
  var isBGR = false
  /// The values of pixels in a float input, and in a quantized one with a scale; in the order of the
  /// input's channels. `nil` means (x - 127.5) / 127.5, and the bytes as they are in a quantized one.
  var normalization: PixelNormalization?
  /// The color of bars.
  var bars = RGBImage.Color(red: 114, green: 114, blue: 114)
  /// The filter with which the family resizes.
  var method = ResizeMethod.bilinear

  /// SSD.
  static var stretched: DetectorInput { DetectorInput(fit: .stretched, method: .antialiased) }
  /// FOMO.
  static var stretchedShares: DetectorInput {
    DetectorInput(fit: .stretched, normalization: .shares, method: .antialiased)
  }
  /// Darknet's models.
  static var grids: DetectorInput { DetectorInput(fit: .stretched, normalization: .shares) }
  /// Ultralytics' models.
  static var letterboxed: DetectorInput { DetectorInput(fit: .centered, normalization: .shares) }
  /// YOLOX.
  static var yolox: DetectorInput {
    DetectorInput(fit: .topLeft, isBGR: true, normalization: .bytes)
  }
  /// NanoDet. Bars are the mean color, which becomes 0.
  static var nanoDet: DetectorInput {
    DetectorInput(
      fit: .centered, isBGR: true,
      normalization: try? PixelNormalization(
        mean: [103.53, 116.28, 123.675], deviation: [57.375, 57.12, 58.395]),
      bars: .init(red: 124, green: 116, blue: 104))
  }
  /// BlazeFace.
  static var blazeFace: DetectorInput {
    DetectorInput(fit: .centered, bars: .init(red: 0, green: 0, blue: 0), method: .antialiased)
  }

  /// In words.
  var description: String {
    let fit =
      switch fit {
      case .stretched: "stretched"
      case .centered: "scaled with bars"
      case .topLeft: "scaled, at the top left"
      }
    return "images are \(fit)" + (isBGR ? ", blue first" : "")
  }
}

extension PixelNormalization {
  /// x / 255.
  static var shares: PixelNormalization? { try? PixelNormalization(mean: [0], deviation: [255]) }
  /// x.
  static var bytes: PixelNormalization? { try? PixelNormalization(mean: [0], deviation: [1]) }
  /// (x - 127.5) / 127.5.
  static var symmetric: PixelNormalization? {
    try? PixelNormalization(mean: [127.5], deviation: [127.5])
  }

  /// The usual normalization of pixels with about this range of values; `nil` if it is no usual one.
  static func usual(_ range: ClosedRange<Float>) -> PixelNormalization? {
    let (lower, upper) = (range.lowerBound, range.upperBound)
    if upper - lower > 128 { return bytes }
    if abs(lower + 1) < 0.1, abs(upper - 1) < 0.1 { return symmetric }
    if abs(lower) < 0.1, abs(upper - 1) < 0.1 { return shares }
    return nil
  }
}

/// Where an image lies in a network's input.
struct InputPlacement: Sendable, Hashable {
  /// The part of the input that the image fills, in pixels of the input.
  let content: PixelRectangle
  /// The pixels of the input for each pixel of the image.
  let scaleX, scaleY: Float

  /// The placement of an image of `width` times `height` pixels.
  init(_ fit: DetectorInput.Fit, width: Float, height: Float, in input: ImageSize) {
    let (columns, rows) = (Float(input.width), Float(input.height))
    guard fit != .stretched else {
      content = PixelRectangle(x: 0, y: 0, width: input.width, height: input.height)
      (scaleX, scaleY) = (columns / width, rows / height)
      return
    }
    let scale = min(columns / width, rows / height)
    func side(_ length: Float, _ limit: Int) -> Int {
      let rounding: FloatingPointRoundingRule = fit == .topLeft ? .down : .toNearestOrEven
      return min(max(Int((length * scale).rounded(rounding)), 1), limit)
    }
    let (contentWidth, contentHeight) = (side(width, input.width), side(height, input.height))
    // An odd rest leaves the larger bar at the right or at the bottom.
    content = PixelRectangle(
      x: fit == .topLeft ? 0 : (input.width - contentWidth) / 2,
      y: fit == .topLeft ? 0 : (input.height - contentHeight) / 2, width: contentWidth,
      height: contentHeight)
    (scaleX, scaleY) = (scale, scale)
  }

  /// The box in pixels of the image, clipped to it, of a box in units of the input's sides.
  func pixels(of box: RelativeBox, in input: ImageSize, image: ImageSize) -> Box {
    let (left, top) = (Float(content.x), Float(content.y))
    let (columns, rows) = (Float(input.width), Float(input.height))
    return Box(
      minX: (box.minX * columns - left) / scaleX, minY: (box.minY * rows - top) / scaleY,
      maxX: (box.maxX * columns - left) / scaleX, maxY: (box.maxY * rows - top) / scaleY
    ).clipped(toWidth: Float(image.width), height: Float(image.height))
  }
}

extension RGBImage {
  /// An image of `size` in one color, with this image at the place of `content`, whose size is the
  /// same.
  func placed(
    at content: PixelRectangle, in size: ImageSize, on color: RGBImage.Color
  ) throws(ImageError) -> RGBImage {
    var canvas = try RGBImage(width: size.width, height: size.height, filledWith: color)
    let rowBytes = 3 * width
    canvas.withUnsafeMutablePixels { bytes in
      pixels.withUnsafeBufferPointer { source in
        for row in 0..<min(height, size.height - content.y) {
          let start = 3 * ((content.y + row) * size.width + content.x)
          for byte in 0..<min(rowBytes, 3 * (size.width - content.x)) {
            bytes[start + byte] = source[row * rowBytes + byte]
          }
        }
      }
    }
    return canvas
  }
}
