import Foundation
import MartletBase
import MartletTestServer
import Testing

@testable import MartletHosting

@Suite(.timeLimit(.minutes(5))) struct FirebaseTests {
  static let bytes = HostingBench.bytes(7)
  static let path = "/v1beta2/projects/my-project/models/my%20birds:download"
  static let model = CustomRemoteModel(
    remoteModelSource: FirebaseModelSource(name: "my birds"))

  static func manager(
    _ bench: HostingBench, _ server: ScriptedServer,
    _ change: (inout HostingConfiguration) -> Void = { _ in }
  ) -> ModelManager {
    bench.manager {
      $0.firebase = FirebaseConfiguration(
        projectID: "my-project", apiKey: "key/1", bundleID: "org.birds",
        baseURL: "http://127.0.0.1:\(server.port)", tokenProvider: { "token" })
      change(&$0)
    }
  }

  /// Firebase's response with the address of the file.
  static func answer(
    _ request: RequestHead, _ file: String = "/file", tag: String? = "hash",
    expires: String = "2999-01-01T00:00:00.123456Z", size: Int = Self.bytes.count
  ) -> HTTPResponse {
    let host = request.fields["Host"] ?? ""
    let body =
      "{\"downloadUri\": \"http://\(host)\(file)\", \"expireTime\": \"\(expires)\", "
      + "\"sizeBytes\": \"\(size)\"}"
    return HTTPResponse(200, tag.map { ["Etag": $0] } ?? [:], body: Array(body.utf8))
  }

  /// A server that responds like Firebase and also serves the file.
  static func server(
    _ info: @escaping @Sendable (RequestHead, Int) -> HTTPResponse
  ) throws -> ScriptedServer {
    try ScriptedServer { request, number, connection throws(SocketError) in
      let file = OfferedFile(bytes: Self.bytes, tag: "f").response(request)
      return try connection.send(
        request.path == Self.path ? info(request, number) : file, to: request)
    }
  }

  @Test func requestMatchesFirebaseFormat() async throws {
    let bench = try HostingBench()
    let server = try FirebaseTests.server { request, _ in
      request.fields["If-None-Match"] == "hash"
        ? HTTPResponse(304, ["ETag": "hash"]) : FirebaseTests.answer(request)
    }
    let manager = FirebaseTests.manager(bench, server)
    _ = try await manager.model(FirebaseTests.model)
    #expect(bench.stored(FirebaseTests.model) == FirebaseTests.bytes)
    let (info, file) = (server.requests[0], server.requests[1])
    #expect(info.path == FirebaseTests.path && info.query == "key=key%2F1")
    #expect(info.fields["x-ios-bundle-identifier"] == "org.birds")
    #expect(info.fields["x-goog-firebase-installations-auth"] == "token")
    #expect(info.fields["If-None-Match"] == nil)
    #expect(file.path == "/file" && file.fields["x-goog-firebase-installations-auth"] == nil)

    _ = try await manager.model(FirebaseTests.model)
    #expect(server.requests.count == 3 && server.requests[2].fields["If-None-Match"] == "hash")
  }

  @Test func rejectsResponseWithoutTag() async throws {
    let bench = try HostingBench()
    let server = try FirebaseTests.server { request, _ in FirebaseTests.answer(request, tag: nil) }
    await #expect(throws: ModelHostingError.missingETag) {
      try await FirebaseTests.manager(bench, server).model(FirebaseTests.model)
    }
  }

  @Test(arguments: [nil, "other"])
  func reportsNotModifiedForStoredVersion(_ tag: String?) async throws {
    let bench = try HostingBench()
    let server = try FirebaseTests.server { request, number in
      guard number > 0 else { return FirebaseTests.answer(request) }
      return HTTPResponse(304, tag.map { ["ETag": $0] } ?? [:])
    }
    let manager = FirebaseTests.manager(bench, server)
    _ = try await manager.model(FirebaseTests.model)
    let error: ModelHostingError =
      tag.map { .hashMismatch(stored: "hash", received: $0) } ?? .missingETag
    await #expect(throws: error) { try await manager.model(FirebaseTests.model) }
    #expect(bench.stored(FirebaseTests.model) == FirebaseTests.bytes)
  }

  @Test func rejectsNotModifiedWithoutStoredModel() async throws {
    let bench = try HostingBench()
    let server = try FirebaseTests.server { _, _ in HTTPResponse(304, ["ETag": "hash"]) }
    await #expect(throws: ModelHostingError.status(304, message: nil)) {
      try await FirebaseTests.manager(bench, server).model(FirebaseTests.model)
    }
  }

  @Test(arguments: [400, 401, 403, 404, 429, 500])
  func statusErrorsHaveFirebaseCodes(_ status: Int) async throws {
    let bench = try HostingBench()
    let server = try FirebaseTests.server { _, _ in
      HTTPResponse(
        status, [:], body: Array("{\"error\": {\"message\": \"because\"}}".utf8))
    }
    await #expect(throws: ModelHostingError.status(status, message: "because")) {
      try await FirebaseTests.manager(bench, server).model(FirebaseTests.model)
    }
  }

  @Test func requestsExpiredAddressOnceMore() async throws {
    for isMended in [true, false] {
      let bench = try HostingBench()
      let server = try ScriptedServer { request, number, connection throws(SocketError) in
        if request.path == Self.path {
          let file = number == 0 || !isMended ? "/stale" : "/file"
          return try connection.send(
            Self.answer(request, file, expires: "2026-11-21T12:00:00Z"), to: request)
        }
        if request.path == "/stale" {
          return try connection.send(HTTPResponse(400, [:]), to: request)
        }
        return try connection.send(
          OfferedFile(bytes: Self.bytes, tag: "f").response(request), to: request)
      }
      let manager = FirebaseTests.manager(bench, server) {
        $0.clock.now = { Date(timeIntervalSince1970: 1_795_262_401) }  // a second later
      }
      if isMended {
        _ = try await manager.model(FirebaseTests.model)
        #expect(bench.stored(FirebaseTests.model) == FirebaseTests.bytes)
      } else {
        await #expect(throws: ModelHostingError.status(400, message: nil)) {
          try await manager.model(FirebaseTests.model)
        }
      }
      #expect(server.requests(FirebaseTests.path).count == 2)
    }
  }

  @Test func reusesValidAddress() async throws {
    let bench = try HostingBench()
    let server = try ScriptedServer { request, _, connection throws(SocketError) in
      try connection.send(
        request.path == Self.path ? Self.answer(request) : HTTPResponse(400, [:]), to: request)
    }
    await #expect(throws: ModelHostingError.status(400, message: nil)) {
      try await FirebaseTests.manager(bench, server).model(FirebaseTests.model)
    }
    #expect(server.requests.count == 2)
  }

  @Test func enforcesSizeUnlikeFirebase() async throws {
    let bench = try HostingBench()
    let server = try FirebaseTests.server { request, _ in
      FirebaseTests.answer(request, size: 299_999)
    }
    await #expect(throws: ModelHostingError.size(found: 300_000, expected: 299_999)) {
      try await FirebaseTests.manager(bench, server).model(FirebaseTests.model)
    }
  }

  @Test func continuesInterruptedDownloadAtNewAddress() async throws {
    let bench = try HostingBench()
    let server = try ScriptedServer { request, number, connection throws(SocketError) in
      if request.path == Self.path {
        return try connection.send(Self.answer(request, "/file?signature=\(number)"), to: request)
      }
      if number == 0 {
        return try connection.cut(
          "200 OK", "ETag: \"f\"\r\n", announcing: Self.bytes.count,
          sending: Array(Self.bytes[..<100_000]))
      }
      return try connection.send(
        OfferedFile(bytes: Self.bytes, tag: "f").response(request), to: request)
    }
    _ = try? await FirebaseTests.manager(bench, server) { $0.retry.maximumAttempts = 1 }
      .model(FirebaseTests.model)
    _ = try await FirebaseTests.manager(bench, server).model(FirebaseTests.model)
    let file = server.requests("/file")
    #expect(file.map(\.query) == ["signature=0", "signature=1"])
    #expect(file[1].fields["Range"] == "bytes=100000-")
    #expect(bench.stored(FirebaseTests.model) == FirebaseTests.bytes)
  }

  @Test func doesNotDownloadSameHash() async throws {
    let bench = try HostingBench()
    let server = try FirebaseTests.server { request, _ in FirebaseTests.answer(request) }
    let manager = FirebaseTests.manager(bench, server)
    _ = try await manager.model(FirebaseTests.model)
    _ = try await manager.model(FirebaseTests.model)
    #expect(server.requests("/file").count == 1)
  }

  @Test func rejectsMissingProjectOrToken() async throws {
    let bench = try HostingBench()
    await #expect(throws: ModelHostingError.notConfigured) {
      try await bench.manager().model(FirebaseTests.model)
    }
    let server = try FirebaseTests.server { request, _ in FirebaseTests.answer(request) }
    let manager = FirebaseTests.manager(bench, server) {
      $0.firebase?.tokenProvider = { throw ModelHostingError.cancelled }
    }
    do {
      _ = try await manager.model(FirebaseTests.model)
      Issue.record("a download without a token succeeded")
    } catch {
      guard case .status(401, _) = error else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(server.requests.isEmpty)
  }

  @Test func readsProjectFromPropertyList() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID()).plist")
    defer { try? FileManager.default.removeItem(at: file) }
    let list = ["PROJECT_ID": "p", "API_KEY": "k", "BUNDLE_ID": "b"]
    try PropertyListEncoder().encode(list).write(to: file)
    let configuration = try #require(FirebaseConfiguration(contentsOfFile: file.path))
    #expect(configuration.projectID == "p" && configuration.apiKey == "k")
    #expect(configuration.bundleID == "b")
    #expect(configuration.baseURL == "https://firebaseml.googleapis.com")
    try PropertyListEncoder().encode(["API_KEY": "k"]).write(to: file)
    #expect(FirebaseConfiguration(contentsOfFile: file.path) == nil)
    #expect(FirebaseConfiguration(contentsOfFile: "/nowhere.plist") == nil)
  }
}
