//===--- SharedMaterial.swift - test material outside the repository ------===//
//
// Real models and the outputs of another implementation are not part of this repository. Where they
// lie beside it, in `../shared`, tests use them; where they do not, tests say so and pass.
//===----------------------------------------------------------------------===//

import Foundation

/// Files that lie beside the repository.
package enum SharedMaterial {
  /// The folder beside the repository that holds `path`, or `nil`, with a line printed.
  package static func url(_ path: String, filePath: String = #filePath) -> URL? {
    let repository = URL(fileURLWithPath: filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let url = repository.deletingLastPathComponent().appendingPathComponent("shared/" + path)
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

  /// The bytes of a file.
  package static func bytes(of url: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: url)) }
}
