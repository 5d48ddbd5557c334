import MartletSystem
import MartletTestSupport
import MartletVision
import Synchronization
import Testing

@testable import Martlet

@Suite struct ObjectStreamTests {
  /// Frames of a camera that pans over an image.
  private func frames(_ count: Int) throws -> [RGBImage] {
    let image = try ObjectDetectorTests.image("fruit.jpg")
    let (width, height) = (image.width - 40, image.height - 40)
    return try (0..<count).map { step in
      var pixels: [UInt8] = []
      for y in 0..<height {
        let start = ((y + step) * image.width + 2 * step) * 3
        pixels += image.pixels[start..<start + width * 3]
      }
      return try RGBImage(width: width, height: height, pixels: pixels)
    }
  }

  private let everything = ObjectStreamOptions(
    maximumObjectCount: 5, shouldEnableClassification: true, detectionInterval: 4)

  @Test func sameObjectsForEveryWorkerCount() throws {
    let frames = try frames(9)
    func run(_ workers: Int) throws -> [[DetectedObject]] {
      let stream = try ObjectStream(
        options: everything, interpreterOptions: .init(workers: .pool(count: workers)))
      return try frames.map { try stream.objects(in: $0) }
    }
    let first = try run(1)
    #expect(!first[0].isEmpty)
    #expect(try run(1) == first)
    #expect(try run(2) == first)
    #expect(try run(4) == first)
  }

  @Test func firstFrameMatchesTheDetector() throws {
    let frame = try frames(1)[0]
    let detected = try ObjectFinder(lock: .none).boxes(
      in: frame, limit: 1, testTimeAugmentation: false)
    let tracked = try ObjectStream().objects(in: frame)
    #expect(tracked.count == 1)
    let overlap = tracked[0].frame.intersectionOverUnion(with: detected[0].frame)
    #expect(overlap > 0.95)
    #expect(tracked[0].trackingID == 0)
  }

  @Test func boxesComeBeforeLabelsAndLabelsAreCached() throws {
    let stream = try ObjectStream(
      options: .init(shouldEnableClassification: true, detectionInterval: 4))
    // Stops before the frame in which another fruit becomes the most prominent.
    let results = try frames(8).map { try stream.objects(in: $0) }
    #expect(results[0].allSatisfy { $0.category == nil && $0.labels.isEmpty })
    for result in results.dropFirst() {
      #expect(result.map(\.trackingID) == [0])
      #expect(result.allSatisfy { $0.category == results[1][0].category })
    }
    #expect(results[1][0].category != nil)
  }

  @Test func newSizeOrOrientationStartsNewIdentifiers() throws {
    let stream = try ObjectStream()
    let frame = try frames(1)[0]
    #expect(try stream.objects(in: frame).map(\.trackingID) == [0])
    #expect(try stream.objects(in: frame).map(\.trackingID) == [0])
    #expect(try stream.objects(in: frame, orientation: .down).map(\.trackingID) == [1])
    let other = try frame.resized(to: ImageSize(width: frame.width / 2, height: frame.height / 2))
    #expect(try stream.objects(in: other, orientation: .down).map(\.trackingID) == [2])
    stream.reset()
    #expect(try stream.objects(in: other, orientation: .down).map(\.trackingID) == [3])
  }

  @Test func tracksOnlyUserProvidedBoxes() throws {
    let stream = try ObjectStream(options: .init(maximumObjectCount: 5))
    let frames = try frames(6)
    let box = Box(x: 60, y: 50, width: 50, height: 40)
    let started = try stream.begin(
      with: [box, Box(x: -90, y: 0, width: 9, height: 9)], in: frames[0])
    #expect(started.map(\.frame) == [box])
    for (step, frame) in frames.enumerated().dropFirst() {
      let objects = try stream.trackedObjects(in: frame)
      #expect(objects.map(\.trackingID) == started.map(\.trackingID))
      let expected = box.offset(x: -2 * Float(step), y: -Float(step))
      #expect(objects[0].frame.intersectionOverUnion(with: expected) > 0.8)
    }
  }

  @Test func refusesMoreStartBoxesThanItTracks() throws {
    let stream = try ObjectStream()
    let boxes = [Box](repeating: Box(x: 60, y: 50, width: 50, height: 40), count: 101)
    let frame = try frames(1)[0]
    #expect(throws: VisionError.tooManyBoxes(found: 101, limit: 100)) {
      try stream.begin(with: boxes, in: frame)
    }
    #expect(try stream.begin(with: boxes.dropLast(), in: frame).count == 100)
  }

  /// The number of localizer runs in each frame of a still video.
  private func detectionCounts(
    at image: String, frames: Int, options: ObjectStreamOptions
  ) throws -> [Int] {
    let frame = try ObjectDetectorTests.image(image)
    // Each run takes an interpreter and returns it, which uses the lock twice.
    let uses = Mutex(0)
    let finder = try ObjectFinder(
      lock: Lock { body in
        uses.withLock { $0 += 1 }
        body()
      })
    let stream = ObjectStream(finder, options: options)
    return try (0..<frames).map { _ in
      let before = uses.withLock { $0 }
      _ = try stream.objects(in: frame)
      return (uses.withLock { $0 } - before) / 2
    }
  }

  /// The detector runs on the whole frame every `detectionInterval` frames. Twice as often it runs
  /// on a crop around one small object, on each object at most every five frames. An object larger
  /// than a quarter of the frame gets no crop.
  @Test(arguments: [
    ("fruit.jpg", 5, 4, [1, 0, 0, 0, 2, 0, 1, 0, 2, 0, 1, 0, 2]),
    ("fruit.jpg", 1, 4, [1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 1, 0, 1]),
    ("fruit.jpg", 1, 1, [1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1]),
    ("fruit.jpg", 5, 5, [1, 0, 0, 0, 1, 1, 1, 0, 1, 0, 2, 0, 1]),
    ("plants.jpg", 1, 4, [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]),
  ])
  func cropIsDetectedBetweenWholeFrames(
    image: String, objects: Int, interval: Int, expected: [Int]
  ) throws {
    let options = ObjectStreamOptions(maximumObjectCount: objects, detectionInterval: interval)
    #expect(try detectionCounts(at: image, frames: expected.count, options: options) == expected)
  }
}
