//===--- FaceInputSizes.swift - input shapes of the face detector ---------===//
//
// The network is fully convolutional. A square input has unused rows or columns for most images; a wide or
// a high one of about the same area shows them larger.
//===----------------------------------------------------------------------===//

internal import MartletImage

/// The input sizes of a face detector.
struct FaceInputSizes: Sendable, Hashable {
  /// The coarsest stride of the network, by which sides are divisible.
  private static let stride = 32

  /// By decreasing preference.
  private let sizes: [ImageSize]

  /// The input size of the file, and a wide and a high one if that is square: the sides are 4/3 and 5/6 of its,
  /// rounded down.
  init(_ size: ImageSize) {
    func rounded(_ side: Int) -> Int { side / FaceInputSizes.stride * FaceInputSizes.stride }
    let (long, short) = (rounded(4 * size.width / 3), rounded(5 * size.width / 6))
    let others = [
      ImageSize(width: long, height: short), ImageSize(width: short, height: long),
    ]
    sizes = [size] + (size.width == size.height && short > 0 ? others : [])
  }

  /// Whether a rotated input has one of the sizes.
  var isRotatable: Bool { sizes[0].width == sizes[0].height }

  /// The size in which `part` of an image is largest.
  func size(for part: PixelRectangle) -> ImageSize {
    func scale(_ size: ImageSize) -> Double {
      min(
        Double(size.width) / Double(max(part.width, 1)),
        Double(size.height) / Double(max(part.height, 1)))
    }
    return sizes.dropFirst().reduce(sizes[0]) { scale($1) > scale($0) ? $1 : $0 }
  }
}
