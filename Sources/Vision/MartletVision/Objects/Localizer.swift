//===--- Localizer.swift - the built-in localizer for images of any shape -===//
//
// The network is fully convolutional. For an image that is wider than high, or higher than wide, that
// side of its input is longer, so that objects keep their proportions.
//
// Contract  A network is prepared when the first image of its shape comes, and kept. Can be used from
//           any number of tasks at once, unless its lock is `none`.
// Cost      Prepares three networks at most.
// Source    Weights/localizer.md
//===----------------------------------------------------------------------===//

import MartletWeights

/// The built-in localizer. Unchecked because the lock guards the networks.
final class Localizer: @unchecked Sendable {
  /// The sides of the input in pixels.
  private static let (short, long) = (192, 256)
  /// The tensor that the heads read: 96 features for each cell of the finest level.
  private static let featureTensor = "functional_1_1/functional_1/add_27_1/Add"

  private let options: Interpreter.Options
  private let lock: Lock
  private var models: [ImageModel] = []

  init(options: Interpreter.Options, lock: Lock) {
    self.options = options
    self.lock = lock
  }

  /// The network for images of this size. Its outputs are followed by the features.
  ///
  /// - Complexity: Prepares the network for the first image of a shape; two tasks may do so at once.
  func model(for size: ImageSize) throws(VisionError) -> ImageModel {
    let inputSize = Localizer.inputSize(for: size)
    if let model = lock.withLock({ models.first { $0.inputSize == inputSize } }) { return model }
    let prepared = try ImageModel(
      bytes: FileBytes(ShippedModel.localizer.bytes), additionalOutput: Localizer.featureTensor,
      size: inputSize, options: options, lock: lock)
    return lock.withLock {
      if let model = models.first(where: { $0.inputSize == inputSize }) { return model }
      models.append(prepared)
      return prepared
    }
  }

  /// Frees the arenas that no run uses.
  func trim() {
    for model in lock.withLock({ models }) { model.trim() }
  }

  /// The size of the network's input for an image of `size`: square if its sides differ by at most 15 %.
  static func inputSize(for size: ImageSize) -> ImageSize {
    let (width, height) = (Int64(size.width), Int64(size.height))
    if 20 * width > 23 * height { return ImageSize(width: long, height: short) }
    if 20 * height > 23 * width { return ImageSize(width: short, height: long) }
    return ImageSize(width: short, height: short)
  }
}
