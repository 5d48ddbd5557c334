import Foundation
import MartletBase
import MartletCommandLine
import MartletTestSupport
import MartletVision
import Testing

@testable import MartletTool

@Suite struct ResultsFileTests {
  let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path
  let scenes = Fixtures.folder("Scenes").path

  private var path: FilePath { FilePath(folder) / "results" }

  init() throws { try Files.makeFolder(folder) }

  private func removeFolder() { try? FileManager.default.removeItem(atPath: folder) }

  private func header(_ words: String...) throws -> ResultsHeader {
    ResultsHeader(try Arguments(["a"] + words, for: DetectCommand.specification))
  }

  private func text() throws -> String { String(decoding: try Files.read(path), as: UTF8.self) }

  private let first =
    #"{"format":"martlet results","version":1,"command":"detect","options":["--multiple"]}"# + "\n"

  @Test func newAndEmptyFilesGetTheHeader() throws {
    defer { removeFolder() }
    for _ in 0..<2 {
      _ = try ResultsFile(path, header("--multiple", "--threads", "1", "--resume", "x"))
      #expect(try text() == first)
    }
    try Files.write([], to: path)
    _ = try ResultsFile(path, header("--multiple"))
    #expect(try text() == first)
  }

  @Test(arguments: [
    ("", [], ""), (#"{"image":"a"}"# + "\n", ["a"], #"{"image":"a"}"# + "\n"),
    (#"{"image":"a"}"# + "\n" + #"{"image":"b","er"#, ["a"], #"{"image":"a"}"# + "\n"),
    (#"{"image":"a"}"#, [], ""),
  ])
  func incompleteLineIsCutOff(_ before: String, _ images: [String], _ after: String) throws {
    defer { removeFolder() }
    try Files.write(Array((first + before).utf8), to: path)
    let results = try ResultsFile(path, header("--multiple"))
    try results.append(.object([("image", .string("new"))]))
    #expect(results.done == Set(images.map { FilePath($0) }))
    #expect(try text() == first + after + #"{"image":"new"}"# + "\n")
  }

  /// Lines longer than the pieces in which the file is read.
  @Test func readsLongLines() throws {
    defer { removeFolder() }
    let lines = ["a", "b", "c"].map { name in
      #"{"image":"\#(name)","x":""# + String(repeating: "y", count: 400_000) + "\"}\n"
    }
    try Files.write(Array((first + lines.joined()).utf8), to: path)
    #expect(try ResultsFile(path, header("--multiple")).done == ["a", "b", "c"])
    #expect(try text() == first + lines.joined())
  }

  /// é as one scalar and as two, and in Latin-1.
  @Test func imagesAreDistinguishedByBytes() throws {
    defer { removeFolder() }
    let images = ["\u{E9}", "e\u{301}", FilePath(bytes: [0xE9]), "\\xE9"]
    do {
      let results = try ResultsFile(path, header())
      for image in images.dropLast() {
        try results.append(.object([("image", .string("\(image)"))]) + image.json("image"))
      }
    }
    let results = try ResultsFile(path, header())
    #expect(images.map(results.done.contains) == [true, true, true, false])
  }

  /// What users have: lists, tables, JSON, images, results of other commands and options, and older
  /// or newer versions of this tool.
  @Test(arguments: [
    "image,label\n", "\n", "a.jpg", "a.jpg\nb.jpg\n", #"[{"name":"mine"}]"#, "{", "{}\n",
    #"{"image":"a"}"# + "\n", #"{"image":"a"}"#, "\u{FF}\u{D8}\u{FF}",
    #"{"format":"martlet results","version":1,"command":"detect","options":["--multiple"]}"#,
    #"{"format":"martlet results","version":1,"command":"detect","options":[]}"# + "\n",
    #"{"format":"martlet results","version":1,"command":"faces","options":["--multiple"]}"# + "\n",
    #"{"format":"martlet results","version":2,"command":"detect","options":["--multiple"]}"# + "\n",
    #"{"format":"martlet results","version":1,"command":"detect","options":["--multiple"]}"#
      + "\n{}\n{\"image\":",
    #"{"format":"martlet results","version":1,"command":"detect","options":["--multiple"]}"#
      + "\nnotes\n",
  ])
  func otherFileIsNotChanged(_ text: String) throws {
    defer { removeFolder() }
    try Files.write(Array(text.utf8), to: path)
    let words = ["detect", "\(scenes)/room.jpg", "--multiple", "--resume", "\(path)"]
    #expect(MartletTool.run(words) == 1)
    #expect(try Files.read(path) == Array(text.utf8))
  }

  /// Equal options in any order, and options that do not change results, continue a file.
  @Test func headerHasTheOptionsThatChangeResults() throws {
    _ = try ResultsFile(path, header("--multiple", "--region", "0,0,9,9", "--threads", "1"))
    defer { removeFolder() }
    _ = try ResultsFile(
      path, header("--region=0,0,9,9", "--recursive", "--multiple", "--max-memory", "9"))
    #expect(
      throws: ResultsFileError.options(
        found: ["--multiple", "--region=0,0,9,9"], expected: ["--region=0,0,9,8"])
    ) { _ = try ResultsFile(path, header("--region", "0,0,9,8")) }
  }

  @Test(.timeLimit(.minutes(1)), arguments: ["/dev/zero", "/dev/null", "/dev/full", "pipe", "."])
  func onlyRegularFilesAreContinued(_ name: String) throws {
    defer { removeFolder() }
    #expect(mkfifo(folder + "/pipe", 0o600) == 0)
    let path = name.hasPrefix("/") ? name : folder + "/" + name
    #expect(MartletTool.run(["detect", "\(scenes)/room.jpg", "--resume", path]) == 1)
  }

  /// A run while another one has the file open changes nothing.
  @Test func secondRunIsRefused() throws {
    defer { removeFolder() }
    let results = try ResultsFile(path, header())
    let before = try Files.read(path)
    let words = ["detect", "\(scenes)/room.jpg", "--resume", "\(path)"]
    #expect(MartletTool.run(words) == 1)
    #expect(try Files.read(path) == before)
    #expect(throws: FileError.inUse(path: path)) { _ = try ResultsFile(path, header()) }
    withExtendedLifetime(results) {}
  }

  @Test func failuresAreCountedAgainUntilRetried() throws {
    defer { removeFolder() }
    let (image, late) = ("\(scenes)/room.jpg", folder + "/late.jpg")
    let words = ["detect", image, late, "--resume", "\(path)"]
    #expect(MartletTool.run(words) == 1)
    let before = try text()
    #expect(before.split(separator: "\n").count == 3 && before.contains(#""error":"#))
    try Files.write(try Files.read(image), to: late)
    #expect(MartletTool.run(words) == 1)
    #expect(try text() == before)
    #expect(MartletTool.run(words + ["--retry"]) == 0)
    let after = try text()
    #expect(after.split(separator: "\n").count == 3 && !after.contains(#""error":"#))
    #expect(MartletTool.run(words) == 0)
    #expect(try text() == after)
    #expect(MartletTool.run(["detect", image, "--retry"]) == 2)
  }

  /// A file where the folder should be: the image has no line, and is repeated when it can be.
  @Test func failedOutputIsRepeated() throws {
    defer { removeFolder() }
    let blocked = folder + "/blocked"
    try Files.write([], to: blocked)
    let images = ["\(scenes)/room.jpg", "\(scenes)/fruit.jpg"]
    let words = ["detect"] + images + ["--annotate", blocked, "--resume", "\(path)"]
    #expect(MartletTool.run(words) == 1)
    #expect(try text().split(separator: "\n").count == 1)
    Files.remove(FilePath(blocked))
    #expect(MartletTool.run(words) == 0)
    #expect(try text().split(separator: "\n").count == 3)
    #expect(try Files.list(blocked) == ["fruit.jpg", "room.jpg"])
  }

  /// The crops of an image fail after its annotated image is written, which is removed.
  @Test func outputsOfAnImageAreAllWrittenOrNone() throws {
    defer { removeFolder() }
    let (annotated, crops) = (folder + "/annotated", folder + "/crops")
    try Files.write([], to: crops)
    let words = [
      "detect", "\(scenes)/fruit.jpg", "--annotate", annotated + "/", "--save-crops", crops,
      "--resume", "\(path)",
    ]
    #expect(MartletTool.run(words) == 1)
    #expect(try Files.list(annotated).isEmpty)
    Files.remove(FilePath(crops))
    #expect(MartletTool.run(words) == 0)
    #expect(try Files.list(annotated) == ["fruit.jpg"])
  }

  /// A run that was stopped within its second image's line gives the same lines as a whole run.
  @Test func resumedRunEqualsOneRun() throws {
    defer { removeFolder() }
    let words = ["detect", scenes, "--multiple", "--resume", "\(path)"]
    #expect(MartletTool.run(words) == 0)
    let whole = try Files.read(path)
    let end = try #require(whole.dropFirst(first.utf8.count).firstIndex(of: UInt8(ascii: "\n")))
    try Files.write(Array(whole[...(end + 50)]), to: path)
    #expect(MartletTool.run(words) == 0)
    #expect(try Files.read(path) == whole)
  }
}
