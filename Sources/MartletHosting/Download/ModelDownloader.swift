//===--- ModelDownloader.swift - a model's way from the server to its place ===//
//
//     lock ▶ repair ▶ ask what there is ▶ fetch, or continue ▶ size, SHA-256 ▶ classifier? ▶ replace
//
// Contract  The model in use stays in use until another is there that has passed every check.
// Checked   Tests/MartletHostingTests/DownloadTests.swift, FirebaseTests.swift, ResumeTests.swift
//===----------------------------------------------------------------------===//

import Foundation
import Martlet
import MartletDigest
import MartletHTTP
import Synchronization

/// Downloads a model, if there is one that is not there yet.
struct ModelDownloader: Sendable {
  /// How often an address that is no longer valid is requested anew.
  static let maximumRenewals = 1

  let model: RemoteModel
  let configuration: HostingConfiguration
  let folder: ModelFolder
  let client: WebClient
  /// When the download's time is over.
  let deadline: ContinuousClock.Instant
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
    deadline = .now + configuration.timeLimit
    self.onProgress = onProgress
  }

  /// The latest version of the model, which is then the one in use.
  func run() async throws(ModelHostingError) -> ModelVersion {
    guard !model.name.isEmpty else { throw .emptyModelName }
    let limit = configuration.timeLimit
    return try await withWatchdog {
      await Task.isElapsed(limit) ? .timedOut(limit: limit) : .cancelled
    } work: { () async throws(ModelHostingError) in
      try await latest()
    }
  }

  private func latest() async throws(ModelHostingError) -> ModelVersion {
    let lock = try await preparedFolder()
    defer { extendLifetime(lock) }
    let known = folder.current
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

  /// Makes the folder ready and returns the right to download; nil if the store cannot be written but has
  /// the model, so that the server can still be asked whether that is the latest.
  private func preparedFolder() async throws(ModelHostingError) -> FileLock? {
    do throws(ModelHostingError) {
      try folder.make()
      let lock = try await downloadLock()
      try folder.repair()
      return lock
    } catch {
      guard error.isReadOnly, folder.current != nil else { throw error }
      return nil
    }
  }

  /// The right to download, once no other process has it.
  private func downloadLock() async throws(ModelHostingError) -> FileLock {
    while true {
      if let lock = try folder.downloadLock() { return lock }
      do { try await Task.sleep(for: .milliseconds(50)) } catch { throw .cancelled }
    }
  }

  // MARK: - A file at an address

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

  // MARK: - A file that a manifest names

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
        try folder.update(description.version(known.sha256, known.sizeBytes, folder.source, model))
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

  /// Whether the version is the described one, so that nothing has to be fetched.
  private func isSame(_ known: ModelVersion, _ description: ModelDescription) -> Bool {
    if let digest = description.manifest.digest { return digest.hexadecimal == known.sha256 }
    return description.isFirebase && description.entityTag == known.entityTag
  }

  private func fetch(_ description: ModelDescription) async throws(ModelHostingError)
    -> ModelVersion
  {
    let manifest = description.manifest
    // An address may be another one each time: what the file is known by is its digest or, where
    // there is none, what the server calls the version.
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

  // MARK: - Fetching

  /// The file, with its digest, which is that announced if one is; `nil` if the known version is
  /// still the latest.
  private func fetch(
    _ target: FileTarget, digest: Digest?
  ) async throws(ModelHostingError) -> (FetchedFile, Digest)? {
    do throws(ModelHostingError) {
      guard let file = try await transfer(target, mayContinue: true) else { return nil }
      let found = try self.digest(of: file)
      if found == digest || digest == nil { return (file, found) }
      guard file.isContinued, let digest else {
        throw .digest(found: found.hexadecimal, expected: digest?.hexadecimal ?? "")
      }
      // The parts may have been of different versions: once more, as a whole.
      PartialFile.discard(folder)
      guard let whole = try await transfer(target, mayContinue: false) else { return nil }
      let again = try self.digest(of: whole)
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
        return try receiver.finish(now: Int(configuration.clock.now().timeIntervalSince1970))
      } catch {
        receiver.save()
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
      // What has come by now is of one version, whatever was there before.
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

  private func digest(of file: FetchedFile) throws(ModelHostingError) -> Digest {
    guard let readable = ReadableFile(folder.partialPath) else {
      throw SystemFile.error(folder.partialPath)
    }
    guard readable.size == file.size, let digest = readable.digest() else {
      throw .size(found: readable.size, expected: file.size)
    }
    return digest
  }

  /// Makes the partial file, which is whole and the one that was meant, the model in use.
  private func install(_ version: ModelVersion) async throws(ModelHostingError) -> ModelVersion {
    do throws(VisionError) {
      try await configuration.acceptance.check(folder.partialPath)
    } catch {
      guard !Task.isCancelled else { throw .cancelled }
      PartialFile.discard(folder)
      throw .notAccepted(error)
    }
    guard !Task.isCancelled else { throw .cancelled }
    try folder.install(folder.partialPath, as: version)
    PartialFile.discard(folder)
    return version
  }
}

extension ModelHostingError {
  /// Whether it can be the answer to an address that is no longer valid.
  fileprivate var mayMeanExpiry: Bool {
    if case .status(let status, _) = self { return [400, 401, 403].contains(status) }
    return false
  }

  /// Whether the store cannot be written.
  var isReadOnly: Bool {
    if case .file(_, let number) = self { return [EROFS, EACCES, EPERM].contains(number) }
    return false
  }

  /// Whether what has come of the file is worth keeping.
  fileprivate var leavesPartialFile: Bool {
    switch self {
    case .digest, .size, .tooLarge, .notEnoughSpace, .range: false
    default: true
    }
  }
}
