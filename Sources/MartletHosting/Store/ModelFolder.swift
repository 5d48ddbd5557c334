//===--- ModelFolder.swift - the versions of one model on disk ------------===//
//
//     current            a symbolic link to the version in use
//     previous           a symbolic link to the version before it
//     versions/SHA-256/  model.tflite, version.json; never changed once it has this name
//                        checked.json: which file's digest was computed last
//     partial.*          a download that is not complete
//     lock               who changes the links; download.lock: who downloads
//
// A version is written in full, and on the disk, before a link leads to it. Which version is in use is
// one link, replaced by one rename: whoever is interrupted, at any point, leaves the version before or
// the version after. Readers take no lock: they open `current/model.tflite`.
//
// Contract  Several processes may use the same folder. A version is one only as long as its file has the
//           digest that it was downloaded with.
// Checked   Tests/MartletHostingTests/ModelFolderTests.swift, .ci/kill-downloads
//===----------------------------------------------------------------------===//

import Foundation
import MartletDigest

/// The folder of one model.
struct ModelFolder: Sendable {
  let path: String
  /// What the model's source is known by: versions of another source are none of this model's.
  let source: String

  /// The folder of the model `name` of the source that is known by `source`, in the store at `store`.
  init(store: String, name: String, source: String) {
    // Earlier stores know a model by its name alone.
    let earlier = store + "/" + ModelFolder.fileName(of: name, known: name)
    let own = ModelFolder.fileName(of: name, known: "\(name.utf8.count) \(name) \(source)")
    path = ModelFolder.owner(of: earlier)?.source == source ? earlier : store + "/" + own
    self.source = source
  }

  private init(path: String, source: String) {
    self.path = path
    self.source = source
  }

  /// Where the file of the version in use is, and will be after each change.
  var modelPath: String { path + "/current/model.tflite" }

  private var versionsPath: String { path + "/versions" }
  private var currentPath: String { path + "/current" }
  private var previousPath: String { path + "/previous" }
  var partialPath: String { path + "/partial.tflite" }
  var partialRecordPath: String { path + "/partial.json" }
  private var lockPath: String { path + "/lock" }

  /// A name that every file system takes, and another one for each model, known by `key`.
  private static func fileName(of name: String, known key: String) -> String {
    let readable = name.unicodeScalars.prefix(40).map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        ? Character(scalar) : "-"
    }
    return String(readable) + "-" + SHA256.digest(of: Array(key.utf8)).hexadecimal.prefix(16)
  }

  /// The folders of all models of the store at `store` that have a version, with the models' names.
  static func all(inStore store: String) -> [(name: String, folder: ModelFolder)] {
    SystemFile.list(store).compactMap { file in
      let path = store + "/" + file
      return owner(of: path).map { ($0.name, ModelFolder(path: path, source: $0.source)) }
    }
  }

  /// The record that tells whose the folder at `path` is: that of the version in use, or of any other.
  private static func owner(of path: String) -> ModelVersion? {
    record(in: path + "/current")
      ?? SystemFile.list(path + "/versions").lazy
      .compactMap { record(in: path + "/versions/" + $0) }.first
  }

  private static func record(in folder: String) -> ModelVersion? {
    SystemFile.read(folder + "/version.json")
      .flatMap { try? JSONDecoder().decode(ModelVersion.self, from: $0) }
  }

  /// Makes the folder. A link in its place, or in that of its versions, is replaced: what no version
  /// uses is removed from there, and a link may lead to a folder of somebody else's.
  func make() throws(ModelHostingError) {
    for path in [path, versionsPath] where SystemFile.target(path) != nil {
      SystemFile.remove(path)
    }
    try SystemFile.makeFolder(versionsPath)
  }

  /// The right to download, or `nil` while another process has it.
  func downloadLock() throws(ModelHostingError) -> FileLock? {
    try FileLock(path + "/download.lock")
  }

  // MARK: - Reading

  /// The version in use, if its file is there and whole.
  var current: ModelVersion? { version(at: currentPath) }

  /// The version before it.
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

  /// The folder that the link at `path` leads to, so that what is read of it is of one version.
  private func folder(at path: String) -> String {
    guard let target = SystemFile.target(path), target.hasPrefix("versions/") else { return path }
    return self.path + "/" + target
  }

  /// What is wrong with the version in use; `nil` if it is whole, or there is none.
  private var damage: ModelHostingError? {
    guard current == nil, SystemFile.exists(currentPath) else { return nil }
    let folder = folder(at: currentPath)
    return .damaged(
      path: modelPath, found: CheckedFile.digest(in: folder),
      expected: ModelFolder.record(in: folder)?.sha256)
  }

  // MARK: - Changing

  /// Makes the file at `file`, which is on the disk and is moved, the version in use.
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

  /// Notes what the server calls the version in use by now, unless the store cannot be written.
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

  /// Puts the version before the present one in its place; `nil` if there is none.
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

  /// Takes a damaged version out of use: the version before takes its place, if that is whole. Gives what
  /// was wrong; `nil` if nothing was.
  @discardableResult
  func repair() throws(ModelHostingError) -> ModelHostingError? {
    guard damage != nil else { return nil }
    let lock = try FileLock(waitingFor: lockPath)
    defer { extendLifetime(lock) }
    // Another process may have done it meanwhile.
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

  /// Removes all versions and what was downloaded of another; `false` if none was in use.
  func delete() throws(ModelHostingError) -> Bool {
    guard FileManager.default.fileExists(atPath: path) else { return false }
    let lock = try FileLock(waitingFor: lockPath)
    defer { extendLifetime(lock) }
    let wasThere = SystemFile.exists(currentPath)
    // Without this link there is no model, whatever happens to the rest.
    SystemFile.remove(currentPath)
    SystemFile.remove(previousPath)
    try SystemFile.synchronize(path)
    SystemFile.remove(partialPath)
    SystemFile.remove(partialRecordPath)
    removeUnused()
    return wasThere
  }

  /// Removes versions that no link leads to; the lock must be held. A folder that is elsewhere, by a
  /// link, is left alone.
  private func removeUnused() {
    guard SystemFile.target(path) == nil, SystemFile.target(versionsPath) == nil else { return }
    let used = [currentPath, previousPath].compactMap { SystemFile.target($0) }
    for name in SystemFile.list(versionsPath) where !used.contains("versions/" + name) {
      SystemFile.remove(versionsPath + "/" + name)
    }
  }
}
