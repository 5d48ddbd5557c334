//===--- Appearance.swift - appearance of an object -----------------------===//
//
// A descriptor of two parts of equal weight: the mean of the localizer's features over the box, and the
// square roots of a color histogram of its inner three quarters. The cosine of two descriptors tells the
// same object from others.
//
// Contract  Descriptors have unit length. Without features the descriptor is the histogram alone; without
//           pixels there is none, and every object looks the same.
// Order     Products are summed per lane, then halves are added.
// Cost      Four look-ups per channel, and at most 2,304 pixels.
//===----------------------------------------------------------------------===//

package import MartletImage

/// The descriptor of an object's appearance.
struct Appearance: Sendable {
  /// Features, then the histogram.
  private var values: [SIMD16<Float>]

  fileprivate init(_ values: [SIMD16<Float>]) { self.values = values }

  /// Whether there is a descriptor.
  var isKnown: Bool { !values.isEmpty }

  /// The cosine of both descriptors, -1...1; 1 if one is not known.
  func similarity(to other: Appearance) -> Float {
    guard isKnown, other.isKnown else { return 1 }
    guard values.count == other.values.count else { return 0 }
    var products = SIMD16<Float>.zero
    for index in values.indices { products += values[index] * other.values[index] }
    return products.total
  }

  /// Adds the descriptor of a new frame with weight `rate`.
  mutating func learn(_ other: Appearance, rate: Float) {
    if !isKnown { values = other.values }
    guard values.count == other.values.count else { return }
    var squares = SIMD16<Float>.zero
    for index in values.indices {
      values[index] = values[index] * (1 - rate) + other.values[index] * rate
      squares += values[index] * values[index]
    }
    let factor = 1 / max(squares.total.squareRoot(), 1e-6)
    for index in values.indices { values[index] *= factor }
  }
}

/// Describes the appearance of boxes in one frame.
package struct AppearanceReader {
  /// The number of levels of each color channel.
  private static let bins = 8
  /// The number of samples along each side of a box.
  private static let samples: Float = 48

  /// The size of the frame.
  let size: ImageSize
  /// The pixels; `nil` if only the boxes are known.
  private let image: RGBImage?
  /// The localizer's features of the frame; `nil` if a custom detector runs.
  private let features: FeatureMap?

  package init(_ image: RGBImage, features: FeatureMap?) {
    (size, self.image, self.features) = (image.size, image, features)
  }

  /// A reader of a frame without pixels, in which no appearance is known.
  init(_ size: ImageSize) {
    (self.size, image, features) = (size, nil, nil)
  }

  func appearance(of box: Box) -> Appearance {
    guard let image else { return Appearance([]) }
    let bins = AppearanceReader.bins
    let vectors = (features.map { $0.channels + 15 } ?? 0) / 16
    var values = [SIMD16<Float>](repeating: .zero, count: vectors + bins * bins * bins / 16)
    features?.forEachMean(of: box, in: size) { values[$0 / 16][$0 % 16] = $1 }
    let squares = values.reduce(SIMD16<Float>.zero) { $0 + $1 * $1 }
    let share: Float = vectors > 0 ? 0.5 : 1
    let factor = share.squareRoot() / max(squares.total.squareRoot(), 1e-6)
    for index in 0..<vectors { values[index] *= factor }
    let (counts, total) = AppearanceReader.colors(of: box, in: image)
    for (bin, count) in counts.enumerated() where count > 0 {
      values[vectors + bin / 16][bin % 16] = (share * Float(count) / Float(total)).squareRoot()
    }
    return Appearance(values)
  }

  /// The histogram of the sampled pixels, and their number.
  private static func colors(of box: Box, in image: RGBImage) -> (counts: [Int], total: Int) {
    let bins = AppearanceReader.bins
    var counts = [Int](repeating: 0, count: bins * bins * bins)
    let across = inner(box.x, box.width, side: image.width)
    let down = inner(box.y, box.height, side: image.height)
    var total = 0
    image.withUnsafePixels { pixels in
      for y in stride(from: down.first, to: down.end, by: down.step) {
        for x in stride(from: across.first, to: across.end, by: across.step) {
          let pixel = (y * image.width + x) * RGBImage.channels
          let (red, green, blue) = (pixels[pixel], pixels[pixel + 1], pixels[pixel + 2])
          counts[(Int(red >> 5) * 8 + Int(green >> 5)) * 8 + Int(blue >> 5)] += 1
          total += 1
        }
      }
    }
    return (counts, total)
  }

  /// The inner three quarters of a side, at least one pixel, and the distance of samples.
  private static func inner(
    _ start: Float, _ length: Float, side: Int
  ) -> (first: Int, end: Int, step: Int) {
    func pixel(_ position: Float, in range: ClosedRange<Int>) -> Int {
      // In this order the result is a number even if the position is none.
      Int(min(max(Float(range.lowerBound), position), Float(range.upperBound)))
    }
    let first = pixel(start + length / 8, in: 0...side - 1)
    let end = pixel(start + length * 7 / 8, in: first + 1...side)
    return (first, end, max(Int((Float(end - first) / samples).rounded()), 1))
  }
}
