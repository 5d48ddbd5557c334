//===--- UsageTests.swift - runs the object patterns ----------------------===//
//
// This target imports only `Martlet` and sees only public names, as its users do.
//===----------------------------------------------------------------------===//

import Foundation
import MartletMLKit
import MartletTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct UsageTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func inputImage() throws -> InputImage {
    try InputImage(contentsOfFile: root.appending(path: "Tests/Fixtures/Scenes/fruit.jpg").path)
  }

  /// The image as a camera held upright delivers it: rotated counterclockwise by 90°.
  static func frame() throws -> SampleBuffer {
    let upright = try inputImage().pixels
    let turned = upright.upright(from: .left)
    let bytes = turned.withUnsafePixels { Array($0) }
    return SampleBuffer(
      try PixelBuffer(width: turned.width, height: turned.height, format: .rgb, bytes: bytes))
  }

  static func visionImages() throws -> [VisionImage] {
    ObjectPatterns.images(try inputImage(), try frame())
  }

  @Test func optionsKeepTheirValues() {
    let live = ObjectPatterns.liveStream()
    #expect(live.detectorMode == .stream && live.shouldEnableClassification)
    #expect(!live.shouldEnableMultipleObjects)
    let still = ObjectPatterns.stillImage()
    #expect(still.detectorMode == .singleImage && still.shouldEnableMultipleObjects)
  }

  @Test func liveStreamTracksOneObject() throws {
    let detector = ObjectDetector.objectDetector(options: ObjectPatterns.liveStream())
    let image = try UsageTests.visionImages()[1]
    let results = try (0..<3).map { _ in try detector.results(in: image) }
    #expect(results.map(\.count) == [1, 1, 1])
    #expect(Set(results.map { $0[0].trackingID }).count == 1)
    #expect(results.allSatisfy { $0[0].trackingID != nil })
    let earlier = try FirebasePatterns.detectors()[0].results(in: image)
    #expect(earlier.count == 1 && earlier[0].trackingID != nil)
    #expect(earlier[0].classificationCategory == .unknown)
  }

  @Test(arguments: [0, 1])
  func callbackReceivesObjects(_ index: Int) async throws {
    let image = try UsageTests.visionImages()[index]
    let count = try await callbackValue { done in
      ObjectPatterns.callback(image) { done($0) }
    }
    #expect(count == 4)
  }

  @Test func resultsReturnObjects() throws {
    let images = try UsageTests.visionImages()
    let (still, camera) = (
      ObjectPatterns.synchronous(images[0]), ObjectPatterns.synchronous(images[1])
    )
    #expect(still.count == 4)
    #expect(camera.map(\.uprightFrame) == still.map(\.frame))
    #expect(camera.map(\.frame.size.width) == still.map(\.frame.size.height))
    #expect(still.allSatisfy { $0.trackingID == nil && $0.score > 0 })
  }

  @Test func orientationFunctionOfAppsMatchesPackage() {
    for device in DeviceOrientation.allCases {
      for camera in CameraPosition.allCases {
        let ready = imageOrientation(deviceOrientation: device, cameraPosition: camera)
        #expect(
          ObjectPatterns.imageOrientation(deviceOrientation: device, cameraPosition: camera)
            == ready)
        #expect(
          FirebasePatterns.imageOrientation(deviceOrientation: device, cameraPosition: camera)
            .rawValue == ready.rawValue)
      }
    }
  }

  @Test func customClassifierLabelsObjects() throws {
    let model = UsageTests.root.appending(path: "Weights/classifier.tflite").path
    let detector = ObjectPatterns.customClassifier(model)
    let objects = try detector.results(in: try UsageTests.visionImages()[0])
    #expect(objects.count == 4)
    #expect(objects.contains { !$0.labels.isEmpty })
    #expect(objects.flatMap(\.labels).allSatisfy { $0.confidence >= 0.5 && !$0.text.isEmpty })
    #expect(objects.allSatisfy { $0.labels.count <= 3 && $0.category == nil })
  }

  @Test func missingModelThrows() throws {
    let detector = ObjectPatterns.customClassifier("/nowhere.tflite")
    let image = try UsageTests.visionImages()[0]
    #expect(throws: VisionError.file(path: "/nowhere.tflite", .notFound)) {
      try detector.results(in: image)
    }
  }

  @Test @MainActor func screenShowsDetectedObjects() async throws {
    let screen = ObjectPatterns.Screen()
    let image = try UsageTests.visionImages()[0]
    try await callbackValue { done in
      screen.detect(in: image) { done(()) }
    }
    #expect(screen.shown.count == 4)
  }

  @Test func earlierGenerationReturnsSameObjects() async throws {
    let detector = FirebasePatterns.detectors()[1]
    let image = FirebasePatterns.image(try UsageTests.frame())
    let results = try #require(FirebasePatterns.synchronous(detector, image))
    let later = ObjectPatterns.synchronous(try UsageTests.visionImages()[1])
    #expect(results.map(\.frame) == later.map(\.frame))
    #expect(
      results.allSatisfy { ($0.classificationCategory == .unknown) == ($0.confidence == nil) })
    let count = try await callbackValue { done in
      FirebasePatterns.callback(detector, image) { done($0) }
    }
    #expect(count == results.count)
  }

  @Test func asyncCallsReturnSameObjects() async throws {
    let image = try UsageTests.visionImages()[0]
    let expected = ObjectPatterns.synchronous(image)
    #expect(try await TodaysPatterns.objects(image) == expected)
    let frames = AsyncStream { stream in
      for _ in 0..<3 { stream.yield(image) }
      stream.finish()
    }
    #expect(try await TodaysPatterns.sequence(frames) == [4, 4, 4])
    let boxes = expected.map(\.frame)
    let frame = AsyncStream { stream in
      stream.yield(image)
      stream.finish()
    }
    #expect(try await TodaysPatterns.onTheMainActor(frame) == boxes + boxes)
  }
}
