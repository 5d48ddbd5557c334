import Foundation
import MartletCommandLine
import MartletSystem
import MartletTestSupport
import Testing

@Suite struct FilesTests {
  /// Calls `body` with a temporary folder and removes it afterwards.
  func inFolder(_ body: (FilePath) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(FilePath(folder) / "inner")
  }

  @Test func readsWrittenFiles() throws {
    try inFolder { folder in
      try Files.makeFolder(folder)
      try Files.write([0, 255, 10], to: folder + "/b")
      try Files.write(Array("one\n\ntwo\r\n".utf8), to: folder + "/a")
      #expect(try Files.read(folder + "/b") == [0, 255, 10])
      #expect(try Files.lines(folder + "/a") == ["one", "two"])
      #expect(try Files.list(folder) == ["a", "b"])
      #expect(Files.kind(folder) == .folder)
      #expect(Files.kind(folder + "/a") == .regular)
    }
  }

  @Test func createsFoldersWithTheirParents() throws {
    try inFolder { folder in
      for path in [folder + "/a/b/c", folder + "/a/b/c", folder + "/d//", folder + "/a//e/./"] {
        try Files.makeFolder(path)
        #expect(Files.kind(path) == .folder)
      }
      try Files.write([1], to: folder + "/file")
      #expect(
        throws: FileError.unwritable(path: folder + "/file", SystemError(EEXIST))
      ) { try Files.makeFolder(folder + "/file") }
      #expect(
        throws: FileError.unwritable(path: folder + "/file/x", SystemError(ENOTDIR))
      ) { try Files.makeFolder(folder + "/file/x") }
    }
  }

  @Test func reportsMissingFiles() throws {
    try inFolder { folder in
      let path = folder + "/none"
      let reason = SystemError(ENOENT)
      #expect(throws: FileError.unreadable(path: path, reason)) { try Files.read(path) }
      #expect(throws: FileError.unreadable(path: path, reason)) { try Files.list(path) }
      #expect(throws: FileError.unwritable(path: path, reason)) {
        try Files.write([1], to: path)
      }
      #expect(Files.kind(path) == nil)
    }
  }
}
