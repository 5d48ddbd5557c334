//===--- FaceCrop+Pixels.swift - pixels of a rotated crop -----------------===//
//
// The image is first reduced by a power of two (area mean) to at most about twice the requested
// size. Then pixel (i, j) is sampled bilinearly at the crop's point ((i + 0.5) / size, (j + 0.5) /
// size).
//
// Contract  Black outside the image. Every crop is accepted, also one with non-finite numbers.
// Cost      Reducing the part of the image around the square, then four reads per output pixel.
//===----------------------------------------------------------------------===//

import MartletBase
package import MartletImage

extension FaceCrop {
  /// The pixels of the crop, `size` times `size`, optionally mirrored left to right. Throws
  /// `.invalidSize` if the size is below 1 or too large.
  package func pixels(
    of source: RGBImage, size: Int, isMirrored: Bool = false
  ) throws(ImageError) -> RGBImage {
    let size = ImageSize(width: size, height: size)
    try size.validate()
    guard let part = try part(of: source, for: size.width) else {
      return try RGBImage(
        width: size.width, height: size.height, filledWith: .init(red: 0, green: 0, blue: 0))
    }
    let pixels = part.pixels(of: self, size: size.width, isMirrored: isMirrored)
    return RGBImage(checkedSize: size, pixels: pixels)
  }

  /// The part of the image around the crop, reduced to at most twice `size` if the image is large
  /// enough; `nil` if the crop and the image do not overlap.
  private func part(of source: RGBImage, for size: Int) throws(ImageError) -> ReducedPart? {
    var factor = 1
    let least = min(source.width, source.height)
    while side > 2 * Float(size * factor), least >= 2 * factor { factor *= 2 }
    // Half the extent of the rotated square, plus one pixel for bilinear neighbors.
    let reach = side / Float(factor) * (across.x.magnitude + across.y.magnitude) / 2 + 1
    let middle = Point(center.vector / Float(factor))
    let reduced = ImageSize(width: source.width / factor, height: source.height / factor)
    guard
      let part = PixelRectangle(
        covering: Box(center: middle, width: 2 * reach, height: 2 * reach), in: reduced)
    else { return nil }
    let origin = SIMD2(Float(part.x), Float(part.y))
    if factor == 1 {
      return ReducedPart(image: source, area: part, origin: origin, factor: 1)
    }
    let image = try source.resized(
      from: part.box.scaled(Float(factor), Float(factor)),
      to: ImageSize(width: part.width, height: part.height), method: .area)
    let area = PixelRectangle(x: 0, y: 0, width: image.width, height: image.height)
    return ReducedPart(image: image, area: area, origin: origin, factor: Float(factor))
  }
}

/// A part of a reduced image.
private struct ReducedPart {
  let image: RGBImage
  /// The part's rectangle in `image`.
  let area: PixelRectangle
  /// The part's first column and row in the whole reduced image.
  let origin: SIMD2<Float>
  /// How many pixels of the original image one pixel spans, horizontally and vertically.
  let factor: Float

  /// The bytes of a crop, optionally mirrored.
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

  /// The bilinear color at a point; integer coordinates are pixel centers.
  @inline(__always)
  private func color(at place: SIMD2<Float>, _ pixels: Span<UInt8>) -> SIMD4<UInt8> {
    let limit = (x: area.width, y: area.height)
    guard place.x > -1, place.y > -1, place.x < Float(limit.x), place.y < Float(limit.y) else {
      return .zero
    }
    // Both coordinates are above -1, so the conversions yield small numbers not below zero. A sum
    // may be rounded up to the next integer.
    let (column, row) = (Int(place.x + 1) &- 1, Int(place.y + 1) &- 1)
    let share = (x: max(place.x - Float(column), 0), y: max(place.y - Float(row), 0))
    let start = 3 &* ((area.y &+ row) &* image.width &+ area.x &+ column)
    let below = start &+ 3 &* image.width
    // Fast path: all four pixels are in the part, and the image has a byte after the last.
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

  /// The weighted mean of 2 x 2 colors: `x` is the weight of the right ones, `y` of the lower ones.
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
  /// The pixel that begins at this byte; the fourth number is the byte after it. Any four bytes are
  /// valid numbers, and the span checks its bounds.
  @inline(__always)
  fileprivate func color(at start: Int) -> SIMD4<Float> {
    let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt32.self)
    let color = unsafe unsafeBitCast(word, to: SIMD4<UInt8>.self)
    return SIMD4(SIMD4<Int32>(truncatingIfNeeded: color))
  }
}

extension SIMD4<Float> {
  /// The integer parts of numbers in 0..<256.
  ///
  /// Floats from 2²³ on are integers, whose lowest bits are the number's own. If the addition
  /// rounded up, 1 is subtracted.
  @inline(__always)
  fileprivate var bytes: SIMD4<UInt8> {
    let large = self + 0x1p23
    // Any bits of a float are a valid integer.
    let bits = unsafe unsafeBitCast(large, to: SIMD4<Int32>.self)
    return SIMD4<UInt8>(
      truncatingIfNeeded: bits.replacing(with: bits &- 1, where: large - 0x1p23 .> self))
  }
}
