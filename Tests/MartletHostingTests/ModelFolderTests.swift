import Foundation
import MartletBase
import Testing

@testable import MartletHosting

@Suite struct ModelFolderTests {
  /// A folder whose versions are installed without downloads.
  struct Bench {
    let store = FileManager.default.temporaryDirectory.appending(path: "martlet-store-\(UUID())")
    var folder: ModelFolder { ModelFolder(store: store.path, name: "birds", source: "test") }

    @discardableResult
    func install(_ text: String, tag: String = "1") throws -> ModelVersion {
      try folder.make()
      try SystemFile.write(Array(text.utf8), to: folder.partialPath)
      let version = version(text, tag: tag)
      try folder.install(folder.partialPath, as: version)
      return version
    }

    func version(_ text: String, tag: String = "1") -> ModelVersion {
      ModelVersion(
        name: "birds", sizeBytes: text.utf8.count,
        sha256: SHA256.digest(of: Array(text.utf8)).hexadecimal, version: nil, source: "test",
        entityTag: tag, lastModified: nil)
    }

    var contents: String? {
      SystemFile.read(folder.modelPath).map { String(decoding: $0, as: UTF8.self) }
    }

    var versions: Int { SystemFile.list(folder.path + "/versions").count }
  }

  static func bench(_ body: (Bench) throws -> Void) throws {
    let bench = Bench()
    defer { try? FileManager.default.removeItem(at: bench.store) }
    try body(bench)
  }

  @Test func keepsLatestTwoVersions() throws {
    try ModelFolderTests.bench { bench in
      #expect(bench.folder.current == nil && bench.folder.previous == nil)
      let one = try bench.install("one")
      #expect(bench.folder.current == one && bench.folder.previous == nil)
      let two = try bench.install("two")
      #expect(bench.folder.current == two && bench.folder.previous == one)
      let three = try bench.install("three")
      #expect(bench.folder.current == three && bench.folder.previous == two)
      #expect(bench.contents == "three" && bench.versions == 2)
    }
  }

  @Test func sameContentIsOneVersion() throws {
    try ModelFolderTests.bench { bench in
      try bench.install("one")
      let again = try bench.install("one", tag: "2")
      #expect(bench.folder.current == again && bench.folder.previous == nil)
      #expect(bench.versions == 1 && bench.contents == "one")
    }
  }

  @Test func returningVersionBecomesCurrent() throws {
    try ModelFolderTests.bench { bench in
      let one = try bench.install("one")
      let two = try bench.install("two")
      try bench.install("one")
      #expect(bench.folder.current == one && bench.folder.previous == two)
      #expect(try bench.folder.rollBack() == two)
      #expect(bench.contents == "two" && bench.folder.previous == one)
    }
  }

  @Test func ignoresVersionWithDamagedFile() throws {
    try ModelFolderTests.bench { bench in
      let one = try bench.install("one")
      try SystemFile.write([1], to: bench.folder.path + "/versions/\(one.sha256)/model.tflite")
      #expect(bench.folder.current == nil)
      try bench.install("one")
      #expect(bench.folder.current == one && bench.contents == "one")
    }
  }

  /// Changes a file's bytes in place, as disk damage may. Size and name stay the same.
  static func overwrite(_ path: String, with text: String) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: path).resolvingSymlinksInPath())
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  @Test func ignoresVersionWithChangedBytes() throws {
    try ModelFolderTests.bench { bench in
      try bench.install("one")
      try ModelFolderTests.overwrite(bench.folder.modelPath, with: "eno")
      #expect(bench.folder.current == nil)
      try ModelFolderTests.overwrite(bench.folder.modelPath, with: "one")
      #expect(bench.folder.current != nil)
    }
  }

  @Test func ignoresVersionWithChangedBytesAndSameDate() throws {
    try ModelFolderTests.bench { bench in
      try bench.install("one")
      let path = bench.folder.modelPath
      let before = try FileManager.default.attributesOfItem(
        atPath: URL(filePath: path).resolvingSymlinksInPath().path)
      try ModelFolderTests.overwrite(path, with: "eno")
      try FileManager.default.setAttributes(
        [.modificationDate: try #require(before[.modificationDate])],
        ofItemAtPath: URL(filePath: path).resolvingSymlinksInPath().path)
      #expect(bench.folder.current == nil)
    }
  }

  @Test func fallsBackFromDamagedVersion() throws {
    try ModelFolderTests.bench { bench in
      let one = try bench.install("one")
      let two = try bench.install("two")
      #expect(try bench.folder.repair() == nil)
      try ModelFolderTests.overwrite(bench.folder.modelPath, with: "owt")
      #expect(
        try bench.folder.repair()
          == .damaged(
            path: bench.folder.modelPath, found: bench.version("owt").sha256,
            expected: two.sha256))
      #expect(bench.folder.current == one && bench.contents == "one" && bench.versions == 1)
      #expect(try bench.folder.repair() == nil && bench.folder.previous == nil)
    }
  }

  @Test func hasNoModelIfOnlyVersionIsDamaged() throws {
    try ModelFolderTests.bench { bench in
      try bench.install("one")
      try bench.install("two")
      try ModelFolderTests.overwrite(bench.folder.path + "/previous/model.tflite", with: "eno")
      try ModelFolderTests.overwrite(bench.folder.modelPath, with: "owt")
      #expect(try bench.folder.repair() != nil)
      #expect(bench.folder.current == nil && bench.contents == nil)
      #expect(try bench.folder.repair() == nil)
      let two = try bench.install("two")
      #expect(bench.folder.current == two && bench.contents == "two")
    }
  }

  @Test func rollBackSkipsDamagedVersion() throws {
    try ModelFolderTests.bench { bench in
      let one = try bench.install("one")
      let two = try bench.install("two")
      try ModelFolderTests.overwrite(bench.folder.path + "/previous/model.tflite", with: "eno")
      #expect(bench.folder.previous == nil)
      #expect(try bench.folder.rollBack() == nil && bench.folder.current == two)
      // The damaged version does not prevent installing the same content again.
      try bench.install("one")
      #expect(bench.folder.current == one && bench.contents == "one")
    }
  }

  @Test(arguments: ["current", "previous"])
  func replacesFolderInPlaceOfLink(_ name: String) throws {
    try ModelFolderTests.bench { bench in
      try bench.install("one")
      let path = bench.folder.path + "/" + name
      SystemFile.remove(path)
      try SystemFile.makeFolder(path + "/x")
      let two = try bench.install("two")
      #expect(bench.folder.current == two && bench.contents == "two")
      try bench.install("three")
      #expect(bench.folder.previous == two)
      #expect(try bench.folder.delete())
    }
  }

  /// A link could lead to a foreign folder, whose files must be kept.
  @Test(arguments: ["", "/versions"])
  func replacesLinkInPlaceOfFolder(_ name: String) throws {
    try ModelFolderTests.bench { bench in
      try bench.install("one")
      let other = bench.store.path + "-other"
      defer { try? FileManager.default.removeItem(atPath: other) }
      try SystemFile.makeFolder(other + "/versions/sub")
      for file in ["/file", "/versions/file", "/versions/sub/y"] {
        try SystemFile.write([1], to: other + file)
      }
      let files = FileManager.default.subpaths(atPath: other)?.sorted()
      let path = bench.folder.path + name
      for deletes in [true, false] {
        SystemFile.remove(path)
        try FileManager.default.createSymbolicLink(
          atPath: path, withDestinationPath: name.isEmpty ? other : other + "/versions")
        if deletes { _ = try bench.folder.delete() }
        let two = try bench.install("two")
        #expect(bench.folder.current == two && SystemFile.target(path) == nil)
        let left = FileManager.default.subpaths(atPath: other)?.filter { !$0.hasSuffix("lock") }
        #expect(left?.sorted() == files)
      }
    }
  }

  @Test func repairsFolderInPlaceOfCurrentVersion() throws {
    try ModelFolderTests.bench { bench in
      for repairs in [true, false] {
        try bench.install("one")
        SystemFile.remove(bench.folder.path + "/current")
        try SystemFile.makeFolder(bench.folder.path + "/current")
        if repairs {
          #expect(
            try bench.folder.repair()
              == .damaged(path: bench.folder.modelPath, found: nil, expected: nil))
          #expect(!SystemFile.exists(bench.folder.path + "/current"))
        } else {
          #expect(try bench.folder.delete())
        }
      }
    }
  }

  /// A store of an earlier release, whose folder name depends only on the model's name.
  @Test func readsStoreWithNamesOnly() throws {
    try ModelFolderTests.bench { bench in
      let one = try bench.install("one")
      let digest = SHA256.digest(of: Array("birds".utf8)).hexadecimal.prefix(16)
      let earlier = bench.store.appending(path: "birds-\(digest)")
      try FileManager.default.moveItem(atPath: bench.folder.path, toPath: earlier.path)
      try FileManager.default.removeItem(
        at: earlier.appending(path: "versions/\(one.sha256)/checked.json"))
      #expect(bench.folder.path == earlier.path && bench.folder.current == one)
      try ModelFolderTests.overwrite(bench.folder.modelPath, with: "eno")
      #expect(try bench.folder.repair() != nil)
      let other = ModelFolder(store: bench.store.path, name: "birds", source: "other")
      #expect(other.path != earlier.path && other.current == nil)
    }
  }

  @Test func eachSourceHasItsFolder() {
    let folders = [("a", "b"), ("a", "c"), ("a b", ""), ("a", "b "), ("b", "a")].map {
      ModelFolder(store: "/store", name: $0.0, source: $0.1).path
    }
    #expect(Set(folders).count == folders.count)
  }

  @Test func ignoresVersionWithoutRecord() throws {
    try ModelFolderTests.bench { bench in
      let one = try bench.install("one")
      SystemFile.remove(bench.folder.path + "/versions/\(one.sha256)/version.json")
      #expect(bench.folder.current == nil)
      try SystemFile.write(
        Array("{".utf8), to: bench.folder.path + "/versions/\(one.sha256)/version.json")
      #expect(bench.folder.current == nil)
    }
  }

  @Test func deleteRemovesAllVersions() throws {
    try ModelFolderTests.bench { bench in
      #expect(try !bench.folder.delete())
      try bench.install("one")
      try bench.install("two")
      try SystemFile.write([1], to: bench.folder.partialPath)
      #expect(try bench.folder.delete())
      #expect(bench.folder.current == nil && bench.contents == nil && bench.versions == 0)
      #expect(SystemFile.size(bench.folder.partialPath) == nil)
      #expect(try !bench.folder.delete())
    }
  }

  /// Files that a process leaves if it ends between two steps of an installation.
  @Test func installRemovesLeftoverFiles() throws {
    try ModelFolderTests.bench { bench in
      let one = try bench.install("one")
      try SystemFile.makeFolder(bench.folder.path + "/versions/new")
      try SystemFile.write([1, 2], to: bench.folder.path + "/versions/new/model.tflite")
      try SystemFile.makeFolder(
        bench.folder.path + "/versions/" + String(repeating: "0", count: 64))
      try SystemFile.link(bench.folder.path + "/current.new", to: "versions/nowhere")
      try SystemFile.write([1], to: bench.folder.path + "/versions/\(one.sha256)/version.json.new")
      #expect(bench.folder.current == one)
      let two = try bench.install("two")
      #expect(bench.folder.current == two && bench.folder.previous == one && bench.versions == 2)
    }
  }

  @Test func readerKeepsItsVersion() throws {
    try ModelFolderTests.bench { bench in
      try bench.install("one")
      let reader = try FileHandle(forReadingFrom: URL(filePath: bench.folder.modelPath))
      try bench.install("two")
      try bench.install("three")
      #expect(try reader.readToEnd() == Data("one".utf8))
    }
  }

  @Test func onlyOneProcessHoldsLock() throws {
    try ModelFolderTests.bench { bench in
      try bench.folder.make()
      do {
        let lock = try bench.folder.downloadLock()
        #expect(lock != nil)
        #expect(try bench.folder.downloadLock() == nil)
        extendLifetime(lock)
      }
      #expect(try bench.folder.downloadLock() != nil)
    }
  }

  @Test(arguments: [
    "birds", "Birds", "../x", "/", "", "a/b", "ä", "\u{0}", ".", "..", "birds ", "-",
    String(repeating: "x", count: 5000), String(repeating: "x", count: 5001),
  ])
  func eachNameHasItsFolder(_ name: String) {
    let others = ["birds", "Birds", "../x", "/", "", "a/b", "ä", "..", "birds "].filter {
      $0 != name
    }
    let folder = ModelFolder(store: "/store", name: name, source: "s")
    let last = folder.path.dropFirst("/store/".count)
    #expect(folder.path.hasPrefix("/store/") && !last.contains("/") && last.count < 100)
    #expect(last.utf8.allSatisfy { $0 > 32 && $0 < 127 } && !last.hasPrefix("."))
    for other in others {
      let path = ModelFolder(store: "/store", name: other, source: "s").path
      // Also distinct on file systems that ignore case.
      #expect(path.lowercased() != folder.path.lowercased())
    }
  }

  @Test func reportsReadOnlyFolder() {
    #expect(throws: ModelHostingError.self) {
      try ModelFolder(store: "/dev/null", name: "a", source: "s").make()
    }
  }
}
