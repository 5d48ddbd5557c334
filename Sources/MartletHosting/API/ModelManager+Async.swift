//===--- ModelManager+Async.swift - the same in Swift of today ------------===//
//
// Checked   Tests/MartletHostingTests/ModelManagerTests.swift
//===----------------------------------------------------------------------===//

public import Martlet

/// Whether the server is asked before a model is used.
public enum ModelDownloadType: Sendable, Hashable, CaseIterable {
  /// The version that is there; the server is asked only where there is none.
  case localModel
  /// The version that is there, while a newer one may be downloaded for the next time.
  case localModelUpdateInBackground
  /// The latest version.
  case latestModel
}

/// A download on its way.
public struct ModelDownload: Sendable {
  /// How far the download has come, from step to step; ends with the download. What comes faster than
  /// it is taken is left out.
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

  /// The version that was downloaded, once it is in use. Cancelling the task that waits for it cancels
  /// the download.
  public func version() async throws(ModelHostingError) -> ModelVersion {
    let outcome = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      leave()
    }
    return try outcome.get()
  }

  /// The downloaded model, once it is in use. Cancelling the task that waits for it cancels the
  /// download.
  public func model() async throws(ModelHostingError) -> LocalModel {
    _ = try await version()
    return local()
  }

  /// Cancels the download, unless others have asked for it too.
  public func cancel() { leave() }
}

extension ModelManager {
  /// Begins to download the model if it is not there, or if there is a newer version.
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

  /// The model, downloaded if need be.
  ///
  /// - Parameters:
  ///   - remoteModel: The model.
  ///   - type: Whether the server is asked though a version is there: it is, unless another type is
  ///     given.
  ///   - conditions: When it may be downloaded.
  public func model(
    _ remoteModel: RemoteModel, type: ModelDownloadType = .latestModel,
    conditions: ModelDownloadConditions = ModelDownloadConditions()
  ) async throws(ModelHostingError) -> LocalModel {
    if type != .latestModel, isModelDownloaded(remoteModel) {
      if type == .localModelUpdateInBackground {
        download(remoteModel, conditions: conditions)
      }
      return localModel(of: remoteModel)
    }
    return try await startDownload(remoteModel, conditions: conditions).model()
  }

  /// The model as a detector takes it: always the version in use when it is read. A version that is damaged
  /// by now is taken out of use before, as `repair(_:)` does.
  public func localModel(of remoteModel: RemoteModel) -> LocalModel {
    let folder = folder(of: remoteModel)
    _ = try? folder.repair()
    return LocalModel(path: folder.modelPath, remoteName: remoteModel.name)
  }

  /// Takes the version in use out of use where its file is no longer what was downloaded; the version before
  /// takes its place, if that is whole. Every download begins with this.
  ///
  /// - Returns: What was wrong, `ModelHostingError.damaged`; `nil` if the version is whole, or none is there.
  @discardableResult
  public func repair(_ remoteModel: RemoteModel) throws(ModelHostingError) -> ModelHostingError? {
    try folder(of: remoteModel).repair()
  }

  /// The version of the model that is in use, as it was downloaded; `nil` if there is none.
  public func version(of remoteModel: RemoteModel) -> ModelVersion? {
    folder(of: remoteModel).current
  }

  /// Puts the version in use before the present one in its place, and returns it.
  ///
  /// The next download brings the latest version back, if the server still has it.
  ///
  /// - Throws: `ModelHostingError.noPreviousVersion`.
  @discardableResult
  public func rollBack(_ remoteModel: RemoteModel) throws(ModelHostingError) -> ModelVersion {
    guard let version = try folder(of: remoteModel).rollBack() else {
      throw .noPreviousVersion(name: remoteModel.name)
    }
    return version
  }

  /// The versions in use of all models that are there, by name and source.
  public func downloadedModels() -> [ModelVersion] {
    ModelFolder.all(inStore: configuration.directory.path).compactMap(\.folder.current)
      .sorted { ($0.name, $0.source) < ($1.name, $1.source) }
  }

  /// The models of that name in the store, one for each source; they can be rolled back and deleted.
  package func storedModels(named name: String) -> [CustomRemoteModel] {
    ModelFolder.all(inStore: configuration.directory.path).filter { $0.name == name }.map {
      CustomRemoteModel(
        remoteModelSource: RemoteModelSource(name: name, kind: .stored(key: $0.folder.source)))
    }
  }
}
