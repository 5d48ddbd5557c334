import Foundation
import MartletCommandLine
import MartletTestSupport
import Testing

@testable import MartletTool

@Suite struct ResultsFileTests {
  let path = FileManager.default.temporaryDirectory.appending(path: "results-\(UUID())").path
  let scenes = Fixtures.folder("Scenes").path

  private func continuing(_ text: String) throws -> (images: Set<String>, text: String) {
    try Files.write(Array(text.utf8), to: path)
    let results = try ResultsFile(continuing: path)
    Streams.out("new", to: results.file)
    return (results.images, String(decoding: try Files.read(path), as: UTF8.self))
  }

  @Test(arguments: [
    ("", [], "new\n"),
    (#"{"image":"a"}"# + "\n", ["a"], #"{"image":"a"}"# + "\nnew\n"),
    (#"{"image":"a"}"# + "\n" + #"{"image":"b","er"#, ["a"], #"{"image":"a"}"# + "\nnew\n"),
    (#"{"image":"a"}"#, [], "new\n"),
  ])
  func incompleteLineIsCutOff(_ before: String, _ images: [String], _ after: String) throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (found, text) = try continuing(before)
    #expect(found == Set(images) && text == after)
  }

  /// Lines longer than the pieces in which the file is read.
  @Test func readsLongLines() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let line = { (name: String) in
      #"{"image":"\#(name)","x":""# + String(repeating: "y", count: 400_000) + "\"}\n"
    }
    let before = ["a", "b", "c"].map(line).joined()
    #expect(try continuing(before) == (["a", "b", "c"], before + "new\n"))
  }

  @Test(arguments: ["image,label\n", "\n", #"{"name":"a"}"# + "\n", #"{"image":7}"# + "\n"])
  func otherFileIsNotChanged(_ text: String) throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Files.write(Array(text.utf8), to: path)
    #expect(throws: (any Error).self) { _ = try ResultsFile(continuing: path) }
    #expect(try Files.read(path) == Array(text.utf8))
  }

  /// A run that was stopped within its second line gives the same lines as a whole run.
  @Test func resumedRunEqualsOneRun() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let words = ["detect", scenes, "--multiple", "--resume", path]
    #expect(MartletTool.run(words) == 0)
    let whole = try Files.read(path)
    let first = try #require(whole.firstIndex(of: UInt8(ascii: "\n")))
    try Files.write(Array(whole[...(first + 50)]), to: path)
    #expect(MartletTool.run(words) == 0)
    #expect(try Files.read(path) == whole)
  }
}
