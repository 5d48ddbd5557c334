//===--- FirebaseGeneration.swift - Firebase ML's names -------------------===//
//
// Firebase ML's names for the same API.
//===----------------------------------------------------------------------===//

public import Foundation

extension CustomRemoteModel {
  /// The model with this name in the Firebase console.
  public convenience init(name: String) {
    self.init(remoteModelSource: FirebaseModelSource(name: name))
  }
}

extension ModelManager {
  /// The shared manager; the argument, a `FirebaseApp` or anything else, is ignored. The
  /// configuration names the Firebase project.
  public static func modelManager(app: AnyObject) -> ModelManager { modelManager() }
}

extension Notification.Name {
  /// The same notification as `mlkitModelDownloadDidSucceed`.
  public static let firebaseMLModelDownloadDidSucceed = mlkitModelDownloadDidSucceed
  /// The same notification as `mlkitModelDownloadDidFail`.
  public static let firebaseMLModelDownloadDidFail = mlkitModelDownloadDidFail
}
