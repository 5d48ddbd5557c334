import MartletVision
import MartletWeights
import Testing

@testable import Martlet

@Suite struct DetectedObjectLabelTests {
  static let labels: [(DetectedObjectLabel, DetectedObjectLabelIndex, String, Int)] = [
    (.fashionGood, .fashionGood, "Fashion good", 0), (.homeGood, .homeGood, "Home good", 1),
    (.food, .food, "Food", 2), (.place, .place, "Place", 3), (.plant, .plant, "Plant", 4),
  ]

  @Test(arguments: labels)
  func textsAndIndicesMatchMLKit(
    _ label: DetectedObjectLabel, _ index: DetectedObjectLabelIndex, _ text: String, _ number: Int
  ) {
    #expect(label.rawValue == text)
    #expect(index.rawValue == number)
    #expect(DetectedObjectLabel(rawValue: text) == label)
  }

  /// Java's string hash. Decompiled code of ML Kit for Android switches on these two values.
  @Test(arguments: [
    (DetectedObjectLabel.fashionGood, Int32(-958_563_771)), (.homeGood, -231_354_562),
  ])
  func textHashesMatchMLKit(_ label: DetectedObjectLabel, _ hash: Int32) {
    #expect(label.rawValue.utf16.reduce(Int32(0)) { 31 &* $0 &+ Int32($1) } == hash)
  }

  @Test func shippedClassifierUsesTheseTexts() throws {
    let classifier = try Classifier(
      modelBytes: ShippedModel.classifier.bytes, threshold: 0, maximumLabelCount: 6)
    let image = try ObjectDetectorTests.image("fruit.jpg")
    let given = try classifier.labels(in: image)
    for (label, index, _, _) in DetectedObjectLabelTests.labels {
      #expect(given.first { $0.index == index.rawValue }?.text == label.rawValue)
    }
  }
}
