import Foundation
import MartletCodecs
import MartletCommandLine
import MartletInference
import MartletTestSupport
import Testing

@testable import MartletTool

/// Commands as they are called, by their exit status and the files that they write.
@Suite struct CommandTests {
  let scenes = Fixtures.folder("Scenes").path
  let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path

  func removeFolder() { try? FileManager.default.removeItem(atPath: folder) }

  @Test(
    arguments: [
      ([], 2), (["--help"], 0), (["fly"], 2), (["detect"], 2), (["detect", "--help"], 0),
      (["detect", "x.jpg", "--threads", "0"], 2), (["detect", "/nowhere.jpg"], 1),
      (["inspect", "/nowhere.tflite"], 1), (["run", "a", "b"], 2),
      (["conformance"], 2),
      (["run", "x.tflite", "--shape", "0=a"], 2), (["run", "x.tflite", "--shape", "0=1,,3"], 2),
    ] as [([String], Int32)])
  func exitStatusTellsWhatHappened(_ words: [String], _ status: Int32) {
    #expect(MartletTool.run(words) == status)
  }

  @Test func annotatedPicturesAreWrittenAsPNG() throws {
    defer { removeFolder() }
    let words = ["detect", "--multiple", "--classify", "--annotate", folder]
    #expect(MartletTool.run(words + ["\(scenes)/fruit.jpg", "\(scenes)/room.jpg"]) == 0)
    for name in ["fruit", "room"] {
      let before = try ImageFile(decoding: Files.read("\(scenes)/\(name).jpg")).upright
      let after = try ImageFile(decoding: Files.read("\(folder)/\(name).png")).upright
      #expect(before.size == after.size)
      #expect(before != after)
    }
  }

  @Test func oneBadPictureDoesNotStopTheOthers() throws {
    defer { removeFolder() }
    let words = ["detect", "--annotate", folder, "/nowhere.jpg", "\(scenes)/room.jpg"]
    #expect(MartletTool.run(words) == 1)
    #expect(FileManager.default.fileExists(atPath: folder + "/room.png"))
  }

  @Test func picturesOfOneNameKeepApart() throws {
    defer { removeFolder() }
    var paths = AnnotationPaths(folder, isFolder: true)
    #expect(try paths.next(for: "a/x.jpg") == folder + "/x.png")
    #expect(try paths.next(for: "b/x.png") == folder + "/x-2.png")
    #expect(try paths.next(for: "-") == folder + "/stdin.png")
    #expect(try paths.next(for: ".hidden") == folder + "/.hidden.png")
  }

  @Test func thousandsOfPicturesOfOneNameKeepApart() throws {
    defer { removeFolder() }
    var paths = AnnotationPaths(folder, isFolder: true)
    let names = try (0..<3000).map { try paths.next(for: "\($0)/x.jpg") }
    #expect(Set(names).count == 3000)
    #expect(names.last == folder + "/x-3000.png")
  }

  @Test func runWritesEachOutputAndTellsItsShape() throws {
    defer { removeFolder() }
    try Files.makeFolder(folder)
    let model = Fixtures.root.appending(path: "Weights/classifier.tflite").path
    try Files.write([UInt8](repeating: 7, count: 128 * 128 * 3), to: folder + "/in")
    #expect(MartletTool.run(["run", model, "--input", folder + "/in", "--output", folder]) == 0)
    #expect(try Files.read(folder + "/0.bin").count == 6)
    struct Output: Decodable {
      let shape: [Int]
      let type: String
    }
    let json = Data(try Files.read(folder + "/outputs.json"))
    let outputs = try JSONDecoder().decode([Output].self, from: json)
    #expect(outputs.map(\.shape) == [[1, 6]])
    #expect(outputs.map(\.type) == ["uint8"])
    #expect(MartletTool.run(["run", model, "--input", model]) == 1)
  }

  @Test func decodeWritesSamples() throws {
    defer { removeFolder() }
    #expect(MartletTool.run(["decode", "--output", folder, "\(scenes)/fruit.jpg"]) == 0)
    let name = String("\(scenes)/fruit.jpg".map { $0 == "/" ? "_" : $0 })
    let written = try ImageFile(decoding: Files.read("\(folder)/\(name).ppm")).image
    #expect(written == (try ImageFile(decoding: Files.read("\(scenes)/fruit.jpg")).image))
  }

  @Test func runNeedsNoInputsButNamesAllMissingOperators() throws {
    let models = Fixtures.root.appending(path: "Weights")
    #expect(MartletTool.run(["run", models.appending(path: "classifier.tflite").path]) == 0)
    let path = Fixtures.folder("Models").appending(path: "own_operators.tflite").path
    #expect(MartletTool.run(["run", path]) == 1)
    let error = #expect(throws: MissingOperators.self) {
      let model = try Model(bytes: try Files.read(path))
      _ = try model.namingMissingOperators(.init()) { () throws(InferenceError) in
        try Interpreter(model: model)
      }
    }
    #expect((error?.all.count ?? 0) > 1)
  }

  @Test(arguments: [[], ["--json"], ["--profile"], ["--json", "--profile"]] as [[String]])
  func inspectTellsOfTheShippedModels(_ options: [String]) {
    for name in ["localiser", "classifier"] {
      let model = Fixtures.root.appending(path: "Weights/\(name).tflite").path
      #expect(MartletTool.run(["inspect", model] + options) == 0)
    }
  }
}
