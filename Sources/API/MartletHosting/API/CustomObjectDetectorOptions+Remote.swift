//===--- CustomObjectDetectorOptions+Remote.swift - remote classifiers ----===//

public import MartletMLKit

extension CustomObjectDetectorOptions {
  /// Options for a stream of the most prominent object, without classification. The model is used
  /// only if `shouldEnableClassification` is set.
  ///
  /// Blocks the calling thread, as ``ModelManager/localModel(of:)`` does.
  ///
  /// A detector uses the version that is in use at its first image. If there is none, it throws
  /// `VisionError.notDownloaded`, even without classification.
  ///
  /// - Parameter manager: The manager of the model; the shared one by default.
  public convenience init(
    remoteModel: CustomRemoteModel, manager: ModelManager = .modelManager()
  ) {
    self.init(localModel: manager.localModel(of: remoteModel))
  }
}
