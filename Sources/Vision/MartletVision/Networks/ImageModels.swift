//===--- ImageModels.swift - a network for images of several sizes --------===//
//
// Contract  A network is prepared for an input size when the first image needs it, and kept. Can be used
//           from any number of tasks at once, unless its lock is `none`.
//===----------------------------------------------------------------------===//

/// A fully convolutional network, prepared for each input size that is used. Unchecked because the lock
/// guards the networks.
final class ImageModels: @unchecked Sendable {
  private let prepare: @Sendable (ImageSize) throws(VisionError) -> ImageModel
  private let lock: Lock
  private var models: [ImageModel]

  /// Networks that `prepare` makes for a size of their input. `first` is one of them, if it is prepared.
  init(
    _ first: ImageModel? = nil, lock: Lock,
    prepare: @escaping @Sendable (ImageSize) throws(VisionError) -> ImageModel
  ) {
    models = first.map { [$0] } ?? []
    self.lock = lock
    self.prepare = prepare
  }

  /// The network with an input of this size.
  ///
  /// - Complexity: Prepares the network for the first image of a size; two tasks may do so at once.
  func model(for inputSize: ImageSize) throws(VisionError) -> ImageModel {
    if let model = lock.withLock({ models.first { $0.inputSize == inputSize } }) { return model }
    let prepared = try prepare(inputSize)
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
}
