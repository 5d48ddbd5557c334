//===--- CustomObjectDetectorOptions+Remote.swift - remote classifiers ----===//
//
// Checked   Tests/MartletHostingTests/RemoteDetectorTests.swift, Tests/MartletUsageTests
//===----------------------------------------------------------------------===//

public import Martlet

extension CustomObjectDetectorOptions {
  /// Options for a stream, one object, without classification: set `shouldEnableClassification`, or
  /// the model is not used.
  ///
  /// A detector uses the version that is in use at its first image. If there is none, the error is
  /// `VisionError.notDownloaded`, whether objects are classified or not.
  ///
  /// - Parameter manager: The manager of the model; the shared one by default.
  public convenience init(
    remoteModel: CustomRemoteModel, manager: ModelManager = .modelManager()
  ) {
    self.init(localModel: manager.localModel(of: remoteModel))
  }
}
