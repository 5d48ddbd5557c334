//===--- PartialFile.swift - an incomplete download -----------------------===//
//
// The bytes received so far, and a record of their version and of how many of them are certainly on
// disk. A resumed download is appended to those. Bytes after them are not trusted, because a power
// failure may have left anything there.
//
// Contract  Requires the download lock. Appending waits only for the system's page cache; a
//           separate thread waits for the disk.
//===----------------------------------------------------------------------===//

import Dispatch
import Foundation
import MartletBase

/// The record of an incomplete download.
struct PartialRecord: Codable, Equatable, Sendable {
  /// The key of the file: the request, and the announced digest if there is one.
  var key: String
  var entityTag: String?
  var lastModified: String?
  /// The size of the whole file in bytes; `nil` if unknown.
  var size: Int?
  /// The number of bytes on disk.
  var stored = 0

  /// The `If-Range` value for requesting the rest of this version; `nil` if the server sent no
  /// suitable one.
  var validator: String? {
    if let entityTag { return entityTag.hasPrefix("W/") ? nil : entityTag }
    return lastModified
  }
}

/// An incomplete file that is being downloaded.
final class PartialFile: Sendable {
  /// The number of bytes after which the record is updated: 256 KiB.
  static let checkpoint = 1 << 18

  private struct State {
    var record: PartialRecord
    var count: Int
    var isSaving = false
    /// The error of a save in the background.
    var failure: ModelHostingError?
  }

  private let folder: ModelFolder
  private let file: WritableFile
  private let state: Mutex<State>
  private let saving = DispatchQueue(label: "martlet.hosting.partial")

  /// The number of bytes received.
  var count: Int { state.withLock { $0.count } }

  /// The file of `record`, with its first `record.stored` bytes.
  init(_ folder: ModelFolder, _ record: PartialRecord) throws(ModelHostingError) {
    self.folder = folder
    state = Mutex(State(record: record, count: record.stored))
    file = try WritableFile(folder.partialPath, keeping: record.stored)
    try save()
  }

  /// The record of the file `key`, if the download can be resumed: the server can check that the
  /// file is unchanged, or a digest can.
  static func record(
    _ folder: ModelFolder, key: String, hasDigest: Bool
  ) -> PartialRecord? {
    guard let data = SystemFile.read(folder.partialRecordPath),
      var record = try? JSONDecoder().decode(PartialRecord.self, from: data), record.key == key,
      hasDigest || record.validator != nil, record.stored > 0,
      let size = SystemFile.size(folder.partialPath), size >= record.stored
    else { return nil }
    // Keeps at least one byte to request, so that the server always names its version.
    if let whole = record.size { record.stored = min(record.stored, whole - 1) }
    return record.stored > 0 ? record : nil
  }

  static func discard(_ folder: ModelFolder) {
    SystemFile.remove(folder.partialRecordPath)
    SystemFile.remove(folder.partialPath)
  }

  func append(_ bytes: Data) throws(ModelHostingError) {
    try file.append(bytes.span)
    let (isDue, failure) = state.withLock { state in
      state.count += bytes.count
      let isDue = !state.isSaving && state.count - state.record.stored >= PartialFile.checkpoint
      if isDue { state.isSaving = true }
      return (isDue, state.failure)
    }
    if let failure { throw failure }
    if isDue { saving.async { self.secure() } }
  }

  /// Writes all bytes to disk and updates the record.
  func save() throws(ModelHostingError) {
    saving.sync { secure() }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private func secure() {
    // The system reports a failure only once, so a file that failed stays failed.
    guard state.withLock({ $0.failure == nil }) else { return }
    var failure: ModelHostingError?
    do throws(ModelHostingError) { try write() } catch { failure = error }
    state.withLock { state in
      state.isSaving = false
      state.failure = failure
    }
  }

  private func write() throws(ModelHostingError) {
    let count = state.withLock { $0.count }
    try file.synchronize()
    let record = state.withLock { state in
      state.record.stored = count
      return state.record
    }
    guard let data = try? JSONEncoder().encode(record) else {
      throw .file(path: folder.partialRecordPath, errno: EINVAL)
    }
    try SystemFile.write(Array(data), to: folder.partialRecordPath)
  }
}
