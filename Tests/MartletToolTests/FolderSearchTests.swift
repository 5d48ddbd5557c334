import Foundation
import MartletCommandLine
import MartletTestSupport
import Testing

@testable import MartletTool

@Suite struct FolderSearchTests {
  let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path

  /// A folder with two images, three other files and a hidden one, a link to an image, a pipe with an
  /// image's name, a folder with one image, and a link back.
  private func makeTree() throws {
    try Files.makeFolder(folder + "/inner")
    for name in ["b.png", "a.JPG", "notes.txt", "x.heic", "data", ".hidden", "inner/c.bmp"] {
      try Files.write([], to: folder + "/" + name)
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/inner/back", withDestinationPath: folder)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/l.png", withDestinationPath: folder + "/b.png")
    #expect(mkfifo(folder + "/p.png", 0o600) == 0)
  }

  private var images: [FilePath] { ["a.JPG", "b.png", "l.png"].map { FilePath(folder) / $0 } }

  @Test func listsImagesAndCountsTheRest() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try makeTree()
    let search = try FolderSearch(FilePath(folder), isRecursive: false)
    #expect(search.images == images)
    #expect(
      search.leftOut == "3 files of other formats, 1 pipe, socket or device left out"
        && search.rest.folders == 1)
  }

  @Test func recursiveSearchDoesNotFollowLinksToFolders() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try makeTree()
    let search = try FolderSearch(FilePath(folder), isRecursive: true)
    #expect(Set(search.images) == Set(images + [FilePath(folder) / "inner/c.bmp"]))
    #expect(search.rest == .init(otherFiles: 3, folders: 0, links: 1, specialFiles: 1))
    // A link that is named itself is followed.
    let link = FilePath(folder) / "inner/back"
    #expect(try FolderSearch(link, isRecursive: true).images.count == 4)
  }

  @Test(.timeLimit(.minutes(1)), arguments: ["detect", "decode", "track", "faces"])
  func pipeInFolderIsLeftOut(_ command: String) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Files.makeFolder(folder)
    #expect(mkfifo(folder + "/a.jpg", 0o600) == 0)
    try Files.write(
      try Files.read(Fixtures.folder("Scenes").path + "/room.jpg"), to: folder + "/b.jpg")
    let words = command == "decode" ? ["--output", folder + "/out"] : []
    #expect(MartletTool.run([command, folder] + words) == 0)
  }

  @Test(
    arguments: [
      (.init(), "the folder contains no image"),
      (.init(otherFiles: 1), "the folder contains no image, only 1 file of other formats"),
      (
        .init(otherFiles: 2, folders: 3),
        """
        the folder contains no image, only 2 files of other formats and 3 folders that --recursive \
        searches
        """
      ),
      (
        .init(links: 2, specialFiles: 2),
        "the folder contains no image, only 2 links to folders and 2 pipes, sockets or devices"
      ),
    ] as [(FolderSearch.Rest, String)])
  func messageSaysWhatTheFolderHas(_ rest: FolderSearch.Rest, _ message: String) {
    #expect("\(NoImages(rest: rest))" == message)
  }
}
