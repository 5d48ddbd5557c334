//===--- RemoteUsageTests.swift - runs the remote model patterns ----------===//
//
// Uses a port of this machine on which nothing listens, so every call fails without a network.
//===----------------------------------------------------------------------===//

import Foundation
import MartletMLKit
import MartletHosting
import MartletTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct RemoteUsageTests {
  /// A privileged port on which nothing listens.
  static let unusedAddress = "http://127.0.0.1:9"

  init() {
    let manager = ModelManager.modelManager()
    var configuration = HostingConfiguration(
      directory: FileManager.default.temporaryDirectory.appending(
        path: "martlet-usage-\(ProcessInfo.processInfo.processIdentifier)"))
    configuration.firebase = FirebaseConfiguration(
      projectID: "project", apiKey: "key", baseURL: RemoteUsageTests.unusedAddress)
    configuration.retry.maximumAttempts = 1
    manager.configuration = configuration
  }

  @Test func failedDownloadIsReportedAndLocalModelIsUsed() async throws {
    let (reasons, feed) = AsyncStream.makeStream(of: String.self)
    let observers = RemotePatterns.observe(succeeded: {}) { reason in
      feed.yield((reason as? NSError)?.domain ?? "")
    }
    let (model, progress) = RemotePatterns.download()
    var reported = reasons.makeAsyncIterator()
    #expect(await reported.next() == "martlet.hosting")
    #expect(!progress.isFinished)
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
    let local = LocalModel(
      path: UsageTests.root.appending(path: "Weights/classifier.tflite").path)
    #expect(RemotePatterns.options(model, local).localModel == local)
  }

  @Test func deletingMissingModelFails() async throws {
    let model = CustomRemoteModel(remoteModelSource: FirebaseModelSource(name: "birds"))
    let isError = try await callbackValue { done in
      RemotePatterns.delete(model) { done($0) }
    }
    #expect(isError)
  }

  @Test func earlierNamesStillWork() {
    let progress = RemotePatterns.earlier()
    progress.cancel()
    #expect(progress.isCancelled)
  }

  @Test func asyncDownloadThrows() async throws {
    let address = try #require(URL(string: RemoteUsageTests.unusedAddress + "/birds.json"))
    await #expect(throws: ModelHostingError.self) { try await RemotePatterns.fetch(address) }
  }

  @Test(arguments: [ObjectDetectorMode.singleImage, .stream], [true, false])
  func detectorsReportMissingRemoteModel(
    _ mode: ObjectDetectorMode, _ classifies: Bool
  ) async throws {
    let model = CustomRemoteModel(name: "nobody")
    let options = CustomObjectDetectorOptions(remoteModel: model)
    options.detectorMode = mode
    options.shouldEnableClassification = classifies
    let detector = ObjectDetector.objectDetector(options: options)
    let image = try UsageTests.visionImages()[0]
    let error = VisionError.notDownloaded(name: "nobody")
    #expect(throws: error) { try detector.results(in: image) }
    await #expect(throws: error) { try await detector.objects(in: image) }
    let callbackError = try await callbackValue { done in
      detector.process(image) { _, error in done(error as? VisionError) }
    }
    #expect(callbackError == error)
  }
}
