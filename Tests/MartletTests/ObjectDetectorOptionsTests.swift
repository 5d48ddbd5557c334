import Foundation
import MartletTestSupport
import Testing

@testable import Martlet
@testable import MartletMLKit

/// Defaults, ranges and the handling of values out of range.
@Suite struct ObjectDetectorOptionsTests {
  static let samples: [UInt8] = [128, 64, 32, 16, 8, 4, 2, 1, 0, 255, 254, 253]

  /// The labels that a detector's classifier returns for an image with the scores `samples` / 256.
  func labels(
    _ file: ClassifierFile, _ change: (CustomObjectDetectorOptions) -> Void = { _ in }
  ) throws -> [ObjectLabel] {
    try file.withPath { path in
      let options = CustomObjectDetectorOptions(localModel: LocalModel(path: path))
      change(options)
      let classifier = try #require(try options.classifier())
      return try classifier.labels(
        in: ClassifierFile.image(ObjectDetectorOptionsTests.samples))
    }
  }

  @Test func modeRawValuesMatchMLKit() {
    #expect(ObjectDetectorMode.singleImage.rawValue == 0)
    #expect(ObjectDetectorMode.stream.rawValue == 1)
    #expect(ObjectDetectorMode.allCases.count == 2)
  }

  @Test func defaultsAreStreamModeWithOneUnclassifiedObject() {
    let custom = CustomObjectDetectorOptions(localModel: LocalModel(path: "x"))
    for options in [ObjectDetectorOptions(), custom] as [CommonObjectDetectorOptions] {
      #expect(options.detectorMode == .stream)
      #expect(!options.shouldEnableMultipleObjects)
      #expect(!options.shouldEnableClassification)
      #expect(options.maximumObjectCount == 5)
      #expect(options.minimumObjectScore == nil)
      #expect(!options.shouldThrowOnMainThread)
    }
    #expect(custom.classificationConfidenceThreshold == nil)
    #expect(custom.maxPerObjectLabelCount == 10)
    #expect(!custom.shouldDropBackgroundLabels)
    #expect(custom.labelFilter == .none && custom.regionOfInterest == nil)
    #expect(custom.localModel.path == "x")
  }

  @Test func propertiesKeepTheirValues() {
    let options = CustomObjectDetectorOptions(localModel: LocalModel(path: "x"))
    options.detectorMode = .singleImage
    options.shouldEnableMultipleObjects = true
    options.shouldEnableClassification = true
    options.classificationConfidenceThreshold = NSNumber(value: 0.5)
    options.maxPerObjectLabelCount = 3
    options.maximumObjectCount = 12
    #expect(options.detectorMode == .singleImage)
    #expect(options.shouldEnableMultipleObjects)
    #expect(options.shouldEnableClassification)
    #expect(options.classificationConfidenceThreshold == NSNumber(value: 0.5))
    #expect(options.maxPerObjectLabelCount == 3)
    #expect(options.maximumObjectCount == 12)
    options.regionOfInterest = CGRect(x: 1, y: 2, width: 3, height: 4)
    #expect(options.regionOfInterest == CGRect(x: 1, y: 2, width: 3, height: 4))
    options.classificationConfidenceThreshold = 0.25
    #expect(options.classificationConfidenceThreshold?.doubleValue == 0.25)
    options.classificationConfidenceThreshold = nil
    #expect(options.classificationConfidenceThreshold == nil)
  }

  @Test(arguments: [(false, 5, 1), (false, 12, 1), (true, 5, 5), (true, 12, 12), (true, 0, 5)])
  func objectLimitIsOneFiveOrMaximumCount(_ several: Bool, _ count: Int, _ limit: Int) throws {
    let options = ObjectDetectorOptions()
    options.shouldEnableMultipleObjects = several
    options.maximumObjectCount = count
    #expect(try options.values.completed(readsClassifier: true).limit == limit)
  }

  // Eight of the twelve scores are at least 8/256.
  @Test(arguments: [
    (NSNumber?.none, Float?.none, 0), (nil, 0.03125, 8), (NSNumber(value: 0.5), 0.03125, 4),
    (NSNumber(value: 0.5), nil, 4), (NSNumber(value: 0), 0.03125, 12),
    (NSNumber(value: 1), 0.03125, 0),
    (NSNumber(value: -0.1), 0.03125, 8), (NSNumber(value: 1.1), 0.03125, 8),
    (NSNumber(value: Double.nan), 0.03125, 8), (NSNumber(value: 2), nil, 12),
  ])
  func thresholdDefaultsToMetadataThenZero(
    _ option: NSNumber?, _ metadata: Float?, _ count: Int
  ) throws {
    let names = (0..<12).map { "class \($0)" }
    let file = ClassifierFile.labeled(names, threshold: metadata)
    let found = try labels(file) {
      $0.classificationConfidenceThreshold = option
      $0.maxPerObjectLabelCount = 20
    }
    #expect(found.count == (option == nil && metadata == nil ? 12 : count))
  }

  @Test func labelAtThresholdIsReturned() throws {
    let found = try labels(ClassifierFile()) {
      $0.classificationConfidenceThreshold = NSNumber(value: 0.5)
    }
    #expect(found.map(\.confidence) == [255, 254, 253, 128].map { $0 / 256 })
    #expect(found.map(\.index) == [9, 10, 11, 0])
  }

  @Test(arguments: [(10, 10), (3, 3), (12, 12), (100, 12), (0, 10), (-1, 10)])
  func labelCountDefaultsToTen(_ requested: Int, _ count: Int) throws {
    #expect(try labels(ClassifierFile()) { $0.maxPerObjectLabelCount = requested }.count == count)
    #expect(try labels(ClassifierFile()).count == 10)
  }

  @Test func labelsWithoutMetadataHaveNoText() throws {
    #expect(try labels(ClassifierFile()).allSatisfy { $0.text.isEmpty })
  }

  @Test func usesEnglishLabelsIfModelHasThem() throws {
    let raw = (0..<12).map { "/m/\($0)" }
    let english = (0..<12).map { "Thing \($0)" }
    #expect(try labels(.labeled(raw)).first?.text == "/m/9")
    #expect(try labels(.labeled(raw, english: english)).first?.text == "Thing 9")
  }

  @Test func backgroundLabelsAreDroppedOnRequest() throws {
    var names = (0..<12).map { "class \($0)" }
    names[9] = "background"
    names[10] = "__background__"
    names[11] = "???"
    var english = names
    english[0] = "N/A"
    let file = ClassifierFile.labeled(names, english: english)
    #expect(try labels(file).prefix(4).map(\.index) == [9, 10, 11, 0])
    let dropped = try labels(file) { $0.shouldDropBackgroundLabels = true }
    #expect(dropped.map(\.index) == [1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test func modelIsNotReadWithoutClassification() throws {
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "no model.tflite")
      try Data("nothing".utf8).write(to: url)
      let options = CustomObjectDetectorOptions(localModel: LocalModel(url: url))
      #expect(throws: Never.self) { try ObjectDetector(options: options) }
      options.shouldEnableClassification = true
      #expect(throws: VisionError.self) { try ObjectDetector(options: options) }
    }
  }

  @Test(arguments: ObjectDetectorMode.allCases, [false, true])
  func missingModelThrows(_ mode: ObjectDetectorMode, _ classifies: Bool) throws {
    let options = CustomObjectDetectorOptions(localModel: LocalModel(path: "/nowhere.tflite"))
    options.detectorMode = mode
    options.shouldEnableClassification = classifies
    let missing = VisionError.file(path: "/nowhere.tflite", .notFound)
    #expect(throws: missing) { try ObjectDetector(options: options) }
    let detector = ObjectDetector.objectDetector(options: options)
    #expect(throws: missing) { try detector.prepare() }
    let image = try ObjectDetectorTests.scene("fruit.jpg")
    #expect(throws: missing) { try detector.results(in: image) }
  }

  @Test func labelFilterAllowsAndDenies() throws {
    let names = (0..<12).map { "thing \($0)" }
    let file = ClassifierFile.labeled(names)
    let allowed = try labels(file) { $0.labelFilter = .allow(["thing 3", "thing 10"]) }
    #expect(allowed.map(\.index) == [10, 3])
    let denied = try labels(file) {
      $0.labelFilter = .deny(["thing 9", "thing 11"])
      $0.maxPerObjectLabelCount = 2
    }
    #expect(denied.map(\.index) == [10, 0])
    #expect(throws: VisionError.unsuitable(.label("thing 12"))) {
      try labels(file) { $0.labelFilter = .deny(["thing 12"]) }
    }
  }

  @Test func detectorCopiesItsOptions() throws {
    let options = ObjectDetectorOptions()
    options.detectorMode = .singleImage
    let detector = ObjectDetector.objectDetector(options: options)
    options.shouldEnableMultipleObjects = true
    let image = try InputImage(ObjectDetectorTests.image("fruit.jpg"))
    #expect(try detector.results(in: image).count == 1)
    #expect(
      try ObjectDetector.objectDetector(options: options).results(in: image).count == 4)
  }
}
