import Foundation
import MartletTestSupport
import Testing

@testable import MartletC

/// Options without effect have status 2, as in the tool.
@Suite struct OptionRulesTests {
  /// The status of a detector with these options, and its error.
  private func make(
    _ options: String, classifier: [UInt8] = [], model: [UInt8] = []
  ) -> (status: MartletStatus, error: String?) {
    var handle: Int32 = 0
    var text: UnsafeMutablePointer<CChar>?
    let status = makeDetector(
      options, classifier, classifier.count, model, model.count, &handle, &text)
    defer { releaseText(text) }
    releaseDetector(handle)
    return (status, text.map { String(cString: $0) })
  }

  @Test(arguments: [
    (#"{"labels":[]}"#, "labels requires classifier or detector"),
    (#"{"labels":["a"],"classify":true}"#, "labels requires classifier or detector"),
    (#"{"mean":[127.5],"std":[127.5]}"#, "mean requires classifier or detector"),
    (#"{"overlap":0.5}"#, "overlap requires detector"),
    (#"{"anchors":[1,2]}"#, "anchors requires detector"),
    (#"{"bgr":true}"#, "bgr requires detector"),
    (#"{"dropBackground":true}"#, "dropBackground requires classifier"),
    (
      #"{"allowLabels":["a"]}"#,
      "allowLabels requires classify or fineLabels or classifier or detector"
    ),
    (
      #"{"denyLabels":["a"]}"#,
      "denyLabels requires classify or fineLabels or classifier or detector"
    ),
    (#"{"classify":true,"maxLabels":2}"#, "maxLabels requires classifier"),
    (
      #"{"threshold":0.5}"#,
      "threshold requires classify or fineLabels or classifier"
    ),
    (
      #"{"threshold":0.5,"classify":false}"#,
      "threshold requires classify or fineLabels or classifier"
    ),
    (#"{"allBoxes":true}"#, "allBoxes requires multiple or maxObjects"),
    (
      #"{"multiple":true,"allBoxes":true,"stream":true}"#, "allBoxes cannot be combined with stream"
    ),
    (#"{"detectEvery":2}"#, "detectEvery requires stream"),
    (#"{"faces":true,"smoothing":false}"#, "smoothing requires stream"),
    (
      #"{"faces":true,"mode":"fast","contours":true,"maxFaces":2}"#,
      "maxFaces cannot be combined with contours and mode fast unless landmarks or classify is given"
    ),
  ])
  func optionsWithoutEffectAreRefused(_ options: String, _ error: String) {
    let made = make(options)
    #expect(made.status == .invalidOptions && made.error == error)
  }

  @Test(arguments: [
    #"{"fineLabels":false,"dropBackground":false,"labels":null}"#,
    #"{"classify":true,"denyLabels":["Food"]}"#, #"{"fineLabels":true,"allowLabels":["Banana"]}"#,
    #"{"classify":true,"threshold":0.5}"#, #"{"fineLabels":true,"threshold":0.5}"#,
    #"{"stream":true,"detectEvery":2}"#, #"{"faces":true,"smoothing":true}"#,
    #"{"faces":true,"stream":true,"smoothing":false}"#, #"{"faces":true,"maxFaces":2}"#,
  ])
  func optionsWithEffectAreAccepted(_ options: String) {
    #expect(make(options).status == .success)
  }

  @Test func classifierGivesItsOptionsAnEffect() throws {
    let model = Fixtures.root.appending(path: "Weights/classifier.tflite")
    let bytes = [UInt8](try Data(contentsOf: model))
    let options = #"{"threshold":0.5,"maxLabels":2,"dropBackground":true,"denyLabels":["Food"]}"#
    #expect(make(options, classifier: bytes).status == .success)
    let fine = make(#"{"fineLabels":true}"#, classifier: bytes)
    #expect(fine.error == "fineLabels cannot be combined with classifier")
  }

  @Test func facesHaveNoCustomModels() {
    let classifier = make(#"{"faces":true}"#, classifier: [1])
    #expect(classifier.status == .invalidOptions)
    #expect(classifier.error == "classifier cannot be combined with faces")
    #expect(make(#"{"faces":true}"#, model: [1]).error == "detector cannot be combined with faces")
  }
}
