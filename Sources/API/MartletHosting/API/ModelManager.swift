//===--- ModelManager.swift - downloading and storing models --------------===//
//
// Contract  Can be used from any number of threads and tasks; several managers and processes can
//           use the same folder. A model stays in use until another one has passed every check.
//           Concurrent requests for the same model share one download.
//===----------------------------------------------------------------------===//

public import Foundation
import MartletBase
import MartletMLKit

/// Downloads remote models and stores them.
///
/// ```swift
/// let source = HTTPModelSource(name: "birds", manifestURL: address)
/// let model = CustomRemoteModel(remoteModelSource: source)
/// _ = try await ModelManager.modelManager().model(model)
/// let options = CustomObjectDetectorOptions(remoteModel: model)
/// ```
public final class ModelManager: Sendable {
  private static let shared = ModelManager()

  private struct State {
    var configuration: HostingConfiguration
    var downloads: [RemoteModel: SharedDownload] = [:]
  }

  private let state: Mutex<State>

  /// A manager that is separate from the shared one.
  public init(configuration: HostingConfiguration = HostingConfiguration()) {
    state = Mutex(State(configuration: configuration))
  }

  /// The shared manager.
  public static func modelManager() -> ModelManager { shared }

  /// The settings of downloads and of the store. A change applies to downloads that start after it.
  public var configuration: HostingConfiguration {
    get { state.withLock { $0.configuration } }
    set { state.withLock { $0.configuration = newValue } }
  }

  func folder(of model: RemoteModel) -> ModelFolder { ModelFolder(of: model, in: configuration) }
}

extension ModelFolder {
  /// The folder of a model in the store of a configuration.
  init(of model: RemoteModel, in configuration: HostingConfiguration) {
    self.init(
      store: configuration.directory.path, name: model.name,
      source: model.source.key(in: configuration))
  }
}

// MARK: - ML Kit's calls

extension ModelManager {
  /// Whether there is an intact local version from exactly this source.
  ///
  /// Blocks the calling thread while it reads the file.
  ///
  /// - Complexity: One pass over the file after it was written; later calls check only its status.
  public func isModelDownloaded(_ remoteModel: RemoteModel) -> Bool {
    folder(of: remoteModel).current != nil
  }

  /// Downloads the model if there is no local version, or if the server has a newer one. Returns
  /// immediately.
  ///
  /// A notification reports the end: `mlkitModelDownloadDidSucceed`, also if the local version is
  /// the latest, or `mlkitModelDownloadDidFail`. Canceling the progress cancels the download,
  /// unless others have requested it too.
  ///
  /// The progress counts bytes. It reserves one percent for the checks of the file, and is finished
  /// when the version is in use. If the download fails, the progress is canceled and never
  /// finished; its `userInfo` has the error, with the key of the notification.
  @discardableResult
  public func download(
    _ remoteModel: RemoteModel, conditions: ModelDownloadConditions
  ) -> Progress {
    let progress = Progress(totalUnitCount: -1)
    let leave = join(
      remoteModel, conditions,
      SharedDownload.Observer { step in
        if let total = step.totalBytes { progress.totalUnitCount = Int64(total) }
        progress.completedUnitCount = Int64(step.completedBytes - (step.completedBytes + 99) / 100)
      } onEnd: { outcome in
        switch outcome {
        case .success(let version):
          progress.totalUnitCount = Int64(version.sizeBytes)
          progress.completedUnitCount = Int64(version.sizeBytes)
        case .failure(let error): ModelManager.end(progress, error)
        }
      })
    progress.cancellationHandler = leave
    return progress
  }

  private static func end(_ progress: Progress, _ error: ModelHostingError) {
    progress.setUserInfoObject(
      error as NSError, forKey: ProgressUserInfoKey(ModelDownloadUserInfoKey.error.rawValue))
    if !progress.isCancelled { progress.cancel() }
  }

  /// Removes the model and cancels its download; calls `completion` on the main thread, with an
  /// error if there was no model.
  public func deleteDownloadedModel(
    _ remoteModel: RemoteModel, completion: @escaping @MainActor @Sendable ((any Error)?) -> Void
  ) {
    Task {
      do throws(ModelHostingError) {
        try await deleteDownloadedModel(remoteModel)
        await completion(nil)
      } catch { await completion(error) }
    }
  }

  /// Removes the model and cancels its download.
  ///
  /// - Throws: `ModelHostingError.notDownloaded` if the model is not stored.
  public func deleteDownloadedModel(_ remoteModel: RemoteModel) async throws(ModelHostingError) {
    if let download = state.withLock({ $0.downloads[remoteModel] }) {
      download.cancel()
      await download.ended()
    }
    let folder = folder(of: remoteModel)
    let wasThere = try await onOwnThread { () throws(ModelHostingError) in try folder.delete() }
    guard wasThere else { throw .notDownloaded(name: remoteModel.name) }
  }
}

// MARK: - Downloads

extension ModelManager {
  /// Joins the download of the model, or starts it; returns a function that leaves it.
  func join(
    _ model: RemoteModel, _ conditions: ModelDownloadConditions, _ observer: SharedDownload.Observer
  ) -> @Sendable () -> Void {
    let (download, number, isNew) = state.withLock { state in
      if let running = state.downloads[model], let number = running.join(observer) {
        return (running, number, false)
      }
      let download = SharedDownload()
      let number = download.join(observer) ?? 0
      state.downloads[model] = download
      return (download, number, true)
    }
    if isNew { start(download, of: model, conditions) }
    return { download.leave(number) }
  }

  private func start(
    _ download: SharedDownload, of model: RemoteModel, _ conditions: ModelDownloadConditions
  ) {
    let configuration = configuration
    download.start { [self] in
      let downloader = ModelDownloader(model, configuration, conditions) { download.report($0) }
      let outcome: SharedDownload.Outcome
      do throws(ModelHostingError) {
        outcome = .success(try await downloader.run())
      } catch { outcome = .failure(error) }
      state.withLock { state in
        if state.downloads[model] === download { state.downloads[model] = nil }
      }
      download.end(outcome)
      ModelManager.notify(model, outcome)
    }
  }

  private static func notify(_ model: RemoteModel, _ outcome: SharedDownload.Outcome) {
    var information: [AnyHashable: Any] = [ModelDownloadUserInfoKey.remoteModel.rawValue: model]
    var name = Notification.Name.mlkitModelDownloadDidSucceed
    if case .failure(let error) = outcome {
      name = .mlkitModelDownloadDidFail
      information[ModelDownloadUserInfoKey.error.rawValue] = error as NSError
    }
    NotificationCenter.default.post(name: name, object: nil, userInfo: information)
  }
}
