//===--- SharedMaterial.swift - test material outside the repository ------===//
//
// Real models and the outputs of another implementation are not part of this repository. Where they
// lie beside it, in `../shared`, tests use them; where they do not, those tests are skipped, and the
// report says so:
//
//     @Test(.enabled(if: SharedMaterial.holds("conformance"), "needs ../shared/conformance"))
//===----------------------------------------------------------------------===//

import Foundation

/// Files that lie beside the repository.
package enum SharedMaterial {
  /// Whether the folder beside the repository holds `path`.
  package static func holds(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: url(path).path)
  }

  /// The file or folder of that path in the folder beside the repository.
  package static func url(_ path: String) -> URL {
    Fixtures.root.deletingLastPathComponent().appending(path: "shared/" + path)
  }

  /// The files under `path` whose names end so, in the order of their names.
  package static func files(in path: String, ending: String) -> [URL] {
    let names = FileManager.default.enumerator(atPath: url(path).path)?.allObjects ?? []
    return names.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) }.sorted()
      .map { url(path).appendingPathComponent($0) }
  }
}
