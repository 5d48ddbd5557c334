import Foundation
import MartletBase
import MartletTestServer
import MartletTestSupport
import Testing

@testable import MartletHosting

@Suite(.timeLimit(.minutes(5))) struct ModelManagerTests {
  static let old = HostingBench.bytes(10)
  static let new = HostingBench.bytes(11)

  /// A server that sends the first half of each file, then waits for the gate before the second.
  static func pausing(_ offer: Offer, arrived: Gate, gate: Gate) throws -> ScriptedServer {
    try ScriptedServer { request, _, connection throws(SocketError) in
      let file = offer.current
      if let tag = request.fields["If-None-Match"], tag == "\"\(file.tag)\"" {
        return try connection.send(HTTPResponse(304, ["ETag": tag]), to: request)
      }
      let half = file.bytes.count / 2
      try connection.send(
        Array(
          "HTTP/1.1 200 OK\r\nETag: \"\(file.tag)\"\r\nContent-Length: \(file.bytes.count)\r\n\r\n"
            .utf8))
      try connection.send(Array(file.bytes[..<half]))
      arrived.open()
      gate.waitUntilOpen()
      try connection.send(Array(file.bytes[half...]))
      return false
    }
  }

  /// The notifications about a model, in order.
  final class Notes: Sendable {
    private let tokens = Mutex<[any NSObjectProtocol & Sendable]>([])
    let notes: AsyncStream<(Notification.Name, String?, MLError?)>

    struct MLError: Sendable, Equatable {
      let domain: String
      let code: Int
    }

    init(_ model: RemoteModel) {
      let (notes, feed) = AsyncStream.makeStream(
        of: (Notification.Name, String?, MLError?).self)
      self.notes = notes
      for name in [Notification.Name.mlkitModelDownloadDidSucceed, .mlkitModelDownloadDidFail] {
        let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
          note in
          let about = note.userInfo?[ModelDownloadUserInfoKey.remoteModel.rawValue] as? RemoteModel
          guard about == model else { return }
          let error = note.userInfo?[ModelDownloadUserInfoKey.error.rawValue] as? NSError
          feed.yield(
            (note.name, about?.name, error.map { MLError(domain: $0.domain, code: $0.code) }))
        }
        nonisolated(unsafe) let kept = token
        tokens.withLock { $0.append(Token(kept)) }
      }
    }

    private final class Token: NSObject, Sendable {
      nonisolated(unsafe) let token: any NSObjectProtocol

      init(_ token: any NSObjectProtocol) { self.token = token }

      deinit { NotificationCenter.default.removeObserver(token) }
    }

    func next() async -> (Notification.Name, String?, MLError?)? {
      for await note in notes { return note }
      return nil
    }
  }

  @Test func postsNotificationAndProgressOfSuccess() async throws {
    let bench = try HostingBench()
    let server = try DownloadTests.server(Offer(ModelManagerTests.old, "1"))
    let (manager, model) = (bench.manager(), HostingBench.fileModel(server))
    let notes = Notes(model)
    for _ in 0..<2 {
      let progress = manager.download(model, conditions: ModelDownloadConditions())
      let note = try #require(await notes.next())
      #expect(note.0 == .mlkitModelDownloadDidSucceed && note.1 == "birds" && note.2 == nil)
      #expect(note.0 == .firebaseMLModelDownloadDidSucceed)
      #expect(progress.isFinished && progress.fractionCompleted == 1)
      #expect(progress.totalUnitCount == 300_000)
      #expect(manager.isModelDownloaded(model))
    }
  }

  @Test func postsNotificationOfFailure() async throws {
    let bench = try HostingBench()
    let server = try ScriptedServer { request, _, connection throws(SocketError) in
      try connection.send(HTTPResponse(404, [:]), to: request)
    }
    let model = HostingBench.fileModel(server)
    let notes = Notes(model)
    let progress = bench.manager().download(model, conditions: ModelDownloadConditions())
    let note = try #require(await notes.next())
    #expect(note.0 == .mlkitModelDownloadDidFail && note.1 == "birds")
    #expect(note.0 == .firebaseMLModelDownloadDidFail)
    #expect(note.2 == Notes.MLError(domain: "martlet.hosting", code: 5))
    #expect(!progress.isFinished && progress.isCancelled)
    let key = ProgressUserInfoKey(ModelDownloadUserInfoKey.error.rawValue)
    #expect((progress.userInfo[key] as? NSError)?.code == 5)
  }

  @Test func progressOfRejectedFileIsUnfinished() async throws {
    let bench = try HostingBench()
    let server = try DownloadTests.server(
      Offer([HostingBench.bad] + ModelManagerTests.old, "1"))
    let model = HostingBench.fileModel(server)
    let notes = Notes(model)
    let progress = bench.manager().download(model, conditions: ModelDownloadConditions())
    #expect(try #require(await notes.next()).0 == .mlkitModelDownloadDidFail)
    #expect(!progress.isFinished && progress.isCancelled)
    // All bytes were received.
    #expect(progress.fractionCompleted >= 0.98 && progress.fractionCompleted < 1)
  }

  @Test func concurrentRequestsShareDownload() async throws {
    let bench = try HostingBench()
    let (arrived, gate) = (Gate(), Gate())
    let server = try ModelManagerTests.pausing(
      Offer(ModelManagerTests.old, "1"), arrived: arrived, gate: gate)
    let (manager, model) = (bench.manager(), HostingBench.fileModel(server))
    let first = manager.startDownload(model)
    let others = (0..<5).map { _ in manager.startDownload(HostingBench.fileModel(server)) }
    let progress = manager.download(model, conditions: ModelDownloadConditions())
    gate.open()
    let version = try await first.version()
    for other in others { #expect(try await other.version() == version) }
    #expect(progress.isFinished)
    #expect(server.requests.count == 1 && bench.stored(model) == ModelManagerTests.old)
  }

  @Test func managersOfOneStoreDownloadOnce() async throws {
    let bench = try HostingBench()
    let server = try DownloadTests.server(Offer(ModelManagerTests.old, "1"))
    let model = HostingBench.fileModel(server)
    let downloads = (0..<6).map { _ in bench.manager().startDownload(model) }
    for download in downloads { _ = try await download.version() }
    let sent = server.requests.count { $0.fields["If-None-Match"] == nil }
    #expect(sent == 1 && server.requests.count == 6)
    #expect(bench.stored(model) == ModelManagerTests.old)
  }

  @Test func usesOldModelDuringDownload() async throws {
    let bench = try HostingBench()
    let (arrived, gate) = (Gate(), Gate())
    let offer = Offer(ModelManagerTests.old, "1")
    let server = try ModelManagerTests.pausing(offer, arrived: arrived, gate: gate)
    let (manager, model) = (bench.manager(), HostingBench.fileModel(server))
    gate.open()
    _ = try await manager.model(model)
    await arrived.waitInTask()
    offer.replace(ModelManagerTests.new, "2")
    let download = manager.startDownload(model)
    await arrived.waitInTask()
    #expect(manager.isModelDownloaded(model) && bench.stored(model) == ModelManagerTests.old)
    gate.open()
    _ = try await download.version()
    #expect(bench.stored(model) == ModelManagerTests.new)
  }

  @Test func cancellingTheProgressCancelsTheDownload() async throws {
    let bench = try HostingBench()
    let (arrived, gate) = (Gate(), Gate())
    let server = try ModelManagerTests.pausing(
      Offer(ModelManagerTests.old, "1"), arrived: arrived, gate: gate)
    defer { gate.open() }
    let (manager, model) = (bench.manager(), HostingBench.fileModel(server))
    let notes = Notes(model)
    let progress = manager.download(model, conditions: ModelDownloadConditions())
    await arrived.waitInTask()
    progress.cancel()
    let note = try #require(await notes.next())
    #expect(note.0 == .mlkitModelDownloadDidFail && note.2?.code == 1)
    #expect(!manager.isModelDownloaded(model))
  }

  @Test func cancellationKeepsDownloadOfOthers() async throws {
    let bench = try HostingBench()
    let (arrived, gate) = (Gate(), Gate())
    let server = try ModelManagerTests.pausing(
      Offer(ModelManagerTests.old, "1"), arrived: arrived, gate: gate)
    let (manager, model) = (bench.manager(), HostingBench.fileModel(server))
    let kept = manager.startDownload(model)
    let cancelled = manager.startDownload(model)
    await arrived.waitInTask()
    cancelled.cancel()
    await #expect(throws: ModelHostingError.cancelled) { try await cancelled.version() }
    gate.open()
    _ = try await kept.version()
    #expect(bench.stored(model) == ModelManagerTests.old)
  }

  @Test func cancellingTheTaskCancelsTheDownload() async throws {
    let bench = try HostingBench()
    let (arrived, gate) = (Gate(), Gate())
    let server = try ModelManagerTests.pausing(
      Offer(ModelManagerTests.old, "1"), arrived: arrived, gate: gate)
    defer { gate.open() }
    let (manager, model) = (bench.manager(), HostingBench.fileModel(server))
    let task = Task { try await manager.model(model) }
    await arrived.waitInTask()
    task.cancel()
    await #expect(throws: ModelHostingError.cancelled) { try await task.value }
    #expect(!manager.isModelDownloaded(model))
  }

  @Test func cancellingWhileWaitingForTheServerEndsTheWait() async throws {
    let bench = try HostingBench()
    let server = try RetryTests.server(refusing: 100, 503)
    let asleep = Gate()
    let manager = bench.manager {
      $0.clock.sleep = { _ in
        asleep.open()
        try await Task.sleep(for: .seconds(3600))
      }
    }
    let download = manager.startDownload(HostingBench.fileModel(server))
    await asleep.waitInTask()
    download.cancel()
    await #expect(throws: ModelHostingError.cancelled) { try await download.version() }
  }

  @Test func deletingDuringDownloadCancelsIt() async throws {
    let bench = try HostingBench()
    let (arrived, gate) = (Gate(), Gate())
    let offer = Offer(ModelManagerTests.old, "1")
    let server = try ModelManagerTests.pausing(offer, arrived: arrived, gate: gate)
    defer { gate.open() }
    let (manager, model) = (bench.manager(), HostingBench.fileModel(server))
    gate.open()
    _ = try await manager.model(model)
    await arrived.waitInTask()
    offer.replace(ModelManagerTests.new, "2")
    let download = manager.startDownload(model)
    await arrived.waitInTask()
    try await manager.deleteDownloadedModel(model)
    await #expect(throws: ModelHostingError.cancelled) { try await download.version() }
    #expect(!manager.isModelDownloaded(model) && bench.stored(model) == nil)
    #expect(SystemFile.size(bench.modelFolder(model).partialPath) == nil)
    gate.open()
    gate.open()
    _ = try await manager.model(model)
    #expect(bench.stored(model) == ModelManagerTests.new)
  }

  @Test func deletingMissingModelReportsErrorOnMainThread() async throws {
    let bench = try HostingBench()
    let model = CustomRemoteModel(name: "nobody")
    let error = try await callbackValue { done in
      bench.manager().deleteDownloadedModel(model) { error in
        MainActor.assertIsolated()
        done(error as? ModelHostingError)
      }
    }
    #expect(error == .notDownloaded(name: "nobody"))
  }

  @Test func deletingStoredModelSucceeds() async throws {
    let bench = try HostingBench()
    let server = try DownloadTests.server(Offer(ModelManagerTests.old, "1"))
    let (manager, model) = (bench.manager(), HostingBench.fileModel(server))
    _ = try await manager.model(model)
    let error = try await callbackValue { done in
      manager.deleteDownloadedModel(model) { done($0 == nil) }
    }
    #expect(error && !manager.isModelDownloaded(model) && manager.downloadedModels().isEmpty)
  }

  @Test func requestsMatchTheRequestType() async throws {
    let bench = try HostingBench()
    let offer = Offer(ModelManagerTests.old, "1")
    let server = try DownloadTests.server(offer)
    let (manager, model) = (bench.manager(), HostingBench.fileModel(server))
    _ = try await manager.model(model, type: .localModel)
    offer.replace(ModelManagerTests.new, "2")
    _ = try await manager.model(model, type: .localModel)
    #expect(server.requests.count == 1 && bench.stored(model) == ModelManagerTests.old)
    let notes = Notes(model)
    _ = try await manager.model(model, type: .localModelUpdateInBackground)
    #expect(await notes.next()?.0 == .mlkitModelDownloadDidSucceed)
    #expect(bench.stored(model) == ModelManagerTests.new)
    _ = try await manager.model(model, type: .latestModel)
    #expect(server.requests.count == 3)
  }

  @Test func listsStoredModels() async throws {
    let bench = try HostingBench()
    let server = try DownloadTests.server(Offer(ModelManagerTests.old, "1"))
    let manager = bench.manager()
    for name in ["trees", "birds"] {
      _ = try await manager.model(
        CustomRemoteModel(
          remoteModelSource: HTTPModelSource(name: name, modelURL: server.url("/\(name)"))))
    }
    #expect(manager.downloadedModels().map(\.name) == ["birds", "trees"])
  }

  @Test func progressIncreasesToTheTotal() async throws {
    let bench = try HostingBench()
    let server = try DownloadTests.server(Offer(ModelManagerTests.old, "1"))
    let download = bench.manager().startDownload(HostingBench.fileModel(server))
    var steps: [Int] = []
    for await step in download.progress {
      steps.append(step.completedBytes)
      #expect(step.totalBytes == 300_000)
    }
    #expect(steps == steps.sorted() && steps.last == 300_000)
    _ = try await download.model()
  }
}
