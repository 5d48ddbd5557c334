import Foundation
import Martlet
import MartletCommandLine
import MartletTestSupport
import MartletVision
import Testing

@testable import MartletTool

@Suite struct AnnotateModelCommandTests {
  let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path
  let model = Fixtures.root.appending(path: "Weights/classifier.tflite").path

  func removeFolder() { try? FileManager.default.removeItem(atPath: folder) }

  @Test(
    arguments: [
      (["annotate-model"], 2), (["annotate-model", "a.tflite"], 2),
      (["annotate-model", "--help"], 0), (["annotate-model", "/nowhere", "--output", "/x"], 1),
      (["annotate-model", "a", "--output", "b", "--mean", "1"], 2),
      (["annotate-model", "a", "--output", "b", "--mean", "1", "--std", "0"], 2),
      (["annotate-model", "a", "--output", "b", "--mean", "1,2", "--std", "1,2"], 2),
      (["annotate-model", "a", "--output", "b", "--mean", "1,2,3", "--std", "1"], 2),
      (["annotate-model", "a", "--output", "b", "--threshold", "2"], 2),
      (["annotate-model", "a", "--output", "b", "--display-names", "en"], 2),
    ] as [([String], Int32)])
  func exitStatusMatchesOutcome(_ words: [String], _ status: Int32) {
    #expect(MartletTool.run(words) == status)
  }

  @Test func classifierReadsWrittenMetadata() throws {
    defer { removeFolder() }
    try Files.makeFolder(folder)
    let names = ["a", "b", "", "d", "e", "f"]
    try Files.write(Array(names.joined(separator: "\n").utf8), to: folder + "/labels.txt")
    let english = names.map { "The " + $0 }
    try Files.write(Array(english.joined(separator: "\n").utf8), to: folder + "/en.txt")
    let output = folder + "/out.tflite"
    #expect(
      MartletTool.run([
        "annotate-model", model, "--output", output, "--labels", folder + "/labels.txt",
        "--display-names", "en=\(folder)/en.txt", "--threshold", "0.125", "--mean", "0", "--std",
        "255", "--name", "letters",
      ]) == 0)
    let classifier = try Classifier(modelBytes: try Files.read(output))
    #expect(classifier.threshold == 0.125)
    let metadata = try #require(try Model(bytes: try Files.read(output)).readMetadata())
    #expect(metadata.name == "letters")
    #expect(metadata.subgraphs[0].inputs[0].normalization?.standardDeviations == [255])
    let labels = try metadata.labels(of: metadata.subgraphs[0].outputs[0], locale: "en")
    #expect(labels?.names == names)
    #expect(labels?.displayNames == english)
  }

  /// A model that is neither classifier nor detector, and a check that takes too long, write nothing.
  @Test(arguments: ["Weights/localizer.tflite", "Tests/Fixtures/Models/constant_products.tflite"])
  func refusedModelIsNotWritten(_ name: String) throws {
    defer { removeFolder() }
    try Files.makeFolder(folder)
    let model = Fixtures.root.appending(path: name).path
    let words = ["--output", folder + "/out.tflite", "--name", "x", "--timeout", "1"]
    #expect(MartletTool.run(["annotate-model", model] + words) == 1)
    #expect(try Files.list(folder).isEmpty)
  }

  @Test func wrongLabelCountFails() throws {
    defer { removeFolder() }
    try Files.makeFolder(folder)
    try Files.write(Array("a\nb\n".utf8), to: folder + "/labels.txt")
    let output = folder + "/out.tflite"
    #expect(
      MartletTool.run([
        "annotate-model", model, "--output", output, "--labels", folder + "/labels.txt",
      ]) == 1)
    #expect(!FileManager.default.fileExists(atPath: output))
  }
}
