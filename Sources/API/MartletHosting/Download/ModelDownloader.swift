//===--- ModelDownloader.swift - downloading a model ----------------------===//
//
//     lock ▶ repair ▶ request description ▶ download or resume ▶ check SHA-256 ▶ accept ▶ install
//
// Contract  The current version stays in use until a new one has passed every check. No thread of tasks
//           waits for locks, digests or the disk: `onOwnThread`.
//===----------------------------------------------------------------------===//

import Foundation
import MartletBase
import MartletMLKit

/// Downloads the latest version of a model, unless it is already stored.
struct ModelDownloader: Sendable {
  /// The number of times an expired URL is requested again.
  static let maximumRenewals = 1

  let model: RemoteModel
  let configuration: HostingConfiguration
  let folder: ModelFolder
  let client: WebClient
  /// When the time limit of the download ends, by the monotonic clock.
  let deadline: TimeInterval
  let onProgress: @Sendable (ModelDownloadProgress) -> Void

  init(
    _ model: RemoteModel, _ configuration: HostingConfiguration,
    _ conditions: ModelDownloadConditions,
    onProgress: @escaping @Sendable (ModelDownloadProgress) -> Void
  ) {
    self.model = model
    self.configuration = configuration
    folder = ModelFolder(of: model, in: configuration)
    client = WebClient(configuration, conditions)
    deadline = MonotonicClock.now + configuration.timeLimit
    self.onProgress = onProgress
  }

  /// Returns the latest version of the model, which is then the current one.
  func run() async throws(ModelHostingError) -> ModelVersion {
    guard !model.name.isEmpty else { throw .emptyModelName }
    let limit = configuration.timeLimit
    return try await withWatchdog {
      await Task.isElapsed(seconds: limit) ? .timedOut(limit: limit) : .cancelled
    } work: { () async throws(ModelHostingError) in
      try await latest()
    }
  }

  private func latest() async throws(ModelHostingError) -> ModelVersion {
    let lock = try await preparedFolder()
    defer { extendLifetime(lock) }
    let known = await onOwnThread { [folder] in folder.current }
    switch model.source.kind {
    case .file(let url, let sha256, let size):
      return try await file(url, sha256, size, known: known)
    case .manifest(let url):
      return try await described(by: .manifest(url), known: known)
    case .firebase:
      guard let firebase = configuration.firebase else { throw .notConfigured }
      return try await described(by: .firebase(firebase), known: known)
    case .stored(let key): throw .address(key.withoutCredentials)
    }
  }

  /// Prepares the folder and returns the download lock. Returns `nil` if the store is read-only but
  /// has the model; the server can still be asked for a newer version.
  private func preparedFolder() async throws(ModelHostingError) -> FileLock? {
    do throws(ModelHostingError) {
      try folder.make()
      let lock = try await downloadLock()
      try await onOwnThread { [folder] () throws(ModelHostingError) in _ = try folder.repair() }
      return lock
    } catch {
      guard error.isReadOnly, await onOwnThread({ [folder] in folder.current }) != nil else {
        throw error
      }
      return nil
    }
  }

  /// Waits for the download lock.
  private func downloadLock() async throws(ModelHostingError) -> FileLock {
    while true {
      if let lock = try folder.downloadLock() { return lock }
      do { try await Task.sleep(seconds: 0.05) } catch { throw .cancelled }
    }
  }

  // MARK: - File at a URL

  private func file(
    _ url: URL, _ sha256: String?, _ size: Int?, known: ModelVersion?
  ) async throws(ModelHostingError) -> ModelVersion {
    let digest = sha256.flatMap { Digest(hexadecimal: $0) }
    if let sha256, digest == nil { throw .manifest(.digest(sha256)) }
    if let known, known.sha256 == sha256 { return known }
    let target = FileTarget(
      url: url, referrer: nil, key: "\(folder.source) \(sha256 ?? "")", size: size,
      hasDigest: digest != nil, known: digest == nil ? known : nil)
    guard let (file, found) = try await fetch(target, digest: digest) else {
      guard let known else { throw .status(304, message: nil) }
      return known
    }
    return try await install(
      ModelVersion(
        name: model.name, sizeBytes: file.size, sha256: found.hexadecimal, version: nil,
        source: folder.source, entityTag: file.entityTag, lastModified: file.lastModified))
  }

  // MARK: - File named by a manifest

  private func described(
    by describer: Describer, known: ModelVersion?
  ) async throws(ModelHostingError) -> ModelVersion {
    var renewals = 0
    while true {
      guard let description = try await description(by: describer, known: known) else {
        guard let known else { throw .status(304, message: nil) }
        return known
      }
      let manifest = description.manifest
      if let known, isSame(known, description) {
        let version = description.version(known.sha256, known.sizeBytes, folder.source, model)
        try await onOwnThread { [folder] () throws(ModelHostingError) in
          try folder.update(version)
        }
        return known
      }
      do throws(ModelHostingError) {
        return try await fetch(description)
      } catch {
        guard renewals < ModelDownloader.maximumRenewals, error.mayMeanExpiry,
          let expiry = manifest.expiry, expiry <= configuration.clock.now()
        else { throw error }
        renewals += 1
      }
    }
  }

  /// Whether the known version is the described one, so that nothing needs to be downloaded.
  private func isSame(_ known: ModelVersion, _ description: ModelDescription) -> Bool {
    if let digest = description.manifest.digest { return digest.hexadecimal == known.sha256 }
    return description.isFirebase && description.entityTag == known.entityTag
  }

  private func fetch(_ description: ModelDescription) async throws(ModelHostingError)
    -> ModelVersion
  {
    let manifest = description.manifest
    // URLs may change with every response. The file is identified by its digest, or else by the
    // version's entity tag.
    let identity =
      manifest.digest?.hexadecimal ?? description.entityTag
      ?? manifest.url.absoluteString.withoutCredentials
    let target = FileTarget(
      url: manifest.url, referrer: description.address, key: "\(folder.source) \(identity)",
      size: manifest.sizeBytes, hasDigest: manifest.digest != nil, known: nil)
    guard let (file, found) = try await fetch(target, digest: manifest.digest) else {
      throw .status(304, message: nil)
    }
    return try await install(
      description.version(found.hexadecimal, file.size, folder.source, model))
  }

  // MARK: - Download

  /// Downloads the file and checks its digest, if one is announced. Returns `nil` if the known
  /// version is still the latest.
  private func fetch(
    _ target: FileTarget, digest: Digest?
  ) async throws(ModelHostingError) -> (FetchedFile, Digest)? {
    do throws(ModelHostingError) {
      guard let file = try await transfer(target, mayContinue: true) else { return nil }
      let found = try await self.digest(of: file)
      if found == digest || digest == nil { return (file, found) }
      guard file.isContinued, let digest else {
        throw .digest(found: found.hexadecimal, expected: digest?.hexadecimal ?? "")
      }
      // The parts may belong to different versions. Download the whole file again.
      PartialFile.discard(folder)
      guard let whole = try await transfer(target, mayContinue: false) else { return nil }
      let again = try await self.digest(of: whole)
      guard again == digest else {
        throw .digest(found: again.hexadecimal, expected: digest.hexadecimal)
      }
      return (whole, again)
    } catch {
      if !error.leavesPartialFile { PartialFile.discard(folder) }
      throw error
    }
  }

  private func transfer(
    _ target: FileTarget, mayContinue: Bool
  ) async throws(ModelHostingError) -> FetchedFile? {
    var mayContinue = mayContinue
    var retries = Retries(configuration.retry, configuration.clock, until: deadline)
    var furthest = 0
    while true {
      let partial =
        mayContinue
        ? PartialFile.record(folder, key: target.key, hasDigest: target.hasDigest) : nil
      let receiver = FileReceiver(
        target, in: folder, continuing: partial, limit: configuration.maximumModelSize,
        onProgress: onProgress)
      furthest = max(furthest, partial?.stored ?? 0)
      let failure: TransferFailure
      do throws(TransferFailure) {
        try await get(target, to: receiver)
        let now = Int(configuration.clock.now().timeIntervalSince1970)
        return try await onOwnThread { () throws(TransferFailure) in
          try receiver.finish(now: now)
        }
      } catch {
        await onOwnThread { receiver.save() }
        failure = error
      }
      if case .range = failure.error, partial != nil {
        mayContinue = false
        PartialFile.discard(folder)
        continue
      }
      let count = receiver.count
      try await retries.wait(after: failure, gain: count - furthest)
      furthest = max(furthest, count)
      // From here on, all bytes received belong to one version.
      mayContinue = true
    }
  }

  private func get(
    _ target: FileTarget, to receiver: FileReceiver
  ) async throws(TransferFailure) {
    do throws(ModelHostingError) {
      try await client.get(
        target.url, from: target.referrer, fields: receiver.fields, to: receiver)
    } catch { throw TransferFailure(error: error, retryAfter: nil) }
  }

  private func digest(of file: FetchedFile) async throws(ModelHostingError) -> Digest {
    let path = folder.partialPath
    return try await onOwnThread { () throws(ModelHostingError) in
      guard let readable = ReadableFile(path) else { throw .file(path: path, errno: ENOENT) }
      guard readable.size == file.size, let digest = readable.digest() else {
        throw .size(found: readable.size, expected: file.size)
      }
      return digest
    }
  }

  /// Makes the complete and checked partial file the current version.
  private func install(_ version: ModelVersion) async throws(ModelHostingError) -> ModelVersion {
    do throws(VisionError) {
      try await configuration.acceptance.check(folder.partialPath)
    } catch {
      guard !Task.isCancelled else { throw .cancelled }
      PartialFile.discard(folder)
      throw .notAccepted(error)
    }
    guard !Task.isCancelled else { throw .cancelled }
    try await onOwnThread { [folder] () throws(ModelHostingError) in
      try folder.install(folder.partialPath, as: version)
      PartialFile.discard(folder)
    }
    return version
  }
}

extension ModelHostingError {
  /// Whether the error may mean that the URL has expired.
  fileprivate var mayMeanExpiry: Bool {
    if case .status(let status, _) = self { return [400, 401, 403].contains(status) }
    return false
  }

  /// Whether the error means that the store is read-only.
  var isReadOnly: Bool {
    if case .file(_, let number) = self { return [EROFS, EACCES, EPERM].contains(number) }
    return false
  }

  /// Whether the partial file is still usable after the error.
  fileprivate var leavesPartialFile: Bool {
    switch self {
    case .digest, .size, .tooLarge, .notEnoughSpace, .range: false
    default: true
    }
  }
}
