import Foundation
import MartletCommandLine
import MartletTestSupport
import Testing

@testable import MartletTool

@Suite struct FolderSearchTests {
  let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path

  /// A folder with two images, other files and hidden ones, a link to an image, a pipe with an image's
  /// name, a folder with one image, and a link back.
  private func makeTree() throws {
    try Files.makeFolder(folder + "/inner")
    try Files.makeFolder(folder + "/.thumbnails")
    let heic: [UInt8] = [0, 0, 0, 24] + Array("ftypheic".utf8)
    let files: KeyValuePairs<String, [UInt8]> = [
      "b.png": [], "a.JPG": [], "notes.txt": [], "x.heic": heic, "y.heic": heic,
      "data": [0xFF, 0xD8, 0xFF, 0xE0], "z.jp2": [0xFF, 0x4F, 0xFF, 0x51], "inner/c.bmp": [],
      ".hidden": [], "._a.jpg": [0, 5, 22, 7], ".thumbnails/t.jpg": [],
    ]
    for (name, bytes) in files { try Files.write(bytes, to: folder + "/" + name) }
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
      search.leftOut == """
        2 HEIC, 1 JPEG 2000, 1 JPEG with another ending, 1 other file, \
        1 pipe, socket or device left out; convert them, e.g. with heif-convert FILE out.png
        """)
    #expect(search.rest.folders == 1)
  }

  @Test func recursiveSearchDoesNotFollowLinksToFolders() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try makeTree()
    let search = try FolderSearch(FilePath(folder), isRecursive: true)
    #expect(Set(search.images) == Set(images + [FilePath(folder) / "inner/c.bmp"]))
    #expect(search.rest.otherFiles == 1 && search.rest.folders == 0)
    #expect(search.rest.links == 1 && search.rest.specialFiles == 1)
    // A link that is named itself is followed.
    let link = FilePath(folder) / "inner/back"
    #expect(try FolderSearch(link, isRecursive: true).images.count == 4)
  }

  /// The files of a file manager, and those that a Mac adds to each folder.
  @Test(arguments: [false, true])
  func hiddenItemsAreSkipped(isRecursive: Bool) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try makeTree()
    let search = try FolderSearch(FilePath(folder), isRecursive: isRecursive)
    #expect(search.rest.hiddenItems == 3)
    #expect(!search.images.contains { "\($0)".contains("/.") })
    // A hidden folder that is named itself is searched.
    let named = try FolderSearch(FilePath(folder) / ".thumbnails", isRecursive: isRecursive)
    #expect(named.images.count == 1)
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
      (.init(otherFiles: 1), "the folder contains no image, only 1 other file"),
      (
        .init(formats: ["HEIC": 2], hiddenItems: 1),
        "the folder contains no image, only 2 HEIC and 1 hidden item"
      ),
      (
        .init(otherFiles: 2, folders: 3),
        """
        the folder contains no image, only 2 other files and 3 folders that --recursive searches
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
