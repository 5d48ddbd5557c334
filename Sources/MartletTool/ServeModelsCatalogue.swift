//===--- ServeModelsCatalogue.swift - the models of a folder --------------===//
//
// Contract  A model is a plain file whose name in the folder ends in `.tflite` or `.lite`, does not begin
//           with a dot and has no control characters; its name is the file's without that ending. Links are
//           tracked, but no further than the folder. Digests are computed once for each version of a file.
// Checked   Tests/MartletToolTests/ServeModelsTests.swift
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletDigest
import MartletHTTP
import MartletSystem
import Synchronization

/// Why there is no answer about a model.
enum CatalogueError: Error {
  case folder(FileError)
  /// The model's digest is being computed, which takes about so long.
  case digestPending(seconds: Int)
}

/// Finds models in a folder.
final class ServeModelsCatalogue: Sendable {
  /// A model of the folder.
  struct Entry: Sendable {
    let name: String
    let file: ReadableFile
    let digest: Digest
  }

  /// A version of a file, with its digest once that is computed.
  private struct Version {
    let identity: ReadableFile.Identity
    var digest: Digest?
  }

  private static let endings = [".tflite", ".lite"]
  /// About how many bytes are read and hashed in a second.
  private static let hashingSpeed = 100_000_000

  private let folder: String
  /// How long who asks for a model waits for its digest.
  private let patience: Duration
  private let versions = Mutex<[String: Version]>([:])

  init(folder: String, patience: Duration = .seconds(5)) {
    self.folder = folder
    self.patience = patience
  }

  /// The names of all models, sorted.
  func names() throws(CatalogueError) -> [String] {
    var names: [String] = []
    for fileName in try fileNames() {
      if let name = ServeModelsCatalogue.name(ofFile: fileName), !names.contains(name),
        open(fileName) != nil
      {
        names.append(name)
      }
    }
    return names
  }

  /// The model of that name, if there is one; no other file can be named.
  func entry(_ name: String) throws(CatalogueError) -> Entry? {
    for fileName in try fileNames() where ServeModelsCatalogue.name(ofFile: fileName) == name {
      if let file = open(fileName), let digest = try digest(of: file, fileName) {
        return Entry(name: name, file: file, digest: digest)
      }
    }
    return nil
  }

  /// Computes the digests of all models, so that nobody has to wait for them.
  func computeDigests() {
    for fileName in (try? fileNames()) ?? []
    where ServeModelsCatalogue.name(ofFile: fileName) != nil {
      if let file = open(fileName), claim(file, fileName) { compute(file, fileName) }
    }
  }

  private func fileNames() throws(CatalogueError) -> [String] {
    do throws(FileError) { return try Files.list(folder) } catch { throw .folder(error) }
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

  /// Whether the character would break a line of the list of models, or do worse to a terminal.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  // MARK: - Digests

  private func digest(
    of file: ReadableFile, _ fileName: String
  ) throws(CatalogueError) -> Digest? {
    if claim(file, fileName) {
      do throws(SystemError) {
        try Threads.start { [self] in compute(file, fileName) }
      } catch { compute(file, fileName) }
    }
    let deadline = MonotonicClock.now + patience
    while true {
      let version = versions.withLock { $0[fileName] }
      guard let version, version.identity == file.identity else { return nil }
      if let digest = version.digest { return digest }
      guard MonotonicClock.now < deadline else {
        throw .digestPending(seconds: 1 + file.size / ServeModelsCatalogue.hashingSpeed)
      }
      usleep(2000)
    }
  }

  /// Whether it is for the caller to compute the file's digest, as nobody has begun to.
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
      // Of a file that cannot be read nothing is kept: who asks next tries again.
      versions[fileName] =
        isWhole ? Version(identity: file.identity, digest: hash.finish()) : nil
    }
  }
}
