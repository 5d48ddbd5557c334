//===--- ModelFolder.swift - versions of one model on disk ----------------===//
//
//     current            a symbolic link to the version in use
//     previous           a symbolic link to the version before it
//     versions/SHA-256/  model.tflite, version.json; never changed once it has this name
//                        checked.json: the file whose digest was computed last
//     partial.*          an incomplete download
//     lock               for changes of the links; download.lock: for downloads
//
// A version is complete and on disk before a link points to it. The current version is one link,
// replaced by one rename: a process that is interrupted at any point leaves either the old or the
// new version. Readers take no lock: they open `current/model.tflite`.
//
// Contract  Several processes may use the same folder. A version is valid only while its file has
//           the digest that it was downloaded with.
//===----------------------------------------------------------------------===//

import Foundation
import MartletBase

/// The folder of one model.
struct ModelFolder: Sendable {
  let path: String
  /// The key of the model's source; versions of another source are ignored.
  let source: String

  /// The folder of the model `name` from `source`, in the store at `store`.
  init(store: String, name: String, source: String) {
    // Older stores identify a model by its name only.
    let earlier = store + "/" + ModelFolder.fileName(of: name, known: name)
    let own = ModelFolder.fileName(of: name, known: "\(name.utf8.count) \(name) \(source)")
    path = ModelFolder.owner(of: earlier)?.source == source ? earlier : store + "/" + own
    self.source = source
  }

  private init(path: String, source: String) {
    self.path = path
    self.source = source
  }

  /// The path of the current version's file. It stays the same when the version changes.
  var modelPath: String { path + "/current/model.tflite" }

  private var versionsPath: String { path + "/versions" }
  private var currentPath: String { path + "/current" }
  private var previousPath: String { path + "/previous" }
  var partialPath: String { path + "/partial.tflite" }
  var partialRecordPath: String { path + "/partial.json" }
  private var lockPath: String { path + "/lock" }

  /// A unique file name for `key`, valid on every file system.
  private static func fileName(of name: String, known key: String) -> String {
    let readable = name.unicodeScalars.prefix(40).map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        ? Character(scalar) : "-"
    }
    return String(readable) + "-" + SHA256.digest(of: Array(key.utf8)).hexadecimal.prefix(16)
  }

  /// The folders of all models with a version in the store at `store`, with the models' names.
  static func all(inStore store: String) -> [(name: String, folder: ModelFolder)] {
    SystemFile.list(store).compactMap { file in
      let path = store + "/" + file
      return owner(of: path).map { ($0.name, ModelFolder(path: path, source: $0.source)) }
    }
  }

  /// The record of the model in the folder at `path`: that of the current version, or of any other.
  private static func owner(of path: String) -> ModelVersion? {
    record(in: path + "/current")
      ?? SystemFile.list(path + "/versions").lazy
      .compactMap { record(in: path + "/versions/" + $0) }.first
  }

  private static func record(in folder: String) -> ModelVersion? {
    SystemFile.read(folder + "/version.json")
      .flatMap { try? JSONDecoder().decode(ModelVersion.self, from: $0) }
  }

  /// Creates the folder. A symbolic link at its path, or at that of the versions, is replaced:
  /// unused versions are removed there, and a link may point to an unrelated folder.
  func make() throws(ModelHostingError) {
    for path in [path, versionsPath] where SystemFile.target(path) != nil {
      SystemFile.remove(path)
    }
    try SystemFile.makeFolder(versionsPath)
  }

  /// The download lock, or `nil` while another process holds it.
  func downloadLock() throws(ModelHostingError) -> FileLock? {
    try FileLock(path + "/download.lock")
  }

  // MARK: - Reading

  /// The current version, if its file is present and intact.
  var current: ModelVersion? { version(at: currentPath) }

  /// The version before the current one.
  var previous: ModelVersion? {
    let previous = SystemFile.target(previousPath)
    return previous == SystemFile.target(currentPath) ? nil : version(at: previousPath)
  }

  private func version(at path: String) -> ModelVersion? {
    let folder = folder(at: path)
    guard let version = ModelFolder.record(in: folder), version.source == source,
      SystemFile.size(folder + "/model.tflite") == version.sizeBytes,
      CheckedFile.digest(in: folder) == version.sha256
    else { return nil }
    return version
  }

  /// Resolves the link at `path`, so that all files read belong to one version.
  private func folder(at path: String) -> String {
    guard let target = SystemFile.target(path), target.hasPrefix("versions/") else { return path }
    return self.path + "/" + target
  }

  /// The damage of the current version; `nil` if it is intact or there is none.
  private var damage: ModelHostingError? {
    guard current == nil, SystemFile.exists(currentPath) else { return nil }
    let folder = folder(at: currentPath)
    return .damaged(
      path: modelPath, found: CheckedFile.digest(in: folder),
      expected: ModelFolder.record(in: folder)?.sha256)
  }

  // MARK: - Changing

  /// Moves the file at `file`, which must be on disk, and makes it the current version.
  func install(_ file: String, as version: ModelVersion) throws(ModelHostingError) {
    let lock = try FileLock(waitingFor: lockPath)
    defer { extendLifetime(lock) }
    let target = "versions/" + version.sha256
    let folder = path + "/" + target
    if let stored = self.version(at: folder), stored.sha256 == version.sha256 {
      try write(version, to: folder)
      SystemFile.remove(file)
    } else {
      let staging = versionsPath + "/new"
      SystemFile.remove(staging)
      SystemFile.remove(folder)
      try SystemFile.makeFolder(staging)
      try SystemFile.rename(file, to: staging + "/model.tflite")
      try write(version, to: staging)
      CheckedFile.note(version.sha256, in: staging)
      try SystemFile.rename(staging, to: folder)
      try SystemFile.synchronize(versionsPath)
    }
    if current != nil, let old = SystemFile.target(currentPath), old != target {
      try SystemFile.link(previousPath, to: old)
    }
    try SystemFile.link(currentPath, to: target)
    try SystemFile.synchronize(path)
    removeUnused()
  }

  /// Updates the server's entity tag of the current version, unless the store is read-only.
  func update(_ version: ModelVersion) throws(ModelHostingError) {
    do throws(ModelHostingError) {
      let lock = try FileLock(waitingFor: lockPath)
      defer { extendLifetime(lock) }
      guard let current, current.sha256 == version.sha256, current != version else { return }
      try write(version, to: folder(at: currentPath))
    } catch { guard error.isReadOnly else { throw error } }
  }

  private func write(_ version: ModelVersion, to folder: String) throws(ModelHostingError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let record = try? encoder.encode(version) else {
      throw .file(path: folder, errno: EINVAL)
    }
    try SystemFile.write(Array(record), to: folder + "/version.json")
  }

  /// Makes the previous version the current one; returns `nil` if there is none.
  func rollBack() throws(ModelHostingError) -> ModelVersion? {
    guard current != nil || previous != nil else { return nil }
    let lock = try FileLock(waitingFor: lockPath)
    defer { extendLifetime(lock) }
    guard let version = previous, let target = SystemFile.target(previousPath) else { return nil }
    let newer = SystemFile.target(currentPath)
    try SystemFile.link(currentPath, to: target)
    try SystemFile.synchronize(path)
    if let newer { try SystemFile.link(previousPath, to: newer) }
    return version
  }

  /// Removes a damaged current version; the previous version replaces it, if intact. Returns the
  /// damage; `nil` if there is none.
  @discardableResult
  func repair() throws(ModelHostingError) -> ModelHostingError? {
    guard damage != nil else { return nil }
    let lock = try FileLock(waitingFor: lockPath)
    defer { extendLifetime(lock) }
    // Another process may have repaired it meanwhile.
    guard let damage else { return nil }
    if previous != nil, let target = SystemFile.target(previousPath) {
      try SystemFile.link(currentPath, to: target)
    } else {
      SystemFile.remove(currentPath)
    }
    try SystemFile.synchronize(path)
    removeUnused()
    return damage
  }

  /// Removes all versions and partial downloads; returns `false` if there was no current version.
  func delete() throws(ModelHostingError) -> Bool {
    guard FileManager.default.fileExists(atPath: path) else { return false }
    let lock = try FileLock(waitingFor: lockPath)
    defer { extendLifetime(lock) }
    let wasThere = SystemFile.exists(currentPath)
    // Without this link the model does not exist, even if the rest cannot be removed.
    SystemFile.remove(currentPath)
    SystemFile.remove(previousPath)
    try SystemFile.synchronize(path)
    SystemFile.remove(partialPath)
    SystemFile.remove(partialRecordPath)
    removeUnused()
    return wasThere
  }

  /// Removes versions without a link. The lock must be held. A versions folder that is a symbolic
  /// link is left alone.
  private func removeUnused() {
    guard SystemFile.target(path) == nil, SystemFile.target(versionsPath) == nil else { return }
    let used = [currentPath, previousPath].compactMap { SystemFile.target($0) }
    for name in SystemFile.list(versionsPath) where !used.contains("versions/" + name) {
      SystemFile.remove(versionsPath + "/" + name)
    }
  }
}
