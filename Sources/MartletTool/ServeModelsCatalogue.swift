//===--- ServeModelsCatalogue.swift - the models of a folder --------------===//
//
// Contract  A model is a plain file of the folder itself whose name ends in `.tflite` or `.lite` and
//           does not begin with a dot; its name is the file's without that ending. Digests are
//           computed once for each version of a file.
// Checked   Tests/MartletToolTests/ServeModelsTests.swift
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletDigest
import MartletHTTP
import Synchronization

/// Finds models in a folder.
final class ServeModelsCatalogue: Sendable {
  /// A model of the folder.
  struct Entry: Sendable {
    let name: String
    let file: ReadableFile
    let digest: Digest
  }

  private static let endings = [".tflite", ".lite"]

  private let folder: String
  private let digests = Mutex<[String: (ReadableFile.Identity, Digest)]>([:])

  init(folder: String) { self.folder = folder }

  /// The names of all models, sorted.
  func names() throws(FileError) -> [String] {
    var names: [String] = []
    for file in try Files.list(folder) {
      if let name = ServeModelsCatalogue.name(ofFile: file), !names.contains(name) {
        names.append(name)
      }
    }
    return names
  }

  /// The model of that name, if there is one; no other file can be named.
  func entry(_ name: String) throws(FileError) -> Entry? {
    for fileName in try Files.list(folder)
    where ServeModelsCatalogue.name(ofFile: fileName) == name {
      if let file = ReadableFile(folder + "/" + fileName), let digest = digest(of: file, fileName) {
        return Entry(name: name, file: file, digest: digest)
      }
    }
    return nil
  }

  private static func name(ofFile file: String) -> String? {
    guard !file.hasPrefix("."), let ending = endings.first(where: file.hasSuffix) else {
      return nil
    }
    return String(file.dropLast(ending.count))
  }

  private func digest(of file: ReadableFile, _ name: String) -> Digest? {
    if let (identity, digest) = digests.withLock({ $0[name] }), identity == file.identity {
      return digest
    }
    var hash = SHA256()
    guard file.forEachPiece(of: 0..<file.size, size: 1 << 18, { hash.update($0) }) else {
      return nil
    }
    let digest = hash.finish()
    digests.withLock { $0[name] = (file.identity, digest) }
    return digest
  }
}
