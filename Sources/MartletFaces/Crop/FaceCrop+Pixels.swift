//===--- FaceCrop+Pixels.swift - the pixels of a turned square ------------===//
//
// A square of more than twice the size that is requested is taken from an image reduced by powers of two,
// each pixel the mean of those that it stands for; then pixel (i, j) is read, bilinearly, at the point
// ((i + 0.5) / size, (j + 0.5) / size) of the crop.
//
// Contract  Black beyond the image. Any crop will do, of any numbers.
// Cost      The reduction of the part of the image around the square, and four pixels for each of the result.
// Checked   Tests/MartletFacesTests/FaceCropPixelsTests.swift
//===----------------------------------------------------------------------===//

package import MartletImage

extension FaceCrop {
  /// The pixels of the crop, `size` times `size`, or their mirror image; the size is at least 1.
  package func pixels(
    of picture: RGBImage, size: Int, isMirrored: Bool = false
  ) throws(ImageError) -> RGBImage {
    let size = ImageSize(width: size, height: size)
    try size.validate()
    guard let part = try part(of: picture, for: size.width) else {
      return try RGBImage(
        width: size.width, height: size.height, filledWith: .init(red: 0, green: 0, blue: 0))
    }
    let pixels = part.pixels(of: self, size: size.width, isMirrored: isMirrored)
    return RGBImage(checkedSize: size, pixels: pixels)
  }

  /// The part of an image around the crop, reduced to at most twice `size` where the image is large enough;
  /// `nil` if none of the image is in the crop.
  private func part(of picture: RGBImage, for size: Int) throws(ImageError) -> ReducedPart? {
    var factor = 1
    let least = min(picture.width, picture.height)
    while side > 2 * Float(size * factor), least >= 2 * factor { factor *= 2 }
    // Half the extent of the turned square, and one pixel for those that are read beside it.
    let reach = side / Float(factor) * (across.x.magnitude + across.y.magnitude) / 2 + 1
    let middle = Point(center.vector / Float(factor))
    let reduced = ImageSize(width: picture.width / factor, height: picture.height / factor)
    guard
      let part = PixelRectangle(
        covering: Box(center: middle, width: 2 * reach, height: 2 * reach), in: reduced)
    else { return nil }
    let origin = SIMD2(Float(part.x), Float(part.y))
    if factor == 1 {
      return ReducedPart(image: picture, area: part, origin: origin, factor: 1)
    }
    let image = try picture.resized(
      from: part.box.scaled(Float(factor), Float(factor)),
      to: ImageSize(width: part.width, height: part.height), method: .area)
    let area = PixelRectangle(x: 0, y: 0, width: image.width, height: image.height)
    return ReducedPart(image: image, area: area, origin: origin, factor: Float(factor))
  }
}

/// A part of a reduced image.
private struct ReducedPart {
  let image: RGBImage
  /// Where it lies in the image.
  let area: PixelRectangle
  /// Its first column and row in the reduced image.
  let origin: SIMD2<Float>
  /// How many of the image's pixels are one of these, in a row.
  let factor: Float

  /// The bytes of a crop, or of its mirror image.
  func pixels(of crop: FaceCrop, size: Int, isMirrored: Bool) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 3 * size * size)
    let step = crop.side / factor / Float(size)
    let (right, down) = (crop.turn([step, 0]), crop.turn([0, step]))
    let half = Float(size - 1) / 2
    let first = crop.center.vector / factor - origin - 0.5 - half * (right + down)
    let pixels = image.pixels.span
    var index = 0
    for j in 0..<size {
      let start = first + Float(j) * down
      for column in 0..<size {
        let i = isMirrored ? size &- 1 &- column : column
        let color = color(at: start + Float(i) * right, pixels)
        bytes[index] = color.x
        bytes[index &+ 1] = color.y
        bytes[index &+ 2] = color.z
        index &+= 3
      }
    }
    return bytes
  }

  /// The color between four pixels; whole numbers are pixels' middles.
  @inline(__always)
  private func color(at place: SIMD2<Float>, _ pixels: Span<UInt8>) -> SIMD4<UInt8> {
    let limit = (x: area.width, y: area.height)
    guard place.x > -1, place.y > -1, place.x < Float(limit.x), place.y < Float(limit.y) else {
      return .zero
    }
    // Neither is under -1, so the conversions are of small numbers not below zero. A sum may be rounded up to
    // the next whole number.
    let (column, row) = (Int(place.x + 1) &- 1, Int(place.y + 1) &- 1)
    let share = (x: max(place.x - Float(column), 0), y: max(place.y - Float(row), 0))
    let start = 3 &* ((area.y &+ row) &* image.width &+ area.x &+ column)
    let below = start &+ 3 &* image.width
    // Nearly everywhere all four pixels are in the part, and one byte behind them in the image.
    if column >= 0, row >= 0, column &+ 1 < limit.x, row &+ 1 < limit.y, below &+ 7 <= pixels.count
    {
      return ReducedPart.mean(
        of: pixels.color(at: start), pixels.color(at: start &+ 3),
        pixels.color(at: below), pixels.color(at: below &+ 3), share.x, share.y)
    }
    @inline(__always) func pixel(_ column: Int, _ row: Int) -> SIMD4<Float> {
      guard column >= 0, row >= 0, column < limit.x, row < limit.y else { return .zero }
      let start = 3 &* ((area.y &+ row) &* image.width &+ area.x &+ column)
      return SIMD4(Float(pixels[start]), Float(pixels[start &+ 1]), Float(pixels[start &+ 2]), 0)
    }
    return ReducedPart.mean(
      of: pixel(column, row), pixel(column &+ 1, row), pixel(column, row &+ 1),
      pixel(column &+ 1, row &+ 1), share.x, share.y)
  }

  /// The mean of two by two colors, of which the right ones count `x` and the lower ones `y`.
  @inline(__always)
  private static func mean(
    of first: SIMD4<Float>, _ second: SIMD4<Float>, _ third: SIMD4<Float>, _ fourth: SIMD4<Float>,
    _ x: Float, _ y: Float
  ) -> SIMD4<UInt8> {
    let above = first * (1 - x) + second * x
    let below = third * (1 - x) + fourth * x
    return (above * (1 - y) + below * y + 0.5).bytes
  }
}

extension Span<UInt8> {
  /// The pixel that begins at this byte; the fourth number is the byte behind it. Any four bytes are
  /// numbers, and the span checks its bounds.
  @inline(__always)
  fileprivate func color(at start: Int) -> SIMD4<Float> {
    let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt32.self)
    let color = unsafe unsafeBitCast(word, to: SIMD4<UInt8>.self)
    return SIMD4(SIMD4<Int32>(truncatingIfNeeded: color))
  }
}

extension SIMD4<Float> {
  /// The whole parts of numbers from zero to below 256.
  ///
  /// From 2²³ on floats are whole numbers, whose last bits are the number's own. What was rounded up is one
  /// too many.
  @inline(__always)
  fileprivate var bytes: SIMD4<UInt8> {
    let large = self + 0x1p23
    // A float's bits are a number, whichever they are.
    let bits = unsafe unsafeBitCast(large, to: SIMD4<Int32>.self)
    return SIMD4<UInt8>(
      truncatingIfNeeded: bits.replacing(with: bits &- 1, where: large - 0x1p23 .> self))
  }
}
