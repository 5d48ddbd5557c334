import Foundation
import MartletCommandLine
import Testing

@Suite struct FilesTests {
  /// Calls `body` with a folder that is gone afterwards.
  func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder + "/inner")
  }

  @Test func whatIsWrittenIsRead() throws {
    try inFolder { folder in
      try Files.makeFolder(folder)
      try Files.write([0, 255, 10], to: folder + "/b")
      try Files.write(Array("one\n\ntwo\r\n".utf8), to: folder + "/a")
      #expect(try Files.read(folder + "/b") == [0, 255, 10])
      #expect(try Files.lines(folder + "/a") == ["one", "two"])
      #expect(try Files.list(folder) == ["a", "b"])
      #expect(Files.isFolder(folder))
      #expect(!Files.isFolder(folder + "/a"))
    }
  }

  @Test func whatIsNotThereIsNamed() throws {
    try inFolder { folder in
      let path = folder + "/none"
      #expect(throws: FileError.unreadable(path: path)) { try Files.read(path) }
      #expect(throws: FileError.unreadable(path: path)) { try Files.list(path) }
      #expect(throws: FileError.unwritable(path: path)) { try Files.write([1], to: path) }
      #expect(!Files.isFolder(path))
    }
  }
}
