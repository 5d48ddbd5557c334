import Foundation
import Martlet
import MartletBase
import MartletTestServer
import MartletTestSupport
import Testing

@testable import MartletHosting

@Suite(.timeLimit(.minutes(5))) struct DownloadTests {
  static let old = HostingBench.bytes(1)
  static let new = HostingBench.bytes(2)

  /// A server for a file that supports tags and dates.
  static func server(_ offer: Offer) throws -> ScriptedServer {
    try ScriptedServer { request, _, connection throws(SocketError) in
      try connection.send(offer.current.response(request), to: request)
    }
  }

  static func manifest(
    _ bytes: [UInt8], size: Int? = nil, sha256: String? = nil
  ) -> [UInt8] {
    let digest = sha256 ?? SHA256.digest(of: bytes).hexadecimal
    return Array(
      """
      {"downloadUri": "files/birds.tflite", "sizeBytes": "\(size ?? bytes.count)",
       "sha256": "\(digest)", "version": "7"}
      """.utf8)
  }

  /// A server with a file and its manifest.
  static func described(
    _ bytes: [UInt8], size: Int? = nil, sha256: String? = nil
  ) throws -> ScriptedServer {
    let manifest = OfferedFile(bytes: manifest(bytes, size: size, sha256: sha256), tag: "m")
    let file = OfferedFile(bytes: bytes, tag: "f")
    return try ScriptedServer { request, _, connection throws(SocketError) in
      try connection.send(
        (request.path == "/birds.json" ? manifest : file).response(request), to: request)
    }
  }

  @Test func downloadsMissingModel() async throws {
    let bench = try HostingBench()
    let server = try DownloadTests.server(Offer(DownloadTests.old, "1"))
    let (manager, model) = (bench.manager(), HostingBench.fileModel(server))
    #expect(!manager.isModelDownloaded(model))
    let local = try await manager.model(model)
    #expect(manager.isModelDownloaded(model))
    #expect(try Data(contentsOf: URL(filePath: local.path)) == Data(DownloadTests.old))
    let version = try #require(manager.version(of: model))
    #expect(version.sizeBytes == DownloadTests.old.count && version.name == "birds")
    #expect(version.sha256 == SHA256.digest(of: DownloadTests.old).hexadecimal)
  }

  @Test func reportsKnownTag() async throws {
    let bench = try HostingBench()
    let server = try DownloadTests.server(Offer(DownloadTests.old, "1"))
    let (manager, model) = (bench.manager(), HostingBench.fileModel(server))
    _ = try await manager.model(model)
    _ = try await manager.model(model)
    #expect(server.requests.count == 2)
    #expect(server.requests[0].fields["If-None-Match"] == nil)
    #expect(server.requests[1].fields["If-None-Match"] == "\"1\"")
    #expect(bench.stored(model) == DownloadTests.old)
  }

  @Test func installsNewVersionAndKeepsOld() async throws {
    let bench = try HostingBench()
    let offer = Offer(DownloadTests.old, "1")
    let server = try DownloadTests.server(offer)
    let (manager, model) = (bench.manager(), HostingBench.fileModel(server))
    _ = try await manager.model(model)
    offer.replace(DownloadTests.new, "2")
    let local = try await manager.model(model)
    #expect(try Data(contentsOf: URL(filePath: local.path)) == Data(DownloadTests.new))
    try manager.rollBack(model)
    #expect(bench.stored(model) == DownloadTests.old)
    try manager.rollBack(model)
    #expect(bench.stored(model) == DownloadTests.new)
  }

  @Test func rollBackFromFirstVersionThrows() async throws {
    let bench = try HostingBench()
    let server = try DownloadTests.server(Offer(DownloadTests.old, "1"))
    let (manager, model) = (bench.manager(), HostingBench.fileModel(server))
    #expect(throws: ModelHostingError.noPreviousVersion(name: "birds")) {
      try manager.rollBack(model)
    }
    _ = try await manager.model(model)
    #expect(throws: ModelHostingError.noPreviousVersion(name: "birds")) {
      try manager.rollBack(model)
    }
  }

  @Test func sendsDateIfServerHasNoTags() async throws {
    let bench = try HostingBench()
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let server = try ScriptedServer { request, _, connection throws(SocketError) in
      let isKnown = request.fields["If-Modified-Since"] == date
      return try connection.send(
        HTTPResponse(
          isKnown ? 304 : 200, ["Last-Modified": date], body: DownloadTests.old),
        to: request)
    }
    let (manager, model) = (bench.manager(), HostingBench.fileModel(server))
    _ = try await manager.model(model)
    _ = try await manager.model(model)
    #expect(server.requests.count == 2)
    #expect(server.requests[1].fields["If-Modified-Since"] == date)
  }

  @Test func readsManifest() async throws {
    let bench = try HostingBench()
    let server = try DownloadTests.described(DownloadTests.old)
    let (manager, model) = (bench.manager(), HostingBench.manifestModel(server))
    _ = try await manager.model(model)
    #expect(server.requests.map(\.path) == ["/birds.json", "/files/birds.tflite"])
    #expect(manager.version(of: model)?.version == "7")
    _ = try await manager.model(model)
    #expect(server.requests.count == 3 && server.requests[2].fields["If-None-Match"] == "\"m\"")
  }

  @Test func doesNotDownloadStoredVersion() async throws {
    let bench = try HostingBench()
    // The server ignores conditions and sends the manifest again.
    let manifest = DownloadTests.manifest(DownloadTests.old)
    let server = try ScriptedServer { request, count, connection throws(SocketError) in
      let isManifest = request.path == "/birds.json"
      return try connection.send(
        HTTPResponse(
          200, ["ETag": "\"m\(count)\""], body: isManifest ? manifest : DownloadTests.old),
        to: request)
    }
    let (manager, model) = (bench.manager(), HostingBench.manifestModel(server))
    _ = try await manager.model(model)
    _ = try await manager.model(model)
    #expect(server.requests("/files/birds.tflite").count == 1)
    #expect(manager.version(of: model)?.entityTag == "\"m1\"")
  }

  @Test func rejectsOtherSizeBeforeReading() async throws {
    let bench = try HostingBench()
    let server = try DownloadTests.described(DownloadTests.old, size: 299_999)
    let (manager, model) = (bench.manager(), HostingBench.manifestModel(server))
    await #expect(throws: ModelHostingError.size(found: 300_000, expected: 299_999)) {
      try await manager.model(model)
    }
    #expect(!manager.isModelDownloaded(model))
  }

  @Test func rejectsFileLongerThanAnnounced() async throws {
    let bench = try HostingBench()
    // The response has no length, so only the received bytes show the size.
    let server = try ScriptedServer { request, _, connection throws(SocketError) in
      try connection.send(Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8))
      try connection.send(
        request.path == "/birds.json"
          ? DownloadTests.manifest(DownloadTests.old, size: 1000) : DownloadTests.old)
      return false
    }
    let (manager, model) = (bench.manager(), HostingBench.manifestModel(server))
    do {
      _ = try await manager.model(model)
      Issue.record("a file of another size was accepted")
    } catch {
      guard case .size(let found, 1000) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(found > 1000)
    }
    #expect(SystemFile.size(bench.modelFolder(model).partialPath) == nil)
  }

  @Test func keepsOldModelIfDigestDiffers() async throws {
    let bench = try HostingBench()
    let offer = Offer(DownloadTests.old, "1")
    let first = try DownloadTests.server(offer)
    let manager = bench.manager()
    let model = HostingBench.fileModel(first)
    _ = try await manager.model(model)
    let other = String(repeating: "ab", count: 32)
    let server = try DownloadTests.described(DownloadTests.new, sha256: other)
    let found = SHA256.digest(of: DownloadTests.new).hexadecimal
    await #expect(throws: ModelHostingError.digest(found: found, expected: other)) {
      try await manager.model(HostingBench.manifestModel(server))
    }
    #expect(bench.stored(model) == DownloadTests.old)
    let refused = bench.modelFolder(HostingBench.manifestModel(server))
    #expect(refused.current == nil && SystemFile.size(refused.partialPath) == nil)
  }

  @Test func keepsOldModelIfNewIsInvalid() async throws {
    let bench = try HostingBench()
    let offer = Offer(DownloadTests.old, "1")
    let server = try DownloadTests.server(offer)
    let (manager, model) = (bench.manager(), HostingBench.fileModel(server))
    _ = try await manager.model(model)
    offer.replace([HostingBench.bad] + DownloadTests.new, "2")
    await #expect(
      throws: ModelHostingError.notAccepted(.unsuitable(.normalization(tensor: "image")))
    ) {
      try await manager.model(model)
    }
    #expect(bench.stored(model) == DownloadTests.old)
  }

  @Test func acceptsOnlyClassifiersByDefault() async throws {
    let bench = try HostingBench()
    let classifier = try Fixtures.bytes(
      of: Fixtures.root.appending(path: "Weights/classifier.tflite"))
    let localizer = try Fixtures.bytes(
      of: Fixtures.root.appending(path: "Weights/localizer.tflite"))
    let offer = Offer(DownloadTests.old, "0")
    let server = try DownloadTests.server(offer)
    let model = HostingBench.fileModel(server)
    let manager = bench.manager { $0.acceptance = .classifier }
    for (bytes, tag) in [(DownloadTests.old, "0"), (localizer, "1")] {
      offer.replace(bytes, tag)
      do {
        _ = try await manager.model(model)
        Issue.record("a file that is not a classifier was accepted")
      } catch {
        guard case .notAccepted = error else {
          Issue.record("\(error)")
          return
        }
      }
    }
    offer.replace(classifier, "2")
    _ = try await manager.model(model)
    #expect(bench.stored(model) == classifier)
    offer.replace(localizer, "3")
    _ = try await bench.manager { $0.acceptance = .anyModel }.model(model)
    #expect(bench.stored(model) == localizer)
  }

  @Test func rejectsFileBeyondLimit() async throws {
    let bench = try HostingBench()
    let server = try DownloadTests.server(Offer(DownloadTests.old, "1"))
    let manager = bench.manager { $0.maximumModelSize = 299_999 }
    await #expect(throws: ModelHostingError.tooLarge(bytes: 300_000, limit: 299_999)) {
      try await manager.model(HostingBench.fileModel(server))
    }
  }

  @Test func rejectsFileOfUnknownLengthAtLimit() async throws {
    let bench = try HostingBench()
    let server = try ScriptedServer { _, _, connection throws(SocketError) in
      try connection.send(Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8))
      try connection.send(DownloadTests.old)
      return false
    }
    let model = HostingBench.fileModel(server)
    do {
      _ = try await bench.manager { $0.maximumModelSize = 100_000 }.model(model)
      Issue.record("a file beyond the limit was accepted")
    } catch {
      guard case .tooLarge(_, 100_000) = error else {
        Issue.record("\(error)")
        return
      }
    }
    _ = try await bench.manager().model(model)
    #expect(bench.stored(model) == DownloadTests.old)
  }

  @Test func rejectsManifestAboveLimit() async throws {
    let bench = try HostingBench()
    let server = try DownloadTests.server(Offer(DownloadTests.old, "1"))
    do {
      _ = try await bench.manager().model(HostingBench.manifestModel(server))
      Issue.record("a manifest beyond the limit was accepted")
    } catch {
      guard case .tooLarge(_, ModelManifest.maximumSize) = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test func checksPinnedDigestWithoutServer() async throws {
    let bench = try HostingBench()
    let server = try DownloadTests.server(Offer(DownloadTests.old, "1"))
    let digest = SHA256.digest(of: DownloadTests.old).hexadecimal
    let model = HostingBench.fileModel(server, sha256: digest.uppercased())
    let manager = bench.manager()
    _ = try await manager.model(model)
    _ = try await manager.model(model)
    #expect(server.requests.count == 1)
    let other = HostingBench.fileModel(server, sha256: String(repeating: "0", count: 64))
    await #expect(
      throws: ModelHostingError.digest(found: digest, expected: String(repeating: "0", count: 64))
    ) { try await manager.model(other) }
    await #expect(throws: ModelHostingError.manifest(.digest("xyz"))) {
      try await manager.model(HostingBench.fileModel(server, sha256: "xyz"))
    }
  }

  @Test(arguments: [400, 401, 403, 404, 418])
  func errorsContainTheServersMessage(_ status: Int) async throws {
    let bench = try HostingBench()
    let server = try ScriptedServer { request, _, connection throws(SocketError) in
      try connection.send(
        HTTPResponse(
          status, ["WWW-Authenticate": "Basic realm=\"x\""],
          body: Array("{\"error\": {\"message\": \"no way\"}}".utf8)), to: request)
    }
    let manager = bench.manager()
    for model in [HostingBench.fileModel(server), HostingBench.manifestModel(server)] {
      do {
        _ = try await manager.model(model)
        Issue.record("status \(status) was treated as success")
      } catch {
        guard case .status(status, let message) = error else {
          Issue.record("\(error)")
          return
        }
        // For 401, Foundation drops the body of the response.
        #expect(message == "no way" || status == 401)
      }
    }
    #expect(server.requests.count == 2 && bench.waited.isEmpty)
  }

  @Test func modelsOfDifferentSourcesAreSeparate() async throws {
    let bench = try HostingBench()
    let one = try DownloadTests.server(Offer(DownloadTests.old, "1"))
    let other = try DownloadTests.server(Offer(DownloadTests.new, "1"))
    let manager = bench.manager()
    _ = try await manager.model(HostingBench.fileModel(one))
    _ = try await manager.model(HostingBench.fileModel(other))
    #expect(other.requests[0].fields["If-None-Match"] == nil)
    #expect(bench.stored(HostingBench.fileModel(other)) == DownloadTests.new)
    #expect(bench.stored(HostingBench.fileModel(one)) == DownloadTests.old)
  }

  @Test func downloadsModelFromItsSource() async throws {
    let bench = try HostingBench()
    let server = try DownloadTests.server(Offer(DownloadTests.old, "1"))
    let manager = FirebaseTests.manager(bench, server)
    let one = HostingBench.fileModel(server)
    _ = try await manager.model(one)
    for other in [HostingBench.manifestModel(server), CustomRemoteModel(name: "birds")] {
      #expect(!manager.isModelDownloaded(other) && manager.version(of: other) == nil)
      await #expect(throws: ModelHostingError.notDownloaded(name: "birds")) {
        try await manager.deleteDownloadedModel(other)
      }
    }
    #expect(manager.isModelDownloaded(one))
    // A required digest does not change the model's identity.
    #expect(manager.isModelDownloaded(HostingBench.fileModel(server, sha256: "0")))
  }

  @Test func findsStoredModelsByName() async throws {
    let bench = try HostingBench()
    let one = try DownloadTests.server(Offer(DownloadTests.old, "1"))
    let other = try DownloadTests.server(Offer(DownloadTests.new, "1"))
    let manager = bench.manager()
    #expect(manager.storedModels(named: "birds").isEmpty)
    _ = try await manager.model(HostingBench.fileModel(one))
    let stored = try #require(manager.storedModels(named: "birds").first)
    #expect(manager.isModelDownloaded(stored) && manager.storedModels(named: "trees").isEmpty)
    _ = try await manager.model(HostingBench.fileModel(other))
    #expect(manager.storedModels(named: "birds").count == 2)
    #expect(manager.downloadedModels().map(\.name) == ["birds", "birds"])
    try await manager.deleteDownloadedModel(stored)
    #expect(!manager.isModelDownloaded(HostingBench.fileModel(one)))
    #expect(manager.isModelDownloaded(HostingBench.fileModel(other)))
  }

  @Test func downloadsDamagedModelAgain() async throws {
    let bench = try HostingBench()
    let (file, described) = (
      try DownloadTests.server(Offer(DownloadTests.old, "1")),
      try DownloadTests.described(DownloadTests.old)
    )
    let digest = SHA256.digest(of: DownloadTests.old).hexadecimal
    let manager = bench.manager()
    for model in [
      HostingBench.fileModel(file), HostingBench.fileModel(file, sha256: digest),
      HostingBench.manifestModel(described),
    ] {
      _ = try await manager.model(model)
      try bench.damage(model)
      #expect(!manager.isModelDownloaded(model) && manager.version(of: model) == nil)
      _ = try await manager.model(model, type: .localModel)
      #expect(bench.stored(model) == DownloadTests.old && manager.isModelDownloaded(model))
    }
  }

  @Test func fallsBackToPreviousVersionWithoutServer() async throws {
    let bench = try HostingBench()
    let offer = Offer(DownloadTests.old, "1")
    let manager = bench.manager()
    let model: CustomRemoteModel
    do {
      let server = try DownloadTests.server(offer)
      model = HostingBench.fileModel(server)
      _ = try await manager.model(model)
      offer.replace(DownloadTests.new, "2")
      _ = try await manager.model(model)
    }
    try bench.damage(model)
    let local = manager.localModel(of: model)
    #expect(try Data(contentsOf: URL(filePath: local.path)) == Data(DownloadTests.old))
    #expect(try manager.repair(model) == nil)
    try bench.damage(model)
    guard case .damaged(local.path, _?, _?) = try manager.repair(model) else {
      Issue.record("the damage was not reported")
      return
    }
    #expect(!manager.isModelDownloaded(model) && SystemFile.size(local.path) == nil)
  }

  @Test func rejectsModelWithoutName() async throws {
    let bench = try HostingBench()
    await #expect(throws: ModelHostingError.emptyModelName) {
      try await bench.manager().model(CustomRemoteModel(name: ""))
    }
  }
}
