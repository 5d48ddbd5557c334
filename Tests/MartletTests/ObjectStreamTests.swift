import MartletBase
import MartletSystem
import MartletTestSupport
import MartletVision
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

  private let everything = ObjectConfiguration(limit: 5, labels: .coarse())

  @Test func sameObjectsForEveryWorkerCount() throws {
    let frames = try frames(9)
    func run(_ workers: Int) throws -> [[DetectedObject]] {
      let stream = try ObjectStream(
        everything, execution: .init(workers: .pool(count: workers)))
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
    let detected = try ObjectFinder(lock: .none).detections(in: frame, limit: 1)
    let tracked = try ObjectStream().objects(in: frame)
    #expect(tracked.count == 1)
    let overlap = tracked[0].frame.intersectionOverUnion(with: detected[0].frame)
    #expect(overlap > 0.9)
    #expect(tracked[0].trackingID == 0)
  }

  @Test func boxesComeBeforeLabelsAndLabelsAreCached() throws {
    let stream = try ObjectStream(.init(labels: .coarse()))
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
    let other = try frame.resized(to: ImageSize(width: frame.width / 2, height: frame.height / 2))
    var identifiers = [0]
    for (frame, orientation) in [(frame, ImageOrientation.down), (other, .down), (other, .up)] {
      identifiers += try stream.objects(in: frame, orientation: orientation)
        .compactMap(\.trackingID)
    }
    stream.reset()
    identifiers += try stream.objects(in: other).compactMap(\.trackingID)
    #expect(identifiers.count == 5 && identifiers == Set(identifiers).sorted())
  }

  @Test func tracksOnlyUserProvidedBoxes() throws {
    let stream = try ObjectStream(.init(limit: 5))
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
    at image: String, frames: Int, configuration: ObjectConfiguration
  ) throws -> [Int] {
    let frame = try ObjectDetectorTests.image(image)
    // Each run looks up a network, takes an interpreter and returns it, which uses the lock three times.
    let uses = Mutex(0)
    let stream = try ObjectStream(
      configuration,
      lock: Lock { body in
        uses.withLock { $0 += 1 }
        body()
      })
    return try (0..<frames).map { _ in
      let before = uses.withLock { $0 }
      _ = try stream.objects(in: frame)
      return (uses.withLock { $0 } - before) / 3
    }
  }

  /// It runs on the frame, and on crops around as many objects as allowed.
  @Test(arguments: [(1, 0), (1, 2), (3, 0), (3, 2)])
  func localizerRunsAtItsInterval(_ interval: Int, _ looks: Int) throws {
    var configuration = ObjectConfiguration(limit: 5)
    configuration.tracking.detectionInterval = interval
    configuration.tracking.closerLookCount = looks
    let counts = try detectionCounts(at: "fruit.jpg", frames: 7, configuration: configuration)
    for (frame, count) in counts.enumerated() {
      #expect(frame.isMultiple(of: interval) ? (1...1 + looks).contains(count) : count == 0)
    }
  }

  @Test func objectsStayBetweenDetections() throws {
    var configuration = everything
    configuration.tracking.detectionInterval = 4
    let stream = try ObjectStream(configuration)
    let results = try frames(8).map { try stream.objects(in: $0).map(\.trackingID) }
    #expect(!results[0].isEmpty && results[1...3].allSatisfy { $0 == results[0] })
  }

  @Test func userProvidedTracksAreTheSameForEveryWorkerCount() throws {
    let frames = try frames(6)
    func run(_ workers: Int) throws -> [[DetectedObject]] {
      let stream = try ObjectStream(execution: .init(workers: .pool(count: workers)))
      let box = Box(x: 60, y: 50, width: 50, height: 40)
      let first = try stream.begin(with: [box], in: frames[0])
      return try [first] + frames.dropFirst().map { try stream.trackedObjects(in: $0) }
    }
    let first = try run(1)
    #expect(first.allSatisfy { $0.count == 1 })
    #expect(try run(2) == first)
    #expect(try run(4) == first)
  }
}
