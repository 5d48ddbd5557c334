//===--- ModelManager+Async.swift - asynchronous API ----------------------===//

public import MartletMLKit

/// Whether the server is queried before a model is used.
public enum ModelDownloadType: Sendable, Hashable, CaseIterable {
  /// The local version; the server is queried only if there is none.
  case localModel
  /// The local version; a newer one is downloaded in the background for later use.
  case localModelUpdateInBackground
  /// The latest version.
  case latestModel
}

/// A running download.
public struct ModelDownload: Sendable {
  /// The steps of progress; the sequence ends with the download. Steps that come faster than they
  /// are consumed are dropped.
  public let progress: AsyncStream<ModelDownloadProgress>
  private let task: Task<SharedDownload.Outcome, Never>
  private let leave: @Sendable () -> Void
  private let local: @Sendable () -> LocalModel

  init(
    _ progress: AsyncStream<ModelDownloadProgress>, _ task: Task<SharedDownload.Outcome, Never>,
    leave: @escaping @Sendable () -> Void, local: @escaping @Sendable () -> LocalModel
  ) {
    self.progress = progress
    self.task = task
    self.leave = leave
    self.local = local
  }

  /// The downloaded version, once it is in use. Canceling the waiting task cancels the download.
  public func version() async throws(ModelHostingError) -> ModelVersion {
    let outcome = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      leave()
    }
    return try outcome.get()
  }

  /// The downloaded model, once it is in use. Canceling the waiting task cancels the download.
  public func model() async throws(ModelHostingError) -> LocalModel {
    _ = try await version()
    return await onOwnThread { [local] in local() }
  }

  /// Cancels the download, unless others have requested it too.
  public func cancel() { leave() }
}

extension ModelManager {
  /// Starts to download the model if there is no local version, or if the server has a newer one.
  public func startDownload(
    _ remoteModel: RemoteModel, conditions: ModelDownloadConditions = ModelDownloadConditions()
  ) -> ModelDownload {
    let (progress, steps) = AsyncStream.makeStream(
      of: ModelDownloadProgress.self, bufferingPolicy: .bufferingNewest(1))
    let (outcomes, end) = AsyncStream.makeStream(of: SharedDownload.Outcome.self)
    let leave = join(
      remoteModel, conditions,
      SharedDownload.Observer {
        steps.yield($0)
      } onEnd: { outcome in
        steps.finish()
        end.yield(outcome)
        end.finish()
      })
    let task = Task.detached {
      for await outcome in outcomes { return outcome }
      return SharedDownload.Outcome.failure(.cancelled)
    }
    return ModelDownload(progress, task, leave: leave) { [self] in localModel(of: remoteModel) }
  }

  /// The model, downloaded if necessary.
  ///
  /// - Parameters:
  ///   - remoteModel: The model.
  ///   - type: Whether the server is queried if there is a local version. Default: `.latestModel`,
  ///     which always queries it.
  ///   - conditions: The networks that may be used. Default: all.
  public func model(
    _ remoteModel: RemoteModel, type: ModelDownloadType = .latestModel,
    conditions: ModelDownloadConditions = ModelDownloadConditions()
  ) async throws(ModelHostingError) -> LocalModel {
    if type != .latestModel, await onOwnThread({ [self] in isModelDownloaded(remoteModel) }) {
      if type == .localModelUpdateInBackground {
        download(remoteModel, conditions: conditions)
      }
      return await onOwnThread { [self] in localModel(of: remoteModel) }
    }
    return try await startDownload(remoteModel, conditions: conditions).model()
  }

  /// The model for a detector, which reads the version that is in use at its first image. A damaged
  /// version is replaced first, as by `repair(_:)`.
  ///
  /// Blocks the calling thread, as `repair(_:)` does. In a task use
  /// ``model(_:type:conditions:)`` with `.localModel`.
  public func localModel(of remoteModel: RemoteModel) -> LocalModel {
    let folder = folder(of: remoteModel)
    _ = try? folder.repair()
    return LocalModel(path: folder.modelPath, remoteName: remoteModel.name)
  }

  /// Checks the version in use. If its file has changed since the download, the previous version
  /// replaces it, or none if that is damaged too. Every download starts with this check.
  ///
  /// Blocks the calling thread while it reads a file that was written since the last check, and, if it
  /// is damaged, while another process changes the model.
  ///
  /// - Returns: `ModelHostingError.damaged` with the damage; `nil` if the version is intact or
  ///   there is none.
  @discardableResult
  public func repair(_ remoteModel: RemoteModel) throws(ModelHostingError) -> ModelHostingError? {
    try folder(of: remoteModel).repair()
  }

  /// The version in use, as downloaded; `nil` if there is none. Blocks the calling thread while it reads
  /// the file, as ``isModelDownloaded(_:)`` does.
  public func version(of remoteModel: RemoteModel) -> ModelVersion? {
    folder(of: remoteModel).current
  }

  /// Replaces the version in use with the previous one, and returns it.
  ///
  /// The next download restores the latest version, if the server still has it. Blocks the calling
  /// thread, as `repair(_:)` does.
  ///
  /// - Throws: `ModelHostingError.noPreviousVersion`.
  @discardableResult
  public func rollBack(_ remoteModel: RemoteModel) throws(ModelHostingError) -> ModelVersion {
    guard let version = try folder(of: remoteModel).rollBack() else {
      throw .noPreviousVersion(name: remoteModel.name)
    }
    return version
  }

  /// The versions in use of all local models, by name and source. Blocks the calling thread while it
  /// reads their files, as ``isModelDownloaded(_:)`` does.
  public func downloadedModels() -> [ModelVersion] {
    ModelFolder.all(inStore: configuration.directory.path).compactMap(\.folder.current)
      .sorted { ($0.name, $0.source) < ($1.name, $1.source) }
  }

  /// The local models with this name, one for each source; they can be rolled back and deleted.
  package func storedModels(named name: String) -> [CustomRemoteModel] {
    ModelFolder.all(inStore: configuration.directory.path).filter { $0.name == name }.map {
      CustomRemoteModel(
        remoteModelSource: RemoteModelSource(name: name, kind: .stored(key: $0.folder.source)))
    }
  }
}
