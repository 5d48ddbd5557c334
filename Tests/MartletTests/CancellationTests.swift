import MartletTestSupport
import Testing

@testable import Martlet
@testable import MartletMLKit

/// A detector whose network takes long to prepare ends soon after its task is cancelled.
@Suite(.timeLimit(.minutes(5))) struct CancellationTests {
  private func detector() -> ObjectDetector {
    let file = Fixtures.folder("Models").appending(path: "constant_products.tflite")
    let options = CustomObjectDetectorOptions(localModel: LocalModel(path: file.path))
    options.shouldEnableClassification = true
    // Hours.
    options.interpreterOptions = Interpreter.Options(kernels: .reference, workLimit: Int.max)
    return ObjectDetector.objectDetector(options: options)
  }

  @Test func cancellingTaskEndsItsCall() async throws {
    let detector = detector()
    let image = try ObjectDetectorCallsTests.image("fruit.jpg")
    let call = Task { try await detector.objects(in: image) }
    try await Task.sleep(for: .milliseconds(500))
    let clock = ContinuousClock()
    let start = clock.now
    call.cancel()
    await #expect(throws: VisionError.cancelled) { try await call.value }
    #expect(clock.now - start < .seconds(30))
  }

  @Test func cancelingTaskEndsDecoding() async throws {
    let file = try Fixtures.bytes(of: Fixtures.folder("Scenes").appending(path: "fruit.jpg"))
    let decoding = Task {
      while !Task.isCancelled { await Task.yield() }
      return try VisionImage(encoded: file)
    }
    decoding.cancel()
    await #expect(throws: VisionError.cancelled) { try await decoding.value }
    _ = try VisionImage(encoded: file)
  }

  @Test func timeLimitEndsDecoding() throws {
    let path = Fixtures.folder("Scenes").appending(path: "fruit.jpg").path
    for decode: (CancellationCheck) throws -> Void in [
      { _ = try VisionImage(contentsOfFile: path, cancellation: $0) },
      { _ = try InputImage(contentsOfFile: path, cancellation: $0) },
      { _ = try InputImage(contentsOfFile: path, workers: .serial.checking($0)) },
    ] {
      let error = #expect(throws: VisionError.imageFile(.interrupted(.deadlineExceeded))) {
        try decode(.timeLimit(seconds: 0))
      }
      #expect(error?.code == .deadlineExceeded)
      try decode(.timeLimit(seconds: 60))
    }
  }

  @Test func timeLimitEndsCall() async throws {
    let file = Fixtures.folder("Models").appending(path: "constant_products.tflite")
    let options = CustomObjectDetectorOptions(localModel: LocalModel(path: file.path))
    options.shouldEnableClassification = true
    options.interpreterOptions = Interpreter.Options(
      kernels: .reference, workLimit: Int.max, cancellation: .timeLimit(seconds: 0.2))
    let limited = ObjectDetector.objectDetector(options: options)
    let image = try ObjectDetectorCallsTests.image("fruit.jpg")
    let error = await #expect(throws: VisionError.self) { try await limited.objects(in: image) }
    #expect(error?.code == .deadlineExceeded)
  }
}
