//===--- SharedMaterial.swift - test material outside the repository ------===//
//
// Real models and the outputs of another implementation are not part of this repository. Where they
// lie beside it, in `../shared`, tests use them; where they do not, tests say so and pass.
//===----------------------------------------------------------------------===//

import Foundation

/// Files that lie beside the repository.
package enum SharedMaterial {
  /// The folder beside the repository that holds `path`, or `nil`, with a line printed.
  package static func url(_ path: String) -> URL? {
    let url = Fixtures.root.deletingLastPathComponent().appending(path: "shared/" + path)
    if FileManager.default.fileExists(atPath: url.path) { return url }
    print("SKIPPED: \(url.path) is not there")
    return nil
  }

  /// The files under `path` whose names end so, in the order of their names.
  package static func files(in path: String, ending: String) -> [URL] {
    guard let folder = url(path),
      let names = FileManager.default.enumerator(atPath: folder.path)
    else { return [] }
    return names.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) }.sorted()
      .map { folder.appendingPathComponent($0) }
  }
}
