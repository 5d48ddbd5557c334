import Foundation
import Testing

@testable import Martlet
@testable import MartletMLKit

@Suite struct LocalModelTests {
  static let names = (0..<12).map { "thing \($0)" }

  /// Calls `body` with the path of a manifest next to a model and its labels.
  func withManifest<Result>(
    _ manifest: String, _ body: (String) throws -> Result
  ) throws -> Result {
    try withTemporaryFolder { folder in
      try Data(ClassifierFile().bytes).write(to: folder.appending(path: "model.tflite"))
      let labels = LocalModelTests.names.joined(separator: "\r\n") + "\n"
      try Data(labels.utf8).write(to: folder.appending(path: "dict.txt"))
      let path = folder.appending(path: "manifest.json")
      try Data(manifest.utf8).write(to: path)
      return try body(path.path)
    }
  }

  @Test func keepsPathWithoutReadingTheFile() {
    let model = LocalModel(path: "/nowhere/model.tflite")
    #expect(model.path == "/nowhere/model.tflite")
    #expect(model.manifestPath == nil)
    #expect(model.labels == nil)
  }

  @Test func bytesAreAModelWithoutAFile() throws {
    let bytes = ClassifierFile().bytes
    let model = LocalModel(bytes: bytes, labels: LocalModelTests.names)
    #expect(try model.file() == ModelFile(bytes, labels: LocalModelTests.names))
    #expect(model.path.isEmpty && model != LocalModel(bytes: []))
    #expect(throws: Never.self) { try model.checkExistence() }
  }

  @Test func urlNamesFileAndIsNeverDownloaded() {
    let file = LocalModel(url: URL(filePath: "/nowhere/a model.tflite"), labels: ["one"])
    #expect(file == LocalModel(path: "/nowhere/a model.tflite", labels: ["one"]))
    let web = URL(string: "https://example.org/model.tflite").map { LocalModel(url: $0) }
    #expect(web?.path == "https://example.org/model.tflite")
  }

  @Test func manifestNamesModelAndLabelsInItsFolder() throws {
    let manifest =
      #"{"modelFile":"model.tflite","labelsFile":"dict.txt","modelType":"IMAGE_LABELING"}"#
    try withManifest(manifest) { path in
      let model = try #require(LocalModel(manifestPath: path))
      #expect(model.manifestPath == path)
      #expect(model.path == URL(filePath: path).deletingLastPathComponent().path + "/model.tflite")
      #expect(model.labels == LocalModelTests.names)
      let options = CustomObjectDetectorOptions(localModel: model)
      let labels = try #require(try options.classifier()).labels(
        in: ClassifierFile.image(ObjectDetectorOptionsTests.samples))
      #expect(labels.first?.text == "thing 9")
    }
  }

  @Test(arguments: [
    "", "[]", #"{"modelFile":"model.tflite","modelType":"IMAGE_LABELING"}"#,
    #"{"modelFile":"model.tflite","labelsFile":"no.txt","modelType":"IMAGE_LABELING"}"#,
    #"{"modelFile":"model.tflite","labelsFile":"dict.txt","modelType":"OBJECT_DETECTION"}"#,
  ])
  func invalidManifestReturnsNil(_ manifest: String) throws {
    try withManifest(manifest) { #expect(LocalModel(manifestPath: $0) == nil) }
  }

  @Test(arguments: [
    ("[]", "manifest.json is not a JSON object with modelType, modelFile and labelsFile"),
    (
      #"{"modelFile":"m","labelsFile":"dict.txt","modelType":"OBJECT_DETECTION"}"#,
      "manifest.json is OBJECT_DETECTION, expected IMAGE_LABELING"
    ),
    (#"{"modelFile":"m","labelsFile":"no.txt","modelType":"IMAGE_LABELING"}"#, "no.txt"),
  ])
  func invalidManifestErrorStatesReason(_ manifest: String, _ words: String) throws {
    try withManifest(manifest) { path in
      _ = #expect {
        try LocalModel(readingManifest: path)
      } throws: {
        $0 is VisionError && "\($0)".hasSuffix(words)
      }
    }
  }

  @Test func rejectsTooManyLabelLines() throws {
    let manifest = #"{"modelFile":"m","labelsFile":"dict.txt","modelType":"IMAGE_LABELING"}"#
    try withManifest(manifest) { path in
      let labels = URL(filePath: path).deletingLastPathComponent().appending(path: "dict.txt")
      try Data(repeating: 10, count: 1 << 19).write(to: labels)
      _ = #expect {
        try LocalModel(readingManifest: path)
      } throws: {
        if case VisionError.labels(path: labels.path, .lineCount) = $0 { true } else { false }
      }
    }
  }

  @Test func missingManifestReturnsNil() {
    #expect(LocalModel(manifestPath: "/nowhere/manifest.json") == nil)
  }

  @Test func normalizationInCodeOverridesMetadata() throws {
    let samples: [UInt8] = [255, 0, 128, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    let bare = ClassifierFile().with { $0.type = ClassifierFile.float32 }
    let stated = ClassifierFile.floats(mean: [0], deviation: [255])
    for file in [bare, stated] {
      try file.withPath { path in
        let given = try PixelNormalization(mean: [10], deviation: [2])
        let options = CustomObjectDetectorOptions(
          localModel: LocalModel(path: path, normalization: given))
        let labels = try Classifier(options.localModel.file()).labels(
          in: ClassifierFile.image(samples))
        // (255 - 10) / 2 and (128 - 10) / 2; the others are below the threshold of 0.
        #expect(labels.map(\.confidence) == [122.5, 59])
        #expect(labels.map(\.index) == [0, 2])
      }
    }
  }

  @Test func labelsInCodeOverrideMetadata() throws {
    let file = ClassifierFile.labeled((0..<12).map { "class \($0)" })
    try file.withPath { path in
      let model = LocalModel(path: path, labels: LocalModelTests.names)
      let options = CustomObjectDetectorOptions(localModel: model)
      let classifier = try #require(try options.classifier())
      let image = try ClassifierFile.image(ObjectDetectorOptionsTests.samples)
      #expect(try classifier.labels(in: image).first?.text == "thing 9")
      let short = LocalModel(path: path, labels: ["one"])
      #expect(throws: VisionError.unsuitable(.labelCount(tensor: "scores", found: 1, classes: 12)))
      {
        try CustomObjectDetectorOptions(localModel: short).classifier()
      }
    }
  }
}
