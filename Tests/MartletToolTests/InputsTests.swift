import Foundation
import MartletCommandLine
import MartletInference
import MartletTestSupport
import Testing

@testable import MartletTool

@Suite struct InputsTests {
  let scenes = Fixtures.folder("Scenes").path
  static let specification = CommandSpecification(
    name: "test", summary: "", operands: "IMAGE...", operandCount: 0...Int.max,
    options: Inputs.options)

  /// The file names that the words stand for, those that failed, and the status.
  private func walk(_ words: [String]) throws -> (read: [String], failed: [String], Int32) {
    let inputs = try Inputs(Arguments(words, for: InputsTests.specification))
    var read: [String] = []
    var failed: [String] = []
    let status = inputs.forEach(.serial, failed: { path, _ in failed.append(path) }) {
      read.append(URL(filePath: $0.path).lastPathComponent)
    }
    return (read, failed, status)
  }

  @Test func aFolderStandsForItsPictures() throws {
    let (read, failed, status) = try walk([scenes])
    #expect(read.count >= 6 && read == read.sorted())
    #expect(read.allSatisfy { $0.hasSuffix(".jpg") })
    #expect(failed.isEmpty && status == 0)
  }

  @Test func aPatternStandsForWhatItMatches() throws {
    #expect(try walk([scenes + "/[fr]*.jpg"]).read == ["fruit.jpg", "room.jpg"])
  }

  @Test func whatIsNotThereFailsAndTheOthersGoOn() throws {
    let (read, failed, status) = try walk(["/nowhere*.jpg", scenes + "/room.jpg", ""])
    #expect(read == ["room.jpg"] && failed == ["/nowhere*.jpg", ""] && status == 1)
  }

  @Test func aListMayComeBesideOperands() throws {
    let list = FileManager.default.temporaryDirectory.appending(path: "list-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: list) }
    try Files.write(Array("\(scenes)/room.jpg\n\n/nowhere.jpg\n".utf8), to: list)
    let (read, failed, status) = try walk(["--files-from", list, scenes + "/fruit.jpg"])
    #expect(read == ["fruit.jpg", "room.jpg"] && failed == ["/nowhere.jpg"] && status == 1)
  }

  @Test func onePictureIsToldFromSeveral() throws {
    func isSingle(_ words: [String]) throws -> Bool {
      try Inputs(Arguments(words, for: InputsTests.specification)).isSingle
    }
    #expect(try isSingle(["a.jpg"]) && isSingle(["-"]))
    #expect(
      try !isSingle(["a.jpg", "b.jpg"]) && !isSingle([scenes]) && !isSingle(["--files-from", "x"]))
    #expect(throws: UsageError.self) { _ = try isSingle([]) }
  }
}
