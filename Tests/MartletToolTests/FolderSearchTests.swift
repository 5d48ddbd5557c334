import Foundation
import MartletCommandLine
import Testing

@testable import MartletTool

@Suite struct FolderSearchTests {
  let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path

  /// A folder with two images, three other files and a hidden one, a folder with one image, and a
  /// link back.
  private func makeTree() throws {
    try Files.makeFolder(folder + "/inner")
    for name in ["b.png", "a.JPG", "notes.txt", "x.heic", "data", ".hidden", "inner/c.bmp"] {
      try Files.write([], to: folder + "/" + name)
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/inner/back", withDestinationPath: folder)
  }

  @Test func listsImagesAndCountsTheRest() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try makeTree()
    let search = try FolderSearch(folder, isRecursive: false)
    #expect(search.images == [folder + "/a.JPG", folder + "/b.png"])
    #expect(search.leftOut == "3 files of other formats left out" && search.folderCount == 1)
  }

  @Test(.timeLimit(.minutes(1))) func recursiveSearchVisitsEachFolderOnce() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try makeTree()
    let search = try FolderSearch(folder, isRecursive: true)
    #expect(
      search.images == [folder + "/a.JPG", folder + "/b.png", folder + "/inner/c.bmp"])
    #expect(search.folderCount == 0)
  }

  @Test(arguments: [
    (0, 0, "this folder has no image"),
    (1, 0, "this folder has no image; it has 1 file of other formats"),
    (
      2, 3,
      """
      this folder has no image; it has 2 files of other formats and 3 folders, which --recursive \
      searches
      """
    ),
  ])
  func messageSaysWhatTheFolderHas(_ files: Int, _ folders: Int, _ message: String) {
    #expect("\(NoImages(otherFileCount: files, folderCount: folders))" == message)
  }
}
