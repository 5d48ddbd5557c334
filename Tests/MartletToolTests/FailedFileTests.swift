import MartletBase
import MartletCommandLine
import MartletTestSupport
import MartletVision
import Testing

@testable import MartletTool

@Suite struct FailedFileTests {
  @Test func errorKeepsItsFilePath() {
    #expect {
      try FailedFile.naming("a.tflite") { throw VisionError.unsuitable(.edgeTPU) }
    } throws: {
      ($0 as? FailedFile)?.path == "a.tflite"
    }
  }

  @Test(arguments: [
    (ModelRequirement.classifier(.yolov8), "--detector"), (.detector(outputs: []), "--model"),
    (.detectorHeads([.yolov8, .yolox]), "--detector-head"),
    (.normalization(tensor: "x"), "--mean and --std"),
  ])
  func errorNamesOptionThatHelps(_ requirement: ModelRequirement, _ words: String) {
    let failure = FailedFile(path: "a", reason: VisionError.unsuitable(requirement))
    #expect("\(failure)".contains(words))
  }

  @Test func missingLabelsFileIsNamedInError() throws {
    let model = Fixtures.root.appending(path: "Weights/classifier.tflite").path
    let words = ["--model", model, "--labels", "/nowhere.txt"]
    let specification = ClassifyCommand.specification
    let options = try ObjectOptions(Arguments(words, for: specification), classifies: true)
    #expect { try options.classifier(.init()) } throws: {
      ($0 as? FailedFile)?.path == "/nowhere.txt"
    }
  }
}
