import Foundation
import MartletCodecs
import MartletCommandLine
import MartletInference
import MartletTestSupport
import MartletVision
import Testing

@testable import MartletTool

/// Runs commands and checks their exit status and output files.
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
  func exitStatusMatchesOutcome(_ words: [String], _ status: Int32) {
    #expect(MartletTool.run(words) == status)
  }

  @Test(
    arguments: [
      (["faces"], 2), (["faces", "--help"], 0), (["help", "faces"], 0),
      (["faces", "/nowhere.jpg"], 1), (["faces", "/nowhere.jpg", "--json"], 1),
      (["faces", "x.jpg", "--mode", "slow"], 2), (["faces", "x.jpg", "--max-faces", "0"], 2),
      (["faces", "x.jpg", "--min-face-size", "2"], 2), (["faces", "x.jpg", "--model", "y"], 2),
      (["faces", "x.jpg", "--annotate", "x.gif"], 2),
      (["faces", "a", "b", "--annotate", "c.png"], 2),
      (["faces", "x.jpg", "--json", "--format", "csv"], 2),
      (["faces", "x.jpg", "--threads", "0"], 2),
    ] as [([String], Int32)])
  func facesExitStatusMatchesOutcome(_ words: [String], _ status: Int32) {
    #expect(MartletTool.run(words) == status)
  }

  @Test(arguments: [
    [], ["--mode", "fast"], ["--json", "--timings"], ["--format", "csv"],
    ["--landmarks", "--contours", "--classify", "--mesh", "--max-faces", "2"],
    ["--mode", "fast", "--all-contours", "--min-face-size", "0.1", "--threads", "1"],
  ])
  func facesAcceptsItsOptions(_ words: [String]) {
    #expect(MartletTool.run(["faces", "\(scenes)/room.jpg"] + words) == 0)
  }

  @Test func facesContinuesAfterUnreadableImage() throws {
    defer { removeFolder() }
    let words = ["faces", "--annotate", folder, "/nowhere.jpg", "\(scenes)/room.jpg", "--json"]
    #expect(MartletTool.run(words) == 1)
    let before = try ImageFile(decoding: Files.read("\(scenes)/room.jpg")).upright
    #expect(try ImageFile(decoding: Files.read("\(folder)/room.jpg")).upright.size == before.size)
  }

  @Test func annotatedImagesKeepTheirSize() throws {
    defer { removeFolder() }
    let words = ["detect", "--multiple", "--classify", "--annotate", folder]
    #expect(MartletTool.run(words + ["\(scenes)/fruit.jpg", "\(scenes)/room.jpg"]) == 0)
    for name in ["fruit", "room"] {
      let before = try ImageFile(decoding: Files.read("\(scenes)/\(name).jpg")).upright
      let after = try ImageFile(decoding: Files.read("\(folder)/\(name).jpg")).upright
      #expect(before.size == after.size)
      #expect(before != after)
    }
  }

  @Test func detectContinuesAfterUnreadableImage() throws {
    defer { removeFolder() }
    let words = ["detect", "--annotate", folder, "/nowhere.jpg", "\(scenes)/room.jpg"]
    #expect(MartletTool.run(words) == 1)
    #expect(FileManager.default.fileExists(atPath: folder + "/room.jpg"))
  }

  @Test(arguments: ["detect", "classify"])
  func helpAcceptsCommandName(_ name: String) {
    #expect(MartletTool.run(["help", name]) == 0)
    #expect(MartletTool.run(["help", name + "x"]) == 2)
  }

  @Test func classifyListsClasses() {
    #expect(MartletTool.run(["classify", "--classes"]) == 0)
    #expect(MartletTool.run(["classify", "--classes", "\(scenes)/room.jpg"]) == 2)
    #expect(MartletTool.run(["classify", "--classes", "--files-from", "x"]) == 2)
    #expect(MartletTool.run(["classify", "--classes", "--model", "/nowhere.tflite"]) == 1)
    let names = ["Plant", "a, b"]
    #expect(
      ClassifyCommand.list(names, as: .table).split(separator: "\n").last?.hasSuffix("1  a, b")
        == true)
    #expect(ClassifyCommand.list(names, as: .json) == #"{"classes":["Plant","a, b"]}"#)
    #expect(ClassifyCommand.list(names, as: .csv) == "index,class\n0,Plant\n1,\"a, b\"")
  }

  @Test(arguments: [
    ["--version"], ["version"], ["detect", "--version"], ["-h"], ["detect", "-h"],
    ["help", "track"],
  ])
  func printsVersionAndHelp(_ words: [String]) { #expect(MartletTool.run(words) == 0) }

  @Test(arguments: ["detect", "faces", "classify"])
  func resultsGoToAFile(_ command: String) throws {
    defer { removeFolder() }
    try Files.makeFolder(folder)
    for (format, beginning) in [("table", "image"), ("json", "{\"image\""), ("csv", "image,")] {
      let words = [command, "\(scenes)/room.jpg", "--format", format, "-o", folder + "/out"]
      #expect(MartletTool.run(words) == 0)
      let text = String(decoding: try Files.read(folder + "/out"), as: UTF8.self)
      #expect(text.hasPrefix(beginning) && text.contains("room.jpg"))
    }
    #expect(MartletTool.run([command, "\(scenes)/room.jpg", "-o", folder]) == 1)
  }

  @Test func outputExtensionSelectsImageFormat() throws {
    defer { removeFolder() }
    try Files.makeFolder(folder)
    for (name, start) in [
      ("a.png", [0x89, 0x50]), ("a.jpg", [0xFF, 0xD8]), ("a.ppm", [0x50, 0x36]),
    ] {
      let path = "\(folder)/\(name)"
      #expect(MartletTool.run(["detect", "\(scenes)/room.jpg", "--annotate", path]) == 0)
      #expect(try Files.read(path).starts(with: start.map { UInt8($0) }))
    }
  }

  @Test(arguments: [
    ["--annotate", "x.gif"], ["--annotate", "x"], ["--annotate", "-"],
    ["--no-classify", "--threshold", "0.5"],
    ["--labels", "x"], ["--mean", "1", "--std", "1"], ["--drop-background"], ["--max-labels", "2"],
    ["--json", "--format", "csv"], ["--region", "1,2,3"], ["--region", "0,0,0,5"],
    ["--annotate", "a.png", "b.jpg"],
  ])
  func detectRejectsInvalidOrUselessOptions(_ words: [String]) {
    #expect(MartletTool.run(["detect", "\(scenes)/room.jpg"] + words) == 2)
  }

  @Test(arguments: [
    ["--annotate", "x.mp4"], ["--annotate", "x.png"], ["--annotate", "-", "--json"],
    ["--start", "0,0,9,9", "--multiple"],
  ])
  func trackRejectsInvalidOrUselessOptions(_ words: [String]) {
    #expect(MartletTool.run(["track", scenes] + words) == 2)
  }

  @Test func pathsWithSameFlatNameKeepSeparateOutputs() throws {
    defer { removeFolder() }
    let image = try Files.read("\(scenes)/room.jpg")
    try Files.makeFolder(folder + "/d/x")
    try Files.write(image, to: folder + "/d/x/a.jpg")
    try Files.write(image, to: folder + "/d_x_a.jpg")
    #expect(
      MartletTool.run([
        "decode", folder + "/d/x/a.jpg", folder + "/d_x_a.jpg", "--output", folder + "/out",
      ]) == 0)
    let flat = String(folder.map { $0 == "/" ? "_" : $0 }) + "_d_x_a.jpg"
    #expect(
      try Files.list(folder + "/out").map(\.description) == ["\(flat)-2.ppm", "\(flat).ppm"])
  }

  @Test func cropsContainThePixelsOfTheirBoxes() throws {
    defer { removeFolder() }
    let words = ["detect", "--multiple", "--save-crops", folder, "\(scenes)/fruit.jpg"]
    #expect(MartletTool.run(words) == 0)
    let names = try Files.list(folder)
    #expect(names.first == "fruit-1.png" && names.count > 1)
    let whole = try ImageFile(decoding: Files.read("\(scenes)/fruit.jpg")).upright
    let finder = try ObjectFinder(.init(limit: 5), lock: .none)
    let frame = try #require(try finder.objects(in: whole).first).frame
    let part = try #require(PixelRectangle(covering: frame, in: whole.size))
    let crop = try ImageFile(decoding: Files.read(folder + "/fruit-1.png")).upright
    #expect(crop == whole.croppedClipping(to: part))
  }

  /// With `--resume` the name of a folder is taken, and another is used.
  @Test func resumedRunKeepsNamesThatAreTaken() throws {
    defer { removeFolder() }
    try Files.makeFolder(folder + "/room.jpg")
    let lines = folder + "/lines"
    let words = ["detect", "\(scenes)/room.jpg", "\(scenes)/fruit.jpg", "--annotate", folder]
    #expect(MartletTool.run(words + ["--resume", lines]) == 0)
    // With `--resume` the folder's name is taken; another is used.
    #expect(FileManager.default.fileExists(atPath: folder + "/room-2.jpg"))
    let text = String(decoding: try Files.read(lines), as: UTF8.self)
    #expect(text.contains(#""annotated":"\#(folder)/room-2.jpg""#))
    #expect(text.split(separator: "\n").count == 3)
    #expect(MartletTool.run(words) == 1)
  }

  @Test func runWritesEachOutputAndItsShape() throws {
    defer { removeFolder() }
    try Files.makeFolder(folder)
    let model = Fixtures.root.appending(path: "Weights/classifier.tflite").path
    try Files.write([UInt8](repeating: 7, count: 160 * 160 * 3), to: folder + "/in")
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

  /// An image is resized to the input, as for classification.
  @Test func runReadsImagesAndArrays() throws {
    defer { removeFolder() }
    try Files.makeFolder(folder)
    let model = Fixtures.root.appending(path: "Weights/classifier.tflite").path
    let scene = "\(scenes)/room.jpg"
    #expect(MartletTool.run(["run", model, "--input", scene, "--output", folder + "/a"]) == 0)
    let image = try ImageFile(decoding: Files.read(scene)).upright
    let small = try image.resized(to: ImageSize(width: 160, height: 160))
    let header = "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 160, 160, 3), }"
    let array =
      [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count), 0] + Array(header.utf8)
      + small.pixels
    try Files.write(array, to: folder + "/in.npy")
    let words = ["run", model, "--input", folder + "/in.npy", "--json", "--output", folder + "/b"]
    #expect(MartletTool.run(words) == 0)
    #expect(try Files.read(folder + "/a/0.bin") == Files.read(folder + "/b/0.bin"))
    #expect(MartletTool.run(["run", model, "--input", scene, "--mean", "1"]) == 2)
  }

  @Test func decodeWritesSamples() throws {
    defer { removeFolder() }
    #expect(MartletTool.run(["decode", "--output", folder, "\(scenes)/fruit.jpg"]) == 0)
    let name = String("\(scenes)/fruit.jpg".map { $0 == "/" ? "_" : $0 })
    let written = try ImageFile(decoding: Files.read("\(folder)/\(name).ppm")).image
    #expect(written == (try ImageFile(decoding: Files.read("\(scenes)/fruit.jpg")).image))
  }

  @Test func runAcceptsNoInputsAndReportsMissingOperators() throws {
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

  @Test(
    arguments: [[], ["--all"], ["--json"], ["--profile"], ["--json", "--profile"]] as [[String]])
  func inspectAcceptsShippedModels(_ options: [String]) {
    for name in ["localizer", "classifier"] {
      let model = Fixtures.root.appending(path: "Weights/\(name).tflite").path
      #expect(MartletTool.run(["inspect", model] + options) == 0)
    }
  }
}
