import Testing

@testable import Martlet

@Suite(.timeLimit(.minutes(5))) struct DetectionResultsTests {
  static let names = ["fruit.jpg", "room.jpg", "fruit.jpg"]

  /// Yields the images, then fails with `error` if it is not nil.
  static func frames(
    _ images: [VisionImage], error: (any Error)? = nil
  ) -> AsyncThrowingStream<VisionImage, any Error> {
    AsyncThrowingStream { stream in
      for image in images { stream.yield(image) }
      stream.finish(throwing: error)
    }
  }

  static func images() throws -> [VisionImage] {
    try names.map { try ObjectDetectorCallsTests.image($0) }
  }

  @Test func returnsOneResultPerFrameInOrder() async throws {
    let detector = ObjectDetectorCallsTests.detector()
    let images = try DetectionResultsTests.images()
    var count = 0
    for try await result in detector.objects(
      over: DetectionResultsTests.frames(images))
    {
      #expect(result.index == count)
      #expect(result.frame === images[count])
      #expect(result.objects == (try await detector.objects(in: images[count])))
      count += 1
    }
    #expect(count == 3)
  }

  @Test func frameErrorEndsResults() async throws {
    let frames = DetectionResultsTests.frames(
      try DetectionResultsTests.images(), error: VisionError.noPixels)
    var count = 0
    await #expect(throws: VisionError.noPixels) {
      for try await _ in ObjectDetectorCallsTests.detector().objects(over: frames) { count += 1 }
    }
    #expect(count == 3)
  }

  @Test func detectorErrorEndsResults() async throws {
    let frames = DetectionResultsTests.frames([ObjectDetectorCallsTests.broken])
    await #expect(throws: VisionError.noPixels) {
      for try await _ in ObjectDetectorCallsTests.detector().objects(over: frames) {}
    }
  }

  @Test func descriptionHasOneLinePerDetection() throws {
    let image = InputImage(try RGBImage(width: 1, height: 1, pixels: [0, 0, 0]))
    let object = Object(frame: ObjectDescriptionTests.frame, score: 0.5)
    #expect(
      "\(DetectionResult(index: 4, frame: image, found: [object, object]))"
        == "frame 4: 2 found\n  \(object)\n  \(object)")
    #expect(
      "\(DetectionResult<_, Face>(index: 0, frame: image, found: []))"
        == "frame 0: nothing found")
  }
}
