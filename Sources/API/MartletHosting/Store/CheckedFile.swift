//===--- CheckedFile.swift - cached digests of stored files ---------------===//
//
// A stored file may be damaged over the years. Its digest is computed again whenever the file's
// status shows that it was replaced or written.
//
// Contract  A cached digest is valid for one file: its device, number, size and times.
// Cost      One pass over the file the first time and after each change; otherwise one `stat`.
//===----------------------------------------------------------------------===//

import Foundation
import MartletBase

/// The file whose digest `checked.json` caches.
struct CheckedFile: Codable {
  private let identity: ReadableFile.Identity
  private let sha256: String

  /// The SHA-256 of the model's file in `folder`; `nil` if it cannot be read.
  static func digest(in folder: String) -> String? {
    guard let file = ReadableFile(folder + "/model.tflite") else { return nil }
    if let data = SystemFile.read(folder + "/checked.json"),
      let checked = try? JSONDecoder().decode(CheckedFile.self, from: data),
      checked.identity == file.identity
    {
      return checked.sha256
    }
    guard let digest = file.digest() else { return nil }
    CheckedFile(identity: file.identity, sha256: digest.hexadecimal).write(to: folder)
    return digest.hexadecimal
  }

  /// Caches the digest of the model's file in `folder`.
  static func note(_ sha256: String, in folder: String) {
    guard let file = ReadableFile(folder + "/model.tflite") else { return }
    CheckedFile(identity: file.identity, sha256: sha256).write(to: folder)
  }

  /// Writes the record. Has no effect in a read-only store.
  private func write(to folder: String) {
    guard let data = try? JSONEncoder().encode(self) else { return }
    try? SystemFile.write(Array(data), to: folder + "/checked.json")
  }
}
