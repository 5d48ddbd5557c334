//===--- RemotePatterns.swift - remote model calls of apps ----------------===//

import Foundation
import MartletMLKit
import MartletHosting

/// Calls for hosted models, as ML Kit's documentation shows them.
enum RemotePatterns {
  static func download() -> (CustomRemoteModel, Progress) {
    let source = FirebaseModelSource(name: "birds")
    let remoteModel = CustomRemoteModel(remoteModelSource: source)
    let conditions = ModelDownloadConditions(
      allowsCellularAccess: true, allowsBackgroundDownloading: true)
    let progress: Progress = ModelManager.modelManager().download(
      remoteModel, conditions: conditions)
    return (remoteModel, progress)
  }

  static func options(
    _ remoteModel: CustomRemoteModel, _ localModel: LocalModel
  ) -> CustomObjectDetectorOptions {
    var options: CustomObjectDetectorOptions!
    if ModelManager.modelManager().isModelDownloaded(remoteModel) {
      options = CustomObjectDetectorOptions(remoteModel: remoteModel)
    } else {
      options = CustomObjectDetectorOptions(localModel: localModel)
    }
    return options
  }

  static func observe(
    succeeded: @escaping @Sendable () -> Void, failed: @escaping @Sendable (Any?) -> Void
  ) -> [any NSObjectProtocol] {
    let success = NotificationCenter.default.addObserver(
      forName: .mlkitModelDownloadDidSucceed, object: nil, queue: nil
    ) { note in
      guard let info = note.userInfo,
        let model = info[ModelDownloadUserInfoKey.remoteModel.rawValue] as? RemoteModel,
        model.name == "birds"
      else { return }
      // a detector made now uses the new file
      succeeded()
    }
    let failure = NotificationCenter.default.addObserver(
      forName: .mlkitModelDownloadDidFail, object: nil, queue: nil
    ) { note in
      let reason = note.userInfo?[ModelDownloadUserInfoKey.error.rawValue]
      print(reason ?? "no reason given")
      failed(reason)
    }
    return [success, failure]
  }

  static func delete(
    _ remoteModel: CustomRemoteModel, then done: @escaping @Sendable (Bool) -> Void
  ) {
    ModelManager.modelManager().deleteDownloadedModel(remoteModel) { error in done(error != nil) }
  }

  /// The names of Firebase.
  static func earlier() -> Progress {
    let remoteModel = CustomRemoteModel(name: "birds")
    let manager = ModelManager.modelManager()
    NotificationCenter.default.removeObserver(
      manager, name: .firebaseMLModelDownloadDidSucceed, object: nil)
    NotificationCenter.default.removeObserver(
      manager, name: .firebaseMLModelDownloadDidFail, object: nil)
    return manager.download(remoteModel, conditions: ModelDownloadConditions())
  }

  /// Swift concurrency: progress as a stream, then the model.
  static func fetch(_ address: URL) async throws -> LocalModel {
    let model = CustomRemoteModel(
      remoteModelSource: HTTPModelSource(name: "birds", manifestURL: address))
    let download = ModelManager.modelManager().startDownload(model)
    for await progress in download.progress { print(progress.fractionCompleted ?? 0) }
    return try await download.model()
  }
}
