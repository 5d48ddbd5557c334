//===--- PartialFile.swift - a download that is not complete --------------===//
//
// The bytes that have come, and beside them a record of which version they belong to and how many of
// them are on the disk for certain. What comes later is appended to those; what lies behind them is not
// trusted, as a power cut may have left anything there.
//
// Contract  For who holds the download lock. Appending waits for the system's memory of the file alone;
//           the disk is waited for on a thread of its own.
// Checked   Tests/MartletHostingTests/PartialFileTests.swift
//===----------------------------------------------------------------------===//

import Dispatch
import Foundation
import Synchronization

/// What is known of a file that is being downloaded.
struct PartialRecord: Codable, Equatable, Sendable {
  /// Which file it is: what was requested, and its digest where that was announced.
  var key: String
  var entityTag: String?
  var lastModified: String?
  /// How many bytes the whole file has, if the server said so.
  var size: Int?
  /// How many bytes are on the disk.
  var stored = 0

  /// What the server needs to know to send the rest of this version alone; `nil` if it has named
  /// nothing that would do.
  var validator: String? {
    if let entityTag { return entityTag.hasPrefix("W/") ? nil : entityTag }
    return lastModified
  }
}

/// A file in the making.
final class PartialFile: Sendable {
  /// After how many bytes the record is brought up to date.
  static let checkpoint = 1 << 18

  private struct State {
    var record: PartialRecord
    var count: Int
    var isSaving = false
    /// What a save in between has failed with.
    var failure: ModelHostingError?
  }

  private let folder: ModelFolder
  private let file: WritableFile
  private let state: Mutex<State>
  private let saving = DispatchQueue(label: "martlet.hosting.partial")

  /// How many bytes are there.
  var count: Int { state.withLock { $0.count } }

  /// The file of `record`, of which the first `record.stored` bytes are there.
  init(_ folder: ModelFolder, _ record: PartialRecord) throws(ModelHostingError) {
    self.folder = folder
    state = Mutex(State(record: record, count: record.stored))
    file = try WritableFile(folder.partialPath, keeping: record.stored)
    try save()
  }

  /// The record of what is there of the file `key`, if it can be continued: by a server that can tell
  /// whether the file is still the same, or because the digest will tell.
  static func record(
    _ folder: ModelFolder, key: String, hasDigest: Bool
  ) -> PartialRecord? {
    guard let data = SystemFile.read(folder.partialRecordPath),
      var record = try? JSONDecoder().decode(PartialRecord.self, from: data), record.key == key,
      hasDigest || record.validator != nil, record.stored > 0,
      let size = SystemFile.size(folder.partialPath), size >= record.stored
    else { return nil }
    // One byte at least is left to ask for, so that the server always says which version it has.
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

  /// Waits until all bytes are on the disk, and notes how many there are.
  func save() throws(ModelHostingError) {
    saving.sync { secure() }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private func secure() {
    // The system tells of a failure once: a file that has failed stays so.
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
