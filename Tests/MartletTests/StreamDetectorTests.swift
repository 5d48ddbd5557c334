import Dispatch
import Foundation
import MartletBase
import MartletTestSupport
import Testing

@testable import Martlet
@testable import MartletFirebase
@testable import MartletMLKit

/// A detector in `.stream` mode.
@Suite(.timeLimit(.minutes(5))) struct StreamDetectorTests {
  /// A stream detector of several objects; `change` adjusts its options.
  static func detector(
    _ change: (ObjectDetectorOptions) -> Void = { _ in }
  ) throws -> ObjectDetector {
    let options = ObjectDetectorOptions()
    options.shouldEnableMultipleObjects = true
    change(options)
    return try ObjectDetector(options: options)
  }

  /// Frames of a camera that pans over a scene by two pixels per frame.
  static func frames(_ count: Int) throws -> [InputImage] {
    let scene = try ObjectDetectorTests.image("fruit.jpg")
    return try (0..<count).map { index in
      InputImage(
        try scene.cropped(
          to: PixelRectangle(x: 2 * index, y: 0, width: scene.width - 40, height: scene.height)))
    }
  }

  static func identifiers(_ objects: [Object]) -> Set<Int> {
    Set(objects.compactMap { $0.trackingID?.intValue })
  }

  @Test func everyObjectHasANonNegativeIdentifier() throws {
    let detector = try StreamDetectorTests.detector()
    for frame in try StreamDetectorTests.frames(3) {
      let objects = try detector.results(in: frame)
      let identifiers = StreamDetectorTests.identifiers(objects)
      #expect(!objects.isEmpty && identifiers.count == objects.count)
      #expect(identifiers.allSatisfy { $0 >= 0 })
    }
  }

  @Test func identifiersStayFromFrameToFrame() throws {
    let detector = try StreamDetectorTests.detector()
    let seen = try StreamDetectorTests.frames(4).map {
      StreamDetectorTests.identifiers(try detector.results(in: $0))
    }
    // The localizer searches for new objects only in the first frame.
    for identifiers in seen.dropFirst() { #expect(identifiers.isSubset(of: seen[0])) }
    #expect(!seen[3].isEmpty)
  }

  @Test func returnsOneObjectByDefault() throws {
    let detector = try StreamDetectorTests.detector { $0.shouldEnableMultipleObjects = false }
    for frame in try StreamDetectorTests.frames(3) {
      #expect(try detector.results(in: frame).count == 1)
    }
  }

  @Test func boxesAreReportedBeforeLabels() throws {
    try ClassifierFile().withPath { path in
      let options = CustomObjectDetectorOptions(localModel: LocalModel(path: path))
      options.shouldEnableClassification = true
      let detector = ObjectDetector.objectDetector(options: options)
      let seen = try StreamDetectorTests.frames(3).map { try detector.results(in: $0) }
      #expect(seen.allSatisfy { $0.count == 1 })
      #expect(seen[0].allSatisfy { $0.labels.isEmpty })
      // Labels are cached per track.
      #expect(seen[1].allSatisfy { $0.labels.count == 10 })
      #expect(seen[2].map(\.labels) == seen[1].map(\.labels))
    }
  }

  @Test func newFrameSizeStartsNewTracksDespiteSameRegion() throws {
    let detector = try StreamDetectorTests.detector {
      $0.regionOfInterest = CGRect(x: 0, y: 0, width: 300, height: 300)
    }
    let frame = try StreamDetectorTests.frames(1)[0].pixels
    let smaller = try frame.cropped(
      to: PixelRectangle(x: 0, y: 0, width: frame.width - 8, height: frame.height - 8))
    let seen = try [frame, smaller].map {
      StreamDetectorTests.identifiers(try detector.results(in: InputImage($0)))
    }
    #expect(!seen[0].isEmpty && !seen[1].isEmpty)
    #expect(seen[0].isDisjoint(with: seen[1]))
  }

  @Test func newFrameSizeStartsNewTracks() throws {
    let detector = try StreamDetectorTests.detector()
    let frames = try StreamDetectorTests.frames(2)
    let before = try frames.map { StreamDetectorTests.identifiers(try detector.results(in: $0)) }
    let smaller = try frames[1].pixels.resized(to: ImageSize(width: 200, height: 150))
    let after = StreamDetectorTests.identifiers(try detector.results(in: InputImage(smaller)))
    #expect(!after.isEmpty)
    #expect(after.isDisjoint(with: before[0].union(before[1])))
  }

  @Test func newOrientationStartsNewTracks() throws {
    let detector = try StreamDetectorTests.detector()
    let frame = try StreamDetectorTests.frames(1)[0]
    let before = StreamDetectorTests.identifiers(try detector.results(in: frame))
    let turned = InputImage(frame.pixels.upright(from: .down), orientation: .down)
    let objects = try detector.results(in: turned)
    #expect(StreamDetectorTests.identifiers(objects).isDisjoint(with: before))
    for object in objects {
      let middle = CGFloat(frame.size.width) - object.uprightFrame.midX
      #expect(abs(object.frame.midX - middle) < 0.01)
    }
  }

  @Test func sameFramesReturnSameObjects() throws {
    let frames = try StreamDetectorTests.frames(7)
    func objects(_ workers: Int) throws -> [[Object]] {
      let detector = try StreamDetectorTests.detector {
        $0.shouldEnableClassification = true
        $0.interpreterOptions.workers = .pool(count: workers)
      }
      return try frames.map { try detector.results(in: $0) }
    }
    let expected = try objects(1)
    #expect(try objects(1) == expected)
    #expect(try objects(2) == expected)
  }

  @Test func callbacksComeInTheOrderOfTheCalls() async throws {
    let detector = try StreamDetectorTests.detector()
    let alone = try StreamDetectorTests.detector()
    let frames = try StreamDetectorTests.frames(5)
    let expected = try frames.map { try alone.results(in: $0) }
    let queue = DispatchQueue(label: "callbacks")
    let seen = Mutex<[[Object]]>([])
    try await callbackValue { done in
      for frame in frames {
        detector.process(frame, callbackQueue: queue) { objects, _ in
          let count = seen.withLock { seen in
            seen.append(objects ?? [])
            return seen.count
          }
          if count == frames.count { done(()) }
        }
      }
    }
    #expect(seen.withLock { $0 } == expected)
  }

  @Test(arguments: [8, 64]) func manyTasksCanUseOneStream(_ taskCount: Int) async throws {
    let detector = try StreamDetectorTests.detector { $0.shouldEnableClassification = true }
    let frame = try StreamDetectorTests.frames(1)[0]
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<taskCount { group.addTask { try await detector.objects(in: frame).count } }
      for try await count in group { #expect(count > 0) }
    }
  }

  @Test func optionsReachTheStream() throws {
    let options = ObjectDetectorOptions()
    #expect(options.tracking == TrackingParameters())
    options.tracking.detectionInterval = 3
    options.tracking.lostFrameCount = 7
    options.shouldEnableMultipleObjects = true
    options.shouldEnableClassification = true
    let stream = try options.values.completed(readsClassifier: true)
    #expect(stream.tracking.detectionInterval == 3)
    #expect(stream.tracking.lostFrameCount == 7)
    #expect(stream.isStream && stream.limit == 5 && stream.labels == .coarse())
  }

  @Test func firebaseObjectsHaveIdentifiers() throws {
    let detector = Vision.vision().objectDetector()
    let image = VisionImage(image: try StreamDetectorTests.frames(1)[0])
    let objects = try detector.results(in: image)
    #expect(objects.count == 1)
    #expect(objects.allSatisfy { $0.trackingID != nil })
  }
}
