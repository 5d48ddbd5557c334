//===--- CustomObjectDetectorOptions+Remote.swift - detectors of remote models ===//
//
// Checked   Tests/MartletHostingTests/RemoteDetectorTests.swift, Tests/MartletUsageTests
//===----------------------------------------------------------------------===//

public import Martlet

extension CustomObjectDetectorOptions {
  /// A stream, the most prominent object, no classification: set `shouldEnableClassification`, or
  /// the model is not used.
  ///
  /// A detector uses the version that is in use when it looks at its first image. Where none is there
  /// by then, that is the error, whether objects are classified or not: `VisionError.notDownloaded`.
  ///
  /// - Parameter manager: Who keeps the model: the manager that all share unless another is given.
  public convenience init(
    remoteModel: CustomRemoteModel, manager: ModelManager = .modelManager()
  ) {
    self.init(localModel: manager.localModel(of: remoteModel))
  }
}
