import Testing

@testable import Martlet

@Suite(.timeLimit(.minutes(5))) struct DetectionResultsTests {
  static let names = ["fruit.jpg", "room.jpg", "fruit.jpg"]

  /// Frames that end with an error, if one is given.
  static func frames(
    _ pictures: [VisionImage], error: (any Error)? = nil
  ) -> AsyncThrowingStream<VisionImage, any Error> {
    AsyncThrowingStream { stream in
      for picture in pictures { stream.yield(picture) }
      stream.finish(throwing: error)
    }
  }

  static func pictures() throws -> [VisionImage] {
    try names.map { try ObjectDetectorCallsTests.picture($0) }
  }

  @Test func thereIsOneResultForEachFrameInOrder() async throws {
    let detector = ObjectDetectorCallsTests.detector()
    let pictures = try DetectionResultsTests.pictures()
    var count = 0
    for try await result in detector.results(
      over: DetectionResultsTests.frames(pictures))
    {
      #expect(result.index == count)
      #expect(result.frame === pictures[count])
      #expect(result.objects == (try await detector.objects(in: pictures[count])))
      count += 1
    }
    #expect(count == 3)
  }

  @Test func anErrorOfTheFramesEndsTheResults() async throws {
    let frames = DetectionResultsTests.frames(
      try DetectionResultsTests.pictures(), error: VisionError.noPixels)
    var count = 0
    await #expect(throws: VisionError.noPixels) {
      for try await _ in ObjectDetectorCallsTests.detector().results(over: frames) { count += 1 }
    }
    #expect(count == 3)
  }

  @Test func anErrorOfTheDetectorEndsTheResults() async throws {
    let frames = DetectionResultsTests.frames([ObjectDetectorCallsTests.broken])
    await #expect(throws: VisionError.noPixels) {
      for try await _ in ObjectDetectorCallsTests.detector().results(over: frames) {}
    }
  }

  @Test func aResultIsALineForEachThingFound() throws {
    let picture = Picture(try RGBImage(width: 1, height: 1, pixels: [0, 0, 0]))
    let object = Object(frame: ObjectDescriptionTests.frame, score: 0.5)
    #expect(
      "\(DetectionResult(index: 4, frame: picture, found: [object, object]))"
        == "frame 4: 2 found\n  \(object)\n  \(object)")
    #expect(
      "\(DetectionResult<_, Face>(index: 0, frame: picture, found: []))"
        == "frame 0: nothing found")
  }
}
