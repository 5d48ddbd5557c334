import Dispatch
import Foundation
import MartletBase
import MartletTestSupport
import Testing

@testable import Martlet
@testable import MartletMLKit

/// The ways to call a detector: synchronously, with a callback, in a task, and from many tasks.
@Suite(.timeLimit(.minutes(5))) struct ObjectDetectorCallsTests {
  static func detector(
    _ change: (ObjectDetectorOptions) -> Void = { _ in }
  ) -> ObjectDetector {
    let options = ObjectDetectorOptions()
    options.detectorMode = .singleImage
    options.shouldEnableMultipleObjects = true
    options.shouldEnableClassification = true
    change(options)
    return ObjectDetector.objectDetector(options: options)
  }

  static func image(_ name: String) throws -> VisionImage {
    try VisionImage(contentsOfFile: Fixtures.folder("Scenes").appending(path: name).path)
  }

  /// An image that throws `noPixels`.
  static let broken = VisionImage(.failure(.noPixels))

  @Test func allCallStylesReturnSameObjects() async throws {
    let detector = ObjectDetectorCallsTests.detector()
    let image = try ObjectDetectorCallsTests.image("fruit.jpg")
    let expected = try await Task.detached { try detector.results(in: image) }.value
    #expect(expected.count == 4)
    #expect(try await detector.objects(in: image) == expected)
    let called = try await callbackValue { done in
      detector.process(image) { objects, error in
        #expect(error == nil)
        done(objects)
      }
    }
    #expect(called == expected)
    let other = try #require(MLImage(image: try image.image()))
    #expect(try await detector.objects(in: other) == expected)
    #expect(try await detector.objects(in: try image.image()) == expected)
  }

  @Test func callbacksRunOnTheMainThread() async throws {
    let detector = ObjectDetectorCallsTests.detector()
    let image = try ObjectDetectorCallsTests.image("fruit.jpg")
    try await callbackValue { done in
      detector.process(image) { _, _ in
        MainActor.assertIsolated()
        done(())
      }
    }
  }

  @Test func callbacksRunOnTheChosenQueue() async throws {
    let queue = DispatchQueue(label: "mine")
    let key = DispatchSpecificKey<Int>()
    queue.setSpecific(key: key, value: 42)
    let detector = ObjectDetectorCallsTests.detector()
    let image = try ObjectDetectorCallsTests.image("fruit.jpg")
    let mark = try await callbackValue { done in
      detector.process(image, callbackQueue: queue) { _, _ in
        done(DispatchQueue.getSpecific(key: key))
      }
    }
    #expect(mark == 42)
  }

  @Test func errorComesWithoutObjects() async throws {
    let detector = ObjectDetectorCallsTests.detector()
    let broken = ObjectDetectorCallsTests.broken
    #expect(throws: VisionError.noPixels) { try detector.results(in: broken) }
    await #expect(throws: VisionError.noPixels) { try await detector.objects(in: broken) }
    let (hasObjects, error) = try await callbackValue { done in
      detector.process(broken) { objects, error in
        done((objects != nil, error as? VisionError))
      }
    }
    #expect(!hasObjects)
    #expect(error == .noPixels)
  }

  @Test func emptyResultIsNotAnError() async throws {
    let detector = ObjectDetectorCallsTests.detector { $0.minimumObjectScore = 1 }
    let image = try ObjectDetectorCallsTests.image("fruit.jpg")
    #expect(try await detector.objects(in: image).isEmpty)
    let (objects, error) = try await callbackValue { done in
      detector.process(image) { objects, error in
        done((objects, error as? VisionError))
      }
    }
    #expect(objects == [])
    #expect(error == nil)
  }

  @Test @MainActor func mainThreadCanWaitUnlessOptionsForbidIt() throws {
    let image = try ObjectDetectorCallsTests.image("fruit.jpg")
    let allowed = ObjectDetectorCallsTests.detector()
    let forbidden = ObjectDetectorCallsTests.detector { $0.shouldThrowOnMainThread = true }
    #expect(try allowed.results(in: image).count == 4)
    #expect(throws: VisionError.calledOnMainThread) { try forbidden.results(in: image) }
  }

  @Test func shouldThrowOnMainThreadAllowsOtherThreads() async throws {
    let detector = ObjectDetectorCallsTests.detector { $0.shouldThrowOnMainThread = true }
    let image = try ObjectDetectorCallsTests.image("fruit.jpg")
    #expect(try await detector.objects(in: image).count == 4)
    let count = try await callbackValue { done in
      DispatchQueue.global().async {
        done((try? detector.results(in: image))?.count)
      }
    }
    #expect(count == 4)
  }

  @Test func cancelledTaskThrows() async throws {
    let detector = ObjectDetectorCallsTests.detector()
    let image = try ObjectDetectorCallsTests.image("fruit.jpg")
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await #expect(throws: VisionError.cancelled) {
        try await detector.objects(in: image)
      }
    }
    task.cancel()
    #expect(await task.value == .cancelled)
  }

  @Test func preparationErrorIsThrownUntilPreparationSucceeds() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "late.tflite")
      let options = CustomObjectDetectorOptions(localModel: LocalModel(path: path.path))
      options.detectorMode = .singleImage
      options.shouldEnableClassification = true
      let detector = ObjectDetector.objectDetector(options: options)
      let image = try ObjectDetectorCallsTests.image("fruit.jpg")
      let missing = VisionError.file(path: path.path, .notFound)
      #expect(throws: missing) { try detector.prepare() }
      #expect(throws: missing) { try detector.results(in: image) }
      try Data(ClassifierFile().bytes).write(to: path)
      #expect(try detector.results(in: image).first?.labels.count == 10)
    }
  }

  @Test(arguments: [1, 2])
  func eightTasksCanShareOneDetector(_ workers: Int) async throws {
    let detector = ObjectDetectorCallsTests.detector {
      $0.interpreterOptions.workers = .pool(count: workers)
    }
    let names = ["fruit.jpg", "room.jpg", "plants.jpg", "street.jpg"]
    var expected: [[Object]] = []
    let alone = ObjectDetectorCallsTests.detector()
    for name in names {
      expected.append(try await alone.objects(in: ObjectDetectorCallsTests.image(name)))
    }
    try await withThrowingTaskGroup(of: Bool.self) { [expected] group in
      for task in 0..<8 {
        group.addTask {
          let index = task % names.count
          let image = try ObjectDetectorCallsTests.image(names[index])
          let mine = try await detector.objects(in: image)
          return try detector.results(in: image) == mine && mine == expected[index]
        }
      }
      for try await isSame in group { #expect(isSame) }
    }
  }

  @Test func eightTasksCanShareOneClassifier() async throws {
    let classifier = try Classifier(threshold: 0)
    let image = try ObjectDetectorTests.image("fruit.jpg")
    let expected = try classifier.labels(in: image)
    try await withThrowingTaskGroup(of: [ObjectLabel].self) { group in
      for _ in 0..<8 { group.addTask { try classifier.labels(in: image) } }
      for try await labels in group { #expect(labels == expected) }
    }
  }
}
