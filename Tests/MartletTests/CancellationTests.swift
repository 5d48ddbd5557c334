import MartletTestSupport
import Testing

@testable import Martlet

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

  @Test func timeLimitEndsCall() async throws {
    let file = Fixtures.folder("Models").appending(path: "constant_products.tflite")
    let options = CustomObjectDetectorOptions(localModel: LocalModel(path: file.path))
    options.shouldEnableClassification = true
    options.interpreterOptions = Interpreter.Options(
      kernels: .reference, workLimit: Int.max, cancellation: .timeLimit(.milliseconds(200)))
    let limited = ObjectDetector.objectDetector(options: options)
    let image = try ObjectDetectorCallsTests.image("fruit.jpg")
    let error = await #expect(throws: VisionError.self) { try await limited.objects(in: image) }
    #expect(error?.code == .deadlineExceeded)
  }
}
