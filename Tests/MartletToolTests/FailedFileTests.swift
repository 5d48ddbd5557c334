import MartletBase
import MartletCommandLine
import MartletTestSupport
import MartletVision
import Testing

@testable import MartletTool

@Suite struct FailedFileTests {
  @Test func errorKeepsItsFilePath() {
    #expect {
      try FailedFile.naming("a.tflite") { throw VisionError.unsuitable(.label("x")) }
    } throws: {
      ($0 as? FailedFile)?.path == "a.tflite"
    }
  }

  @Test(arguments: [
    (ModelRequirement.classifier(.yolov8), "--detector"),
    (.detector(outputs: [Shape(1, 1001)]), "--model"),
    (.detectorHeads([.yolov8, .yolox]), "--detector-head"),
    (.otherHead(.yolov8, fitting: [.yolox]), "--detector-head"), (.anchors(.grids), "--anchors"),
    (.normalization(tensor: "x"), "--mean and --std"),
  ])
  func errorNamesOptionThatHelps(_ requirement: ModelRequirement, _ words: String) {
    let failure = FailedFile(path: "a", reason: VisionError.unsuitable(requirement))
    #expect("\(failure)".contains(words))
  }

  /// Palm detectors, landmarks, raw SSDs.
  @Test(arguments: [
    ModelRequirement.anchors(.boxesWithPoints), .anchors(.ssd), .anchors(.distances),
    .detector(outputs: [Shape(1, 213), Shape(1, 15)]), .detector(outputs: [Shape(1, 40, 30, 16)]),
    .accelerator(operator: "ethos-u"),
  ])
  func errorNamesNoOptionThatDoesNotHelp(_ requirement: ModelRequirement) {
    let failure = FailedFile(path: "a", reason: VisionError.unsuitable(requirement))
    #expect(!"\(failure)".contains("--"))
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
