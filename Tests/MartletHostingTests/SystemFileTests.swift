import Foundation
import Testing

@testable import MartletHosting

/// Errors have the number of the call that failed, whatever `errno` was before.
@Suite struct SystemFileTests {
  private static func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path
    try SystemFile.makeFolder(folder)
    defer { SystemFile.remove(folder) }
    try body(folder)
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder = ObjCBool(false)
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  @Test func makesFolderWithItsParents() throws {
    try SystemFileTests.inFolder { folder in
      for path in ["/a/b/c", "/a/b/c", "/a/d/", "/é"] {
        try SystemFile.makeFolder(folder + path)
        #expect(SystemFileTests.isFolder(folder + path))
      }
      // A link to a folder is one.
      try SystemFile.link(folder + "/link", to: "a")
      try SystemFile.makeFolder(folder + "/link")
      try SystemFile.makeFolder(folder + "/link/e")
      #expect(SystemFileTests.isFolder(folder + "/a/e"))
    }
  }

  @Test func errorHasTheNumberOfTheFailedCall() throws {
    try SystemFileTests.inFolder { folder in
      try SystemFile.write([1], to: folder + "/file")
      try SystemFile.link(folder + "/dangling", to: "missing")
      let long = folder + "/" + String(repeating: "a", count: 300)
      for (path, place, number) in [
        (folder + "/file", folder + "/file", EEXIST),
        (folder + "/file/a", folder + "/file/a", ENOTDIR),
        (folder + "/file/a/b", folder + "/file/a/b", ENOTDIR),
        (folder + "/dangling", folder + "/dangling", EEXIST), (long, long, ENAMETOOLONG),
        ("", "", ENOENT),
      ] {
        // A read-only store has one of these numbers.
        for stale in [0, EROFS, EACCES, EPERM, ENOSPC] {
          errno = stale
          let error = #expect(throws: ModelHostingError.self) { try SystemFile.makeFolder(path) }
          #expect(error == .file(path: place, errno: number))
          #expect(error?.isReadOnly == false)
        }
      }
    }
  }

  /// As an unprivileged user in a process of its own.
  @Test func readOnlyParentIsReadOnly() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path
    try SystemFile.makeFolder(folder)
    defer { SystemFile.remove(folder) }
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    await #expect(processExitsWith: .success) { [folder = folder as String] in
      if geteuid() == 0 { try #require(seteuid(65534) == 0) }
      errno = 0
      let error = #expect(throws: ModelHostingError.self) {
        try SystemFile.makeFolder(folder + "/a/b")
      }
      #expect(error == .file(path: folder + "/a", errno: EACCES) && error?.isReadOnly == true)
      // The folder exists: there is nothing to make.
      #expect(throws: Never.self) { try SystemFile.makeFolder(folder) }
    }
  }
}
