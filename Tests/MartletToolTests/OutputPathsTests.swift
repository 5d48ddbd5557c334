import Foundation
import MartletCodecs
import MartletCommandLine
import MartletTestSupport
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

  /// Crops of a second image of a name never look like further ones of the first.
  @Test func cropsHaveTheNameOfTheirImage() throws {
    defer { try? FileManager.default.removeItem(atPath: "\(folder)") }
    let image = try #require(image)
    var paths = OutputPaths(folder: folder, of: Outputs())
    for source: FilePath in ["a/x.jpg", "b/x.png"] {
      for number in 1...2 { try paths.write(image, for: source, part: "-\(number)") }
    }
    #expect(try Files.list(folder) == ["x-1.png", "x-2-1.png", "x-2-2.png", "x-2.png"])
  }

  @Test func foldersOfImagesAreMirrored() throws {
    defer { try? FileManager.default.removeItem(atPath: "\(folder)") }
    let image = try #require(image)
    var paths = OutputPaths(folder: folder, of: Outputs())
    for (source, within) in [("in/x.jpg", ""), ("in/s/x.jpg", "s"), ("in/s/t/x.jpg", "s/t")] {
      let file = try paths.write(image, for: FilePath(source), in: FilePath(within), part: "-1")
      #expect(file.path == (within == "" ? folder : folder / within) / "x-1.png")
    }
  }

  @Test(arguments: [
    ("mix/a.png", "mix", ""), ("mix/sub/deeper/a.png", "mix", "sub/deeper"),
    ("mix/sub/a.png", "mix/", "sub"), ("/a.png", "/", ""), ("./s/a.png", ".", "s"),
  ])
  func folderBelowAnother(_ path: String, _ root: String, _ folder: String) {
    #expect(FilePath(path).folder(below: FilePath(root)) == FilePath(folder))
  }

  /// The same for a run with folders.
  @Test func cropsAndAnnotatedImagesMirrorFolders() throws {
    defer { try? FileManager.default.removeItem(atPath: "\(folder)") }
    let input = folder / "in"
    let bytes = try Files.read(Fixtures.folder("Scenes").path + "/fruit.jpg")
    try Files.makeFolder(input / "sub/deeper")
    for name in ["a.jpg", "sub/deeper/a.jpg"] { try Files.write(bytes, to: input / name) }
    let (crops, drawn) = (folder / "crops", folder / "drawn")
    #expect(
      MartletTool.run([
        "detect", "\(input)", "--recursive", "--save-crops", "\(crops)", "--annotate", "\(drawn)",
      ]) == 0)
    #expect(try Files.list(crops) == ["a-1.png", "sub"])
    #expect(try Files.list(crops / "sub/deeper") == ["a-1.png"])
    #expect(try Files.list(drawn / "sub/deeper") == ["a.jpg"])
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
