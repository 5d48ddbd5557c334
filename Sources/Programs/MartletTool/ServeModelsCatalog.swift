//===--- ServeModelsCatalog.swift - the models of a folder ----------------===//
//
// Contract  A model is a regular file in the folder. Its name ends in `.tflite` or `.lite`, does
//           not begin with a dot, is UTF-8 and has no control characters; the model's name is without
//           that ending. Links are followed, but only within the folder. Digests are computed once for
//           each version of a file.
// Checked   Tests/MartletToolTests/ServeModelsTests.swift
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletSystem
import Synchronization

/// An error of finding a model.
enum CatalogError: Error {
  case folder(FileError)
  /// The model's digest is being computed, which takes about this long.
  case digestPending(seconds: Int)
}

/// Finds models in a folder.
final class ServeModelsCatalog: Sendable {
  /// A model of the folder.
  struct Entry: Sendable {
    let name: String
    let file: ReadableFile
    let digest: Digest
  }

  /// A version of a file, with its digest once it is computed.
  private struct Version {
    let identity: ReadableFile.Identity
    var digest: Digest?
  }

  private static let endings = [".tflite", ".lite"]
  /// The approximate number of bytes read and hashed per second.
  private static let hashingSpeed = 100_000_000

  private let folder: String
  /// How long a request waits for a digest.
  private let digestTimeout: Duration
  private let versions = Mutex<[String: Version]>([:])

  init(folder: String, digestTimeout: Duration = .seconds(5)) {
    self.folder = folder
    self.digestTimeout = digestTimeout
  }

  /// The names of all models, sorted.
  func names() throws(CatalogError) -> [String] {
    var names: [String] = []
    for fileName in try fileNames() {
      if let name = ServeModelsCatalog.name(ofFile: fileName), !names.contains(name),
        open(fileName) != nil
      {
        names.append(name)
      }
    }
    return names
  }

  /// The model with this name, if there is one. No other file can be accessed.
  func entry(_ name: String) throws(CatalogError) -> Entry? {
    for fileName in try fileNames() where ServeModelsCatalog.name(ofFile: fileName) == name {
      if let file = open(fileName), let digest = try digest(of: file, fileName) {
        return Entry(name: name, file: file, digest: digest)
      }
    }
    return nil
  }

  /// Computes the digests of all models in advance.
  func computeDigests() {
    for fileName in (try? fileNames()) ?? []
    where ServeModelsCatalog.name(ofFile: fileName) != nil {
      if let file = open(fileName), claim(file, fileName) { compute(file, fileName) }
    }
  }

  private func fileNames() throws(CatalogError) -> [String] {
    do throws(FileError) {
      // A URL has UTF-8 text.
      return try Files.list(FilePath(folder)).filter { $0.base64 == nil }.map(\.description)
    } catch { throw .folder(error) }
  }

  private func open(_ fileName: String) -> ReadableFile? {
    ReadableFile(folder + "/" + fileName, inside: folder)
  }

  private static func name(ofFile file: String) -> String? {
    guard !file.hasPrefix("."), let ending = endings.first(where: file.hasSuffix),
      !file.unicodeScalars.contains(where: isControl)
    else { return nil }
    return String(file.dropLast(ending.count))
  }

  /// Whether the character would break the list of models, or could control a terminal.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  // MARK: - Digests

  private func digest(
    of file: ReadableFile, _ fileName: String
  ) throws(CatalogError) -> Digest? {
    if claim(file, fileName) {
      do throws(SystemError) {
        try Threads.start { [self] in compute(file, fileName) }
      } catch { compute(file, fileName) }
    }
    let deadline = MonotonicClock.now + digestTimeout
    while true {
      let version = versions.withLock { $0[fileName] }
      guard let version, version.identity == file.identity else { return nil }
      if let digest = version.digest { return digest }
      guard MonotonicClock.now < deadline else {
        throw .digestPending(seconds: 1 + file.size / ServeModelsCatalog.hashingSpeed)
      }
      usleep(2000)
    }
  }

  /// Whether the caller must compute the file's digest, because no other thread has begun.
  private func claim(_ file: ReadableFile, _ fileName: String) -> Bool {
    versions.withLock { versions in
      guard versions[fileName]?.identity != file.identity else { return false }
      versions[fileName] = Version(identity: file.identity)
      return true
    }
  }

  private func compute(_ file: ReadableFile, _ fileName: String) {
    var hash = SHA256()
    let isWhole = file.forEachPiece(of: 0..<file.size, size: 1 << 18) { hash.update($0) }
    versions.withLock { versions in
      guard versions[fileName]?.identity == file.identity else { return }
      // An unreadable file has no stored digest; the next request tries again.
      versions[fileName] =
        isWhole ? Version(identity: file.identity, digest: hash.finish()) : nil
    }
  }
}
