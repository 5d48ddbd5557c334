//===--- Localizer.swift - the built-in localizer for images of any shape -===//
//
// The network is fully convolutional. For an image that is wider than high, or higher than wide, that
// side of its input is longer, so that objects keep their proportions.
//
// Contract  Can be used from any number of tasks at once, unless its lock is `none`.
// Cost      Prepares three networks at most, each for the first image of its shape.
// Source    Weights/localizer.md
//===----------------------------------------------------------------------===//

import MartletWeights

/// The built-in localizer.
final class Localizer: Sendable {
  /// The sides of the input in pixels.
  private static let (short, long) = (192, 256)
  /// The tensor that the heads read: 96 features for each cell of the finest level.
  private static let featureTensor = "functional_1_1/functional_1/add_27_1/Add"

  private let models: ImageModels

  init(options: Interpreter.Options, lock: Lock) {
    models = ImageModels(lock: lock) { size throws(VisionError) in
      try ImageModel(
        bytes: FileBytes(ShippedModel.localizer.bytes), additionalOutput: Localizer.featureTensor,
        size: size, options: options, lock: lock)
    }
  }

  /// The network for images of this size. Its outputs are followed by the features.
  func model(for size: ImageSize) throws(VisionError) -> ImageModel {
    try models.model(for: Localizer.inputSize(for: size))
  }

  /// Frees the arenas that no run uses.
  func trim() { models.trim() }

  /// The size of the network's input for an image of `size`: square if its sides differ by at most 15 %.
  static func inputSize(for size: ImageSize) -> ImageSize {
    let (width, height) = (Int64(size.width), Int64(size.height))
    if 20 * width > 23 * height { return ImageSize(width: long, height: short) }
    if 20 * height > 23 * width { return ImageSize(width: short, height: long) }
    return ImageSize(width: short, height: short)
  }
}
