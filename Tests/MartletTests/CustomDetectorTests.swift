import Foundation
import MartletTestSupport
import Testing

@testable import Martlet
@testable import MartletMLKit

/// Custom detector models in place of the shipped localizer.
@Suite struct CustomDetectorTests {
  static let labels = ["cup", "hat"]
  /// A hat in the first quarter, a cup in the last, and low scores elsewhere.
  static let scores: [(UInt8, UInt8)] = [(16, 192), (32, 0), (0, 64), (128, 64)]

  static func options(
    _ path: String, labels: [String]? = nil, _ change: (ObjectDetectorOptions) -> Void = { _ in }
  ) -> ObjectDetectorOptions {
    let options = ObjectDetectorOptions()
    options.detectorMode = .singleImage
    options.shouldEnableMultipleObjects = true
    options.detectorModel = LocalModel(path: path, labels: labels)
    change(options)
    return options
  }

  static func objects(
    _ file: DetectorFile, labels: [String]? = nil,
    _ change: (ObjectDetectorOptions) -> Void = { _ in }
  ) throws -> [Object] {
    try file.withPath { path in
      try ObjectDetector(options: options(path, labels: labels, change))
        .results(in: InputImage(try DetectorFile.image(scores)))
    }
  }

  @Test(arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]])
  func returnsDetectionsOfTheCustomModel(_ order: [Int]) throws {
    var file = DetectorFile(labels: CustomDetectorTests.labels)
    file.order = order
    let objects = try CustomDetectorTests.objects(file)
    // Both are equally central and large: the higher score comes first.
    #expect(objects.map(\.score) == [0.75, 0.5])
    #expect(objects.flatMap(\.labels).map(\.text) == ["hat", "cup"])
    #expect(objects.flatMap(\.labels).map(\.index) == [1, 0])
    #expect(objects.flatMap(\.labels).map(\.confidence) == [0.75, 0.5])
    // A quarter of the image, inset by a tenth on each side.
    let expected = [
      CGRect(x: 0.1, y: 0.1, width: 0.8, height: 0.8),
      CGRect(x: 1.1, y: 1.1, width: 0.8, height: 0.8),
    ]
    for (object, box) in zip(objects, expected) {
      #expect(abs(object.frame.minX - box.minX) < 1e-4 && abs(object.frame.minY - box.minY) < 1e-4)
      #expect(abs(object.frame.maxX - box.maxX) < 1e-4 && abs(object.frame.maxY - box.maxY) < 1e-4)
    }
    #expect(objects.allSatisfy { $0.category == nil && $0.trackingID == nil })
  }

  @Test func filterReportsClassesOfADetector() throws {
    let file = DetectorFile(labels: CustomDetectorTests.labels)
    func names(_ change: (ObjectDetectorOptions) -> Void) throws -> [String] {
      try CustomDetectorTests.objects(file, change).flatMap(\.labels).map(\.text)
    }
    #expect(try names { $0.labelFilter = .allow(["cup"]) } == ["cup"])
    #expect(try names { $0.labelFilter = .deny(["cup"]) } == ["hat"])
    // The most prominent object is the hat.
    let cup = try names {
      $0.shouldEnableMultipleObjects = false
      $0.labelFilter = .allow(["cup"])
    }
    #expect(cup == ["cup"])
    #expect(throws: VisionError.unsuitable(.label("cap"))) {
      try names { $0.labelFilter = .allow(["cap"]) }
    }
  }

  @Test func thresholdDefaultsToMetadataThenThreeTenths() throws {
    let stated = DetectorFile(threshold: 0.6)
    #expect(try CustomDetectorTests.objects(DetectorFile()).count == 2)
    #expect(try CustomDetectorTests.objects(stated).map(\.score) == [0.75])
    #expect(try CustomDetectorTests.objects(stated) { $0.minimumObjectScore = 0.25 }.count == 3)
    #expect(try CustomDetectorTests.objects(stated) { $0.minimumObjectScore = 0 }.count >= 3)
  }

  @Test func returnsOneObjectByDefault() throws {
    let objects = try CustomDetectorTests.objects(DetectorFile()) {
      $0.shouldEnableMultipleObjects = false
    }
    #expect(objects.map(\.score) == [0.75])
  }

  @Test func labelsComeFromCodeOrAreEmpty() throws {
    let without = try CustomDetectorTests.objects(DetectorFile())
    #expect(without.flatMap(\.labels).map(\.text) == ["", ""])
    for (labels, names) in [
      (["a", "b"], ["b", "a"]), (["???", "a", "b"], ["b", "a"]), (["a", "b", "c"], ["b", "a"]),
      (["background", "a"], ["", "a"]),
    ] {
      let given = try CustomDetectorTests.objects(DetectorFile(), labels: labels)
      #expect(given.flatMap(\.labels).map(\.text) == names)
    }
  }

  /// The operator's options tell the number of classes.
  @Test func refusesFewerLabelsThanClasses() {
    #expect(
      throws: VisionError.unsuitable(.labelCount(tensor: "boxes", found: 1, classes: 2))
    ) { try CustomDetectorTests.objects(DetectorFile(), labels: ["a"]) }
  }

  @Test func classifierLabelsReplaceDetectorLabels() throws {
    let objects = try CustomDetectorTests.objects(DetectorFile(labels: CustomDetectorTests.labels))
    {
      $0.shouldEnableClassification = true
    }
    #expect(objects.allSatisfy { $0.category != nil })
    #expect(objects.flatMap(\.labels).allSatisfy { !CustomDetectorTests.labels.contains($0.text) })
  }

  @Test func objectsInStreamsKeepTheDetectorsLabel() throws {
    try DetectorFile(labels: CustomDetectorTests.labels).withPath { path in
      let detector = try ObjectDetector(
        options: CustomDetectorTests.options(path) {
          $0.detectorMode = .stream
          $0.minimumObjectScore = 0.35
        })
      let frame = InputImage(
        try DetectorFile.image(CustomDetectorTests.scores, width: 64, height: 48))
      for _ in 0..<3 {
        let objects = try detector.results(in: frame)
        #expect(objects.flatMap(\.labels).map(\.text) == ["hat", "cup"])
        #expect(objects.compactMap(\.trackingID) == [0, 1])
      }
    }
  }

  @Test func rejectsModelThatIsNotADetector() throws {
    try ClassifierFile().withPath { path -> Void in
      #expect(throws: VisionError.unsuitable(.detector(outputs: [Shape(1, 12)]))) {
        try ObjectDetector(options: CustomDetectorTests.options(path))
      }
    }
    let missing = CustomDetectorTests.options("/nowhere.tflite")
    #expect(throws: VisionError.file(path: "/nowhere.tflite", .notFound)) {
      try ObjectDetector(options: missing)
    }
  }

  /// A real detector, compared with LiteRT's reference kernels on the same pixels.
  @Test(
    .enabled(if: SharedMaterial.holds("conformance"), "needs ../shared/conformance"),
    arguments: ["pets", "kite_and_cold"])
  func realDetectorMatchesLiteRT(_ inputName: String) throws {
    let name = "support__coco_ssd_mobilenet_v1_1.0_quant_2018_06_29"
    let model = SharedMaterial.url("conformance/models/\(name).tflite")
    let input = SharedMaterial.url("conformance/golden/inputs/\(inputName)_300x300.u8")
    let outputs = SharedMaterial.url("conformance/golden/outputs/\(name)")
    func floats(_ index: Int) throws -> [Float] {
      let file = outputs.appending(path: "\(inputName).\(index).bin")
      return try Fixtures.bytes(of: file).withUnsafeBytes { bytes in
        (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
      }
    }
    let (boxes, classes, scores) = (try floats(0), try floats(1), try floats(2))
    let image = try RGBImage(width: 300, height: 300, pixels: try Fixtures.bytes(of: input))
    let objects = try ObjectDetector(
      options: CustomDetectorTests.options(model.path) { $0.maximumObjectCount = 10 }
    ).results(in: InputImage(image))
    let sure = scores.indices.filter { scores[$0] >= 0.3 }
    #expect(objects.count == sure.count && !sure.isEmpty)
    for index in sure {
      let top = CGFloat(min(max(boxes[4 * index], 0), 1)) * 300
      let right = CGFloat(min(max(boxes[4 * index + 3], 0), 1)) * 300
      let isFound = objects.contains { object in
        abs(object.score - scores[index]) < 1e-6 && abs(object.frame.minY - top) < 0.01
          && abs(object.frame.maxX - right) < 0.01
          && object.labels.map(\.index) == [Int(classes[index])]
      }
      #expect(isFound, "\(index)")
    }
    #expect(objects.flatMap(\.labels).allSatisfy { !$0.text.isEmpty })
  }
}
