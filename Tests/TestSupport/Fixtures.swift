//===--- Fixtures.swift - files that tests read ---------------------------===//

import Foundation

/// Files of the repository.
package enum Fixtures {
  /// The repository's top level.
  package static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// A folder or file in `Tests/Fixtures`.
  package static func folder(_ name: String) -> URL {
    root.appending(path: "Tests/Fixtures/\(name)")
  }

  /// The files of a folder with this extension, by name.
  package static func files(in name: String, withExtension ending: String) -> [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder(name).path)) ?? []
    return names.filter { $0.hasSuffix("." + ending) }.sorted()
      .map { folder(name).appending(path: $0) }
  }

  /// The bytes of a file.
  package static func bytes(of file: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: file)) }
}
