//===--- CompileCommandTests.swift ----------------------------------------===//

import Foundation
import MartletCommandLine
import MartletTestSupport
import Testing

@testable import MartletTool

@Suite struct CompileCommandTests {
  let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path
  let model = Fixtures.root.appending(path: "Weights/classifier.tflite").path

  func removeFolder() { try? FileManager.default.removeItem(atPath: folder) }

  @Test(
    arguments: [
      (["compile"], 2), (["compile", "a.tflite"], 2), (["compile", "--help"], 0),
      (["compile", "/missing", "--output", "/x.swift", "--name", "X"], 1),
      (["compile", "a", "--output", "b.swift", "--name", "class"], 2),
      (["compile", "a", "--output", "b.swift", "--name", "1b"], 2),
      (["compile", "a", "--output", "b.swift", "--name", "InlineArray"], 2),
      (["compile", "a", "--output", "b.swift", "--target", "z80"], 2),
    ] as [([String], Int32)])
  func exitStatusMatchesOutcome(_ words: [String], _ status: Int32) {
    #expect(MartletTool.run(words) == status)
  }

  @Test func writesSourceAndWeights() throws {
    defer { removeFolder() }
    try Files.makeFolder(folder)
    let output = folder + "/Classifier.swift"
    #expect(MartletTool.run(["compile", model, "--output", output]) == 0)
    let source = String(decoding: try Files.read(output), as: UTF8.self)
    #expect(source.contains("public struct Classifier {"))
    let weights = try Files.read(folder + "/Classifier.bin")
    #expect(source.contains("weightsByteCount = \(weights.count)\n"))
  }

  @Test func neverOverwritesTheModel() throws {
    defer { removeFolder() }
    try Files.makeFolder(folder)
    let copy = folder + "/Model.bin"
    try Files.write(try Files.read(model), to: copy)
    let before = try Files.read(copy)
    #expect(MartletTool.run(["compile", copy, "--output", folder + "/Model.swift"]) == 1)
    #expect(try Files.read(copy) == before)
  }

  @Test func inlineWeightsNeedNoFile() throws {
    defer { removeFolder() }
    try Files.makeFolder(folder)
    let eyes = Fixtures.root.appending(path: "Weights/face-eyes.tflite").path
    let output = folder + "/EyeState.swift"
    #expect(
      MartletTool.run(["compile", eyes, "--output", output, "--weights", "inline"]) == 0)
    let source = String(decoding: try Files.read(output), as: UTF8.self)
    #expect(source.contains("public struct EyeState: ~Copyable, Sendable {"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["EyeState.swift"])
  }

  @Test(arguments: [
    ("Models/detector_of_quarters.tflite", "TFLite_Detection_PostProcess"),
    ("Files/classifier_dynamic_size.tflite", "convert the model with a fixed input size"),
    ("Models/schema_version_2.tflite", "the schema version is 2, expected 3"),
  ])
  func refusedModelIsNamedAndNothingIsWritten(_ file: String, _ reason: String) throws {
    defer { removeFolder() }
    try Files.makeFolder(folder)
    let path = Fixtures.root.appending(path: "Tests/Fixtures/\(file)").path
    let words = [path, "--output", folder + "/Model.swift"]
    #expect(MartletTool.run(["compile"] + words) == 1)
    let command = try CompileCommand(Arguments(words, for: CompileCommand.specification))
    let failure = #expect(throws: FailedFile.self) { try command.compile() }
    #expect(failure?.path == FilePath(path))
    #expect(failure.map { "\($0.reason)".contains(reason) } == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }
}
