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
}
