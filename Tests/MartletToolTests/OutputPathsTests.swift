import Foundation
import MartletCodecs
import MartletCommandLine
import Testing

@testable import MartletTool

@Suite struct OutputPathsTests {
  let folder = FilePath(
    FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path)
  let image = try? RGBImage(width: 1, height: 1, pixels: [1, 2, 3])

  @Test func namesAreUnique() {
    var names = UniqueNames()
    #expect(names.next("a") == "a")
    #expect(names.next("a-2") == "a-2")
    #expect(names.next("a") == "a-3")
    #expect(names.next("b") == "b")
  }

  @Test func thousandsOfEqualNamesBecomeUnique() {
    var names = UniqueNames()
    let all = (0..<3000).map { _ in names.next("x") }
    #expect(Set(all).count == 3000)
    #expect(all.last == "x-3000")
  }

  @Test func imagesWithSameNameGetSeparateFiles() throws {
    defer { try? FileManager.default.removeItem(atPath: "\(folder)") }
    let image = try #require(image)
    var paths = OutputPaths(folder: folder, of: Outputs())
    for source: FilePath in ["a/x.jpg", "b/x.png", "-", ".hidden"] {
      try paths.write(image, for: source)
    }
    try paths.write(image, for: "c/y.jpg", part: "-1")
    #expect(
      try Files.list(folder) == [".hidden.png", "stdin.png", "x-2.png", "x.png", "y-1.png"])
  }

  @Test func foldersGetJPEGForJPEG() throws {
    defer { try? FileManager.default.removeItem(atPath: "\(folder)") }
    let image = try #require(image)
    try Files.makeFolder(folder)
    var paths = try OutputPaths("--annotate", folder, isSingle: false, of: Outputs())
    for source: FilePath in ["a/x.JPG", "b/x.webp", "y.jpeg", "-"] {
      try paths.write(image, for: source)
    }
    #expect(try Files.list(folder) == ["stdin.png", "x-2.png", "x.jpg", "y.jpg"])
  }

  @Test func folderOfInputsGetsOtherNames() throws {
    defer { try? FileManager.default.removeItem(atPath: "\(folder)") }
    let image = try #require(image)
    try Files.makeFolder(folder)
    let input = folder / "x.jpg"
    try Files.write([1], to: input)
    var paths = try OutputPaths(
      "--annotate", folder, isSingle: false, of: Outputs(sparing: [input]))
    #expect(try paths.write(image, for: input).path == folder / "x-2.jpg")
    #expect(try Files.read(input) == [1])
  }

  @Test func keptFilesAreNotReplaced() throws {
    defer { try? FileManager.default.removeItem(atPath: "\(folder)") }
    let image = try #require(image)
    let outputs = Outputs()
    outputs.keepsFiles = true
    var first = OutputPaths(folder: folder, of: Outputs())
    var second = OutputPaths(folder: folder, of: outputs)
    #expect(try first.write(image, for: "a/x.jpg").path == folder / "x.png")
    #expect(try second.write(image, for: "b/x.jpg").path == folder / "x-2.png")
  }

  /// Two kinds of outputs in one folder.
  @Test func outputsOfOneRunGetOwnNames() throws {
    defer { try? FileManager.default.removeItem(atPath: "\(folder)") }
    let image = try #require(image)
    let outputs = Outputs()
    var (first, second) = (
      OutputPaths(folder: folder, of: outputs), OutputPaths(folder: folder, of: outputs)
    )
    #expect(try first.write(image, for: "x.png", part: "-1").path == folder / "x-1.png")
    #expect(try second.write(image, for: "x-1.png").path == folder / "x-1-2.png")
  }

  @Test(arguments: [
    ("a.png", true, true), ("a.JPG", true, true), ("a.jpeg", true, true), ("a.ppm", true, true),
    ("a.webp", true, false), ("a", true, false), ("a/", true, true), ("a", false, true),
    ("a.png", false, false), ("a.png/", false, true),
  ])
  func oneImageNeedsAFormatSeveralNeedAFolder(_ path: String, _ isSingle: Bool, _ isTaken: Bool) {
    let paths = try? OutputPaths(
      "--annotate", FilePath(path), isSingle: isSingle, of: Outputs())
    #expect((paths != nil) == isTaken)
  }
}
