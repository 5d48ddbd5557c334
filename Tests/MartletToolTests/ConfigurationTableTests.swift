import Foundation
import MartletBase
import MartletCommandLine
import MartletTestSupport
import MartletVision
import Testing

@testable import MartletMLKit
@testable import MartletTool

/// Each property of a configuration is the same in Swift, JSON (of files, C and JavaScript), on the
/// command line and, if ML Kit has it, in its options.
@Suite struct ConfigurationTableTests {
  struct ObjectRow: Sendable {
    let json: String
    let words: [String]
    let set: @Sendable (inout ObjectConfiguration) -> Void
    var options: (@Sendable (ObjectDetectorOptions) -> Void)?
    var custom: (@Sendable (CustomObjectDetectorOptions) -> Void)?
  }

  private static let model = Fixtures.folder("Models").appending(
    path: "detector_of_quarters.tflite"
  ).path

  static let objectRows: [ObjectRow] = [
    ObjectRow(
      json: #"{"multiple":true}"#, words: ["--multiple"], set: { $0.limit = 5 },
      options: { $0.shouldEnableMultipleObjects = true }),
    ObjectRow(
      json: #"{"maxObjects":7}"#, words: ["--max-objects", "7"], set: { $0.limit = 7 },
      options: { ($0.shouldEnableMultipleObjects, $0.maximumObjectCount) = (true, 7) }),
    ObjectRow(
      json: #"{"minScore":0.25}"#, words: ["--min-score", "0.25"], set: { $0.minimumScore = 0.25 },
      options: { $0.minimumObjectScore = 0.25 }),
    ObjectRow(
      json: #"{"multiple":true,"allBoxes":true}"#, words: ["--multiple", "--all-boxes"],
      set: { ($0.limit, $0.reportsAll) = (5, true) },
      options: { ($0.shouldEnableMultipleObjects, $0.reportsAllBoxes) = (true, true) }),
    ObjectRow(
      json: #"{"region":[1,2.5,3,4]}"#, words: ["--region", "1,2.5,3,4"],
      set: { $0.region = Box(x: 1, y: 2.5, width: 3, height: 4) },
      options: { $0.regionOfInterest = CGRect(x: 1, y: 2.5, width: 3, height: 4) }),
    ObjectRow(
      json: #"{"classify":true}"#, words: ["--classify"], set: { $0.labels = .coarse() },
      options: { $0.shouldEnableClassification = true }),
    ObjectRow(
      json: #"{"fineLabels":true}"#, words: ["--fine-labels"],
      set: { $0.labels = .coarse(fineLabels: true) },
      options: { ($0.shouldEnableClassification, $0.shouldEnableFineLabels) = (true, true) }),
    ObjectRow(
      json: #"{"classify":true,"threshold":0.5}"#, words: ["--model", "m", "--threshold", "0.5"],
      set: { $0.labels = custom { $0.threshold = 0.5 } },
      custom: { $0.classificationConfidenceThreshold = 0.5 }),
    ObjectRow(
      json: #"{"classify":true,"maxLabels":3}"#, words: ["--model", "m", "--max-labels", "3"],
      set: { $0.labels = custom { $0.maximumCount = 3 } },
      custom: { $0.maxPerObjectLabelCount = 3 }),
    ObjectRow(
      json: #"{"classify":true,"labels":["a","b"]}"#,
      words: ["--model", "m", "--labels", "LABELS"],
      set: { ($0.labels, $0.names) = (LabelConfiguration(), ["a", "b"]) }),
    ObjectRow(
      json: #"{"classify":true,"allowLabels":["a","b"]}"#,
      words: ["--model", "m", "--allow-labels", "a,b"],
      set: { ($0.labels, $0.filter) = (.coarse(), .allow(["a", "b"])) },
      custom: { $0.labelFilter = .allow(["a", "b"]) }),
    ObjectRow(
      json: #"{"classify":true,"denyLabels":["a"]}"#,
      words: ["--model", "m", "--deny-labels", "a"],
      set: { ($0.labels, $0.filter) = (.coarse(), .deny(["a"])) },
      custom: { $0.labelFilter = .deny(["a"]) }),
    ObjectRow(
      json: #"{"classify":true,"dropBackground":true}"#,
      words: ["--model", "m", "--drop-background"],
      set: { $0.labels = custom { $0.dropsBackground = true } },
      custom: { $0.shouldDropBackgroundLabels = true }),
    ObjectRow(
      json: #"{"classify":true,"mean":[127.5],"std":[2]}"#,
      words: ["--model", "m", "--mean", "127.5", "--std", "2"],
      set: {
        $0.labels = LabelConfiguration()
        $0.normalization = try? .init(mean: [127.5], deviation: [2])
      }),
    ObjectRow(
      json: #"{"detectorHead":"yolov8"}"#,
      words: ["--detector", "m", "--detector-head", "yolov8"],
      set: { $0.detectorHead = .yolov8 }, options: { $0.detectorHead = .yolov8 }),
    ObjectRow(
      json: #"{"overlap":0.5}"#, words: ["--detector", "m", "--overlap", "0.5"],
      set: { $0.overlap = 0.5 }, options: { $0.detectorOverlap = 0.5 }),
    ObjectRow(
      json: #"{"anchors":[10.0,14.5]}"#, words: ["--detector", "m", "--anchors", "10,14.5"],
      set: { $0.anchors = [10, 14.5] }, options: { $0.detectorAnchors = [10, 14.5] }),
    ObjectRow(
      json: #"{"bgr":true}"#, words: ["--detector", "m", "--bgr"],
      set: { $0.isBGR = true }, options: { $0.detectorIsBGR = true }),
    ObjectRow(
      json: #"{"stream":true,"detectEvery":3}"#, words: ["--detect-every", "3"],
      set: { ($0.isStream, $0.tracking.detectionInterval) = (true, 3) },
      options: {
        $0.detectorMode = .stream
        $0.tracking.detectionInterval = 3
      }),
    ObjectRow(
      json: #"{"stream":true,"keepLost":7}"#, words: ["--keep-lost", "7"],
      set: { ($0.isStream, $0.tracking.lostFrameCount) = (true, 7) },
      options: {
        $0.detectorMode = .stream
        $0.tracking.lostFrameCount = 7
      }),
    ObjectRow(
      json: #"{"strict":true}"#, words: ["--strict"], set: { $0.decoding.isStrict = true }),
    ObjectRow(
      json: #"{"maxMemory":64}"#, words: ["--max-memory", "64"],
      set: { $0.decoding.limits = ImageLimits(memory: 64 << 20) }),
    ObjectRow(
      json: #"{"fullResolution":true}"#, words: ["--full-resolution"],
      set: { $0.decoding.isFullResolution = true }),
    ObjectRow(
      json: #"{"colorConversion":false}"#, words: ["--no-color-conversion"],
      set: { $0.decoding.convertsColors = false }),
    ObjectRow(
      json: #"{"timeout":2.5}"#, words: ["--timeout", "2.5"], set: { $0.decoding.timeout = 2.5 }),
  ]

  private static func custom(_ set: (inout LabelConfiguration) -> Void) -> LabelConfiguration {
    var labels = LabelConfiguration()
    set(&labels)
    return labels
  }

  @Test(arguments: objectRows.indices)
  func objectPropertiesAreTheSameInAllFrontEnds(_ index: Int) throws {
    let row = ConfigurationTableTests.objectRows[index]
    var expected = ObjectConfiguration()
    row.set(&expected)
    #expect(expected != ObjectConfiguration())
    #expect(try ObjectConfiguration(ConfigurationTableTests.reader(row.json)) == expected)
    #expect(try ObjectConfiguration(ConfigurationTableTests.reader("\(expected.json)")) == expected)
    let command = expected.isStream ? TrackCommand.specification : DetectCommand.specification
    let names = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).txt")
    try Data("a\nb\n".utf8).write(to: names)
    defer { try? FileManager.default.removeItem(at: names) }
    // Without an option the tool names objects.
    let isNamed = expected.labels != nil || row.words.contains("--detector")
    let words =
      row.words.map { $0 == "LABELS" ? names.path : $0 } + (isNamed ? [] : ["--no-classify"])
      + ["a.jpg"]
    let arguments = try Arguments(words: words.map { FilePath($0) }, for: command)
    let objects = try ObjectOptions(arguments, isStream: expected.isStream)
    #expect(try objects.named() == expected)
    let options: CommonObjectDetectorOptions
    if let change = row.options {
      let coarse = ObjectDetectorOptions()
      coarse.detectorMode = .singleImage
      change(coarse)
      options = coarse
    } else if let change = row.custom {
      let custom = CustomObjectDetectorOptions(
        localModel: LocalModel(path: ConfigurationTableTests.model))
      (custom.detectorMode, custom.shouldEnableClassification) = (.singleImage, true)
      change(custom)
      options = custom
    } else {
      return
    }
    var configuration = try options.values.completed(readsClassifier: true)
    configuration.labels?.classifier = nil
    #expect(configuration == expected)
  }

  struct FaceRow: Sendable {
    let json: String
    let words: [String]
    let set: @Sendable (inout FaceConfiguration) -> Void
    var options: (@Sendable (FaceDetectorOptions) -> Void)?
  }

  static let faceRows: [FaceRow] = [
    FaceRow(
      json: #"{"mode":"fast"}"#, words: ["--mode", "fast"], set: { $0.isAccurate = false },
      options: { $0.performanceMode = .fast }),
    FaceRow(
      json: #"{"landmarks":true}"#, words: ["--landmarks"], set: { $0.landmarks = true },
      options: { $0.landmarkMode = .all }),
    FaceRow(
      json: #"{"contours":true}"#, words: ["--contours"], set: { $0.contours = .mostProminent },
      options: { $0.contourMode = .all }),
    FaceRow(
      json: #"{"allContours":true}"#, words: ["--all-contours"], set: { $0.contours = .all },
      options: { ($0.contourMode, $0.shouldFindContoursOfAllFaces) = (.all, true) }),
    FaceRow(
      json: #"{"classify":true}"#, words: ["--classify"], set: { $0.expressions = true },
      options: { $0.classificationMode = .all }),
    FaceRow(
      json: #"{"mesh":true}"#, words: ["--mesh"], set: { $0.mesh = true },
      options: { $0.shouldReturnMesh = true }),
    FaceRow(
      json: #"{"minFaceSize":0.25}"#, words: ["--min-face-size", "0.25"],
      set: { $0.minimumSize = 0.25 }, options: { $0.minFaceSize = 0.25 }),
    FaceRow(
      json: #"{"minScore":0.75}"#, words: ["--min-score", "0.75"], set: { $0.minimumScore = 0.75 },
      options: { $0.minimumFaceScore = 0.75 }),
    FaceRow(
      json: #"{"maxFaces":3}"#, words: ["--max-faces", "3"], set: { $0.limit = 3 },
      options: { $0.maximumFaceCount = 3 }),
    FaceRow(
      json: #"{"stream":true,"detectEvery":3}"#, words: ["--faces", "--detect-every", "3"],
      set: { ($0.isStream, $0.detectionInterval) = (true, 3) }),
    FaceRow(
      json: #"{"stream":true,"keepLost":7}"#, words: ["--faces", "--keep-lost", "7"],
      set: { ($0.isStream, $0.maximumLostFrames) = (true, 7) }),
    FaceRow(
      json: #"{"stream":true,"smoothing":false}"#, words: ["--faces", "--no-smoothing"],
      set: { ($0.isStream, $0.isSmoothing) = (true, false) },
      options: { ($0.isTrackingEnabled, $0.shouldSmoothPoints) = (true, false) }),
    FaceRow(
      json: #"{"strict":true}"#, words: ["--strict"], set: { $0.decoding.isStrict = true }),
    FaceRow(
      json: #"{"maxMemory":64}"#, words: ["--max-memory", "64"],
      set: { $0.decoding.limits = ImageLimits(memory: 64 << 20) }),
    FaceRow(
      json: #"{"fullResolution":true}"#, words: ["--full-resolution"],
      set: { $0.decoding.isFullResolution = true }),
    FaceRow(
      json: #"{"colorConversion":false}"#, words: ["--no-color-conversion"],
      set: { $0.decoding.convertsColors = false }),
    FaceRow(
      json: #"{"timeout":2.5}"#, words: ["--timeout", "2.5"], set: { $0.decoding.timeout = 2.5 }),
  ]

  @Test(arguments: faceRows.indices)
  func facePropertiesAreTheSameInAllFrontEnds(_ index: Int) throws {
    let row = ConfigurationTableTests.faceRows[index]
    var expected = FaceConfiguration()
    row.set(&expected)
    #expect(expected != FaceConfiguration())
    #expect(try FaceConfiguration(ConfigurationTableTests.reader(row.json)) == expected)
    #expect(try FaceConfiguration(ConfigurationTableTests.reader("\(expected.json)")) == expected)
    let command = expected.isStream ? TrackCommand.specification : FacesCommand.specification
    let arguments = try Arguments(
      words: (row.words + ["a.jpg"]).map { FilePath($0) }, for: command)
    #expect(try FaceOptions(arguments, isTracking: expected.isStream).configuration == expected)
    guard let change = row.options else { return }
    let options = FaceDetectorOptions()
    (options.performanceMode, options.minFaceSize) = (.accurate, 0)
    change(options)
    #expect(options.values.configuration == expected)
  }

  /// A member that is added needs a row.
  @Test func everyMemberHasARow() throws {
    func members(_ rows: [String]) throws -> Set<String> {
      try Set(
        rows.flatMap { text -> [String] in
          guard case .object(let members) = try JSON(parsing: Array(text.utf8)) else { return [] }
          return members.map { $0.0 }
        })
    }
    #expect(
      try members(ConfigurationTableTests.objectRows.map(\.json)).union(["faces"])
        == Set(ObjectConfiguration.members.map(\.name)))
    #expect(
      try members(ConfigurationTableTests.faceRows.map(\.json)).union(["faces"])
        == Set(FaceConfiguration.members.map(\.name)))
  }

  /// The declarations for TypeScript name every member. Detectors and trackers are classes there,
  /// and some options have other names, as in Swift.
  @Test func typeScriptDeclaresEveryMember() throws {
    let file = Fixtures.root.appending(path: "Sources/API/MartletC/JavaScript/martlet.d.ts")
    let text = try String(contentsOf: file, encoding: .utf8)
    func declared(_ interfaces: String...) throws -> Set<String> {
      try Set(
        interfaces.flatMap { interface in
          let start = try #require(text.range(of: "export interface \(interface) "))
          let body = text[start.upperBound...].drop { $0 != "{" }.prefix { $0 != "}" }
          return body.split(separator: "\n").compactMap { line in
            line.split(separator: ":").first.map { $0.trimmingCharacters(in: [" ", "?"]) }
          }
        })
    }
    let objects = [
      "multiple": "limit", "maxObjects": "limit", "classify": "labels", "fineLabels": "labels",
    ]
    let ofObjects = try declared(
      "ObjectOptions", "ObjectDetectorOptions", "StreamOptions", "DecodingOptions")
    for name in ObjectConfiguration.members.map(\.name) where !["faces", "stream"].contains(name) {
      #expect(ofObjects.contains(objects[name] ?? name), "\(name)")
    }
    let ofFaces = try declared(
      "FaceOptions", "FaceTrackerOptions", "StreamOptions", "DecodingOptions")
    for name in FaceConfiguration.members.map(\.name) where name != "stream" {
      #expect(ofFaces.contains(name == "maxFaces" ? "limit" : name), "\(name)")
    }
  }

  private static func reader(_ text: String) throws(JSONError) -> JSONReader {
    JSONReader(try JSON(parsing: Array(text.utf8)))
  }
}
