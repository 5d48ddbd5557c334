//===--- ModelFolder.swift - the versions of one model on disk ------------===//
//
//     current            a symbolic link to the version in use
//     previous           a symbolic link to the version before it
//     versions/SHA-256/  model.tflite, version.json; never changed once it has this name
//     partial.*          a download that is not complete
//     lock               who changes the links; download.lock: who downloads
//
// A version is written in full, and on the disk, before a link leads to it. Which version is in use is
// one link, replaced by one rename: whoever is interrupted, at any point, leaves the version before or
// the version after. Readers take no lock: they open `current/model.tflite`.
//
// Contract  Several processes may use the same folder.
// Checked   Tests/MartletHostingTests/ModelFolderTests.swift, .ci/kill-downloads
//===----------------------------------------------------------------------===//

import Foundation
import MartletDigest

/// The folder of one model.
struct ModelFolder: Sendable {
  let path: String

  /// The folder of the model `name` in the store at `store`.
  init(store: String, name: String) {
    path = store + "/" + ModelFolder.fileName(of: name)
  }

  /// Where the file of the version in use is, and will be after each change.
  var modelPath: String { path + "/current/model.tflite" }

  private var versionsPath: String { path + "/versions" }
  private var currentPath: String { path + "/current" }
  private var previousPath: String { path + "/previous" }
  var partialPath: String { path + "/partial.tflite" }
  var partialRecordPath: String { path + "/partial.json" }
  private var lockPath: String { path + "/lock" }

  /// A name that every file system takes, and another one for each model.
  private static func fileName(of name: String) -> String {
    let readable = name.unicodeScalars.prefix(40).map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        ? Character(scalar) : "-"
    }
    return String(readable) + "-" + SHA256.digest(of: Array(name.utf8)).hexadecimal.prefix(16)
  }

  private init(path: String) { self.path = path }

  /// The versions in use of all models of the store at `store`.
  static func versions(inStore store: String) -> [ModelVersion] {
    SystemFile.list(store).compactMap { ModelFolder(path: store + "/" + $0).current }
  }

  func make() throws(ModelHostingError) { try SystemFile.makeFolder(versionsPath) }

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
    guard let record = SystemFile.read(path + "/version.json"),
      let version = try? JSONDecoder().decode(ModelVersion.self, from: record),
      SystemFile.size(path + "/model.tflite") == version.sizeBytes
    else { return nil }
    return version
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

  /// Notes what the server calls the version in use by now.
  func update(_ version: ModelVersion) throws(ModelHostingError) {
    let lock = try FileLock(waitingFor: lockPath)
    defer { extendLifetime(lock) }
    guard let current, current.sha256 == version.sha256, current != version else { return }
    try write(version, to: path + "/versions/" + version.sha256)
  }

  private func write(_ version: ModelVersion, to folder: String) throws(ModelHostingError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let record = try? encoder.encode(version) else {
      throw .file(path: folder, errno: EINVAL)
    }
    try SystemFile.write(Array(record), to: folder + "/version.json")
  }

  /// Puts the version before the present one in its place; `nil` where there is none.
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

  /// Removes all versions and what was downloaded of another; `false` where there is no version.
  func delete() throws(ModelHostingError) -> Bool {
    guard FileManager.default.fileExists(atPath: path) else { return false }
    let lock = try FileLock(waitingFor: lockPath)
    defer { extendLifetime(lock) }
    let wasThere = current != nil
    // Without this link there is no model, whatever happens to the rest.
    SystemFile.remove(currentPath)
    SystemFile.remove(previousPath)
    try SystemFile.synchronize(path)
    SystemFile.remove(partialPath)
    SystemFile.remove(partialRecordPath)
    removeUnused()
    return wasThere
  }

  /// Removes versions that no link leads to; the lock must be held.
  private func removeUnused() {
    let used = [currentPath, previousPath].compactMap { SystemFile.target($0) }
    for name in SystemFile.list(versionsPath) where !used.contains("versions/" + name) {
      SystemFile.remove(versionsPath + "/" + name)
    }
  }
}
