import Foundation
import MartletBase
import MartletMLKit
import MartletTestSupport
import Testing

@testable import MartletHosting

@Suite struct RemoteDetectorTests {
  static func detector(_ model: CustomRemoteModel, _ manager: ModelManager) -> ObjectDetector {
    let options = CustomObjectDetectorOptions(remoteModel: model, manager: manager)
    options.detectorMode = .singleImage
    options.shouldEnableClassification = true
    return ObjectDetector.objectDetector(options: options)
  }

  @Test func detectorUsesDownloadedModel() async throws {
    let bench = try HostingBench()
    let file = try Fixtures.bytes(of: Fixtures.root.appending(path: "Weights/classifier.tflite"))
    let server = try DownloadTests.server(Offer(file, "1"))
    let (manager, model) = (
      bench.manager { $0.acceptance = .classifier }, HostingBench.fileModel(server)
    )
    let detector = RemoteDetectorTests.detector(model, manager)
    let image = try VisionImage(
      contentsOfFile: Fixtures.root.appending(path: "Tests/Fixtures/Scenes/fruit.jpg").path)
    #expect(throws: VisionError.notDownloaded(name: "birds")) { try detector.results(in: image) }
    #expect(VisionError.notDownloaded(name: "birds").code == .notFound)
    let local = try await manager.model(model)
    let objects = try detector.results(in: image)
    #expect(!objects.isEmpty)
    let options = CustomObjectDetectorOptions(
      localModel: LocalModel(
        path: Fixtures.root.appending(path: "Weights/classifier.tflite").path))
    options.detectorMode = .singleImage
    options.shouldEnableClassification = true
    #expect(objects == (try ObjectDetector.objectDetector(options: options).results(in: image)))
    #expect(local == manager.localModel(of: model))
  }
}
