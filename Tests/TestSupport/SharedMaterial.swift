//===--- SharedMaterial.swift - test material outside the repository ------===//
//
// Real models and the outputs of LiteRT are not part of this repository. Tests use them if they are
// in `../shared`. Otherwise these tests are skipped, and the report says so:
//
//     @Test(.enabled(if: SharedMaterial.holds("conformance"), "needs ../shared/conformance"))
//===----------------------------------------------------------------------===//

import Foundation

/// Files next to the repository.
package enum SharedMaterial {
  /// Whether `path` exists in the folder next to the repository.
  package static func holds(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: url(path).path)
  }

  /// The file or folder with this path in the folder next to the repository.
  package static func url(_ path: String) -> URL {
    Fixtures.root.deletingLastPathComponent().appending(path: "shared/" + path)
  }

  /// The files under `path` with this suffix, sorted by name.
  package static func files(in path: String, ending: String) -> [URL] {
    let names = FileManager.default.enumerator(atPath: url(path).path)?.allObjects ?? []
    return names.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) }.sorted()
      .map { url(path).appendingPathComponent($0) }
  }
}
