import Foundation
import MartletTestServer
import Testing

@testable import MartletHosting

@Suite(.timeLimit(.minutes(5))) struct RetryTests {
  static let bytes = HostingBench.bytes(3)

  /// A server that fails `count` requests before it succeeds.
  static func server(
    refusing count: Int, _ status: Int, _ fields: HeaderFields = [:]
  ) throws -> ScriptedServer {
    try ScriptedServer { request, number, connection throws(SocketError) in
      let refusal = HTTPResponse(status, fields)
      let file = OfferedFile(bytes: Self.bytes, tag: "1").response(request)
      return try connection.send(number < count ? refusal : file, to: request)
    }
  }

  @Test(arguments: [408, 429, 500, 502, 503, 504])
  func retriesTemporaryFailures(_ status: Int) async throws {
    let bench = try HostingBench()
    let server = try RetryTests.server(refusing: 3, status)
    let model = HostingBench.fileModel(server)
    _ = try await bench.manager().model(model)
    #expect(bench.stored(model) == RetryTests.bytes)
    #expect(bench.waited == [1, 2, 4])
  }

  @Test(arguments: [429, 500])
  func failsAfterFiveAttempts(_ status: Int) async throws {
    let bench = try HostingBench()
    let server = try RetryTests.server(refusing: 100, status)
    await #expect(throws: ModelHostingError.status(status, message: nil)) {
      try await bench.manager().model(HostingBench.fileModel(server))
    }
    #expect(server.requests.count == 5 && bench.waited == [1, 2, 4, 8])
  }

  @Test func readsRetryAfterSeconds() async throws {
    let bench = try HostingBench()
    let server = try RetryTests.server(refusing: 2, 429, ["Retry-After": "17"])
    _ = try await bench.manager().model(HostingBench.fileModel(server))
    #expect(bench.waited == [17, 17])
  }

  @Test func readsRetryAfterDate() async throws {
    let bench = try HostingBench()
    let server = try RetryTests.server(
      refusing: 1, 503, ["Retry-After": "Sun, 06 Nov 1994 08:50:00 GMT"])
    let manager = bench.manager {
      $0.clock.now = { Date(timeIntervalSince1970: 784_111_777) }
    }
    _ = try await manager.model(HostingBench.fileModel(server))
    #expect(bench.waited == [23])
  }

  @Test func failsIfRetryAfterIsTooLong() async throws {
    let bench = try HostingBench()
    let server = try RetryTests.server(refusing: 1, 429, ["Retry-After": "301"])
    await #expect(throws: ModelHostingError.status(429, message: nil)) {
      try await bench.manager().model(HostingBench.fileModel(server))
    }
    #expect(server.requests.count == 1 && bench.waited.isEmpty)
  }

  @Test func retriesManifests() async throws {
    let bench = try HostingBench()
    let manifest = Array("{\"downloadUri\": \"/birds.tflite\"}".utf8)
    let server = try ScriptedServer { request, number, connection throws(SocketError) in
      if request.path == "/birds.json" {
        return try connection.send(
          number < 2 ? HTTPResponse(503, [:]) : HTTPResponse(200, [:], body: manifest),
          to: request)
      }
      return try connection.send(
        OfferedFile(bytes: Self.bytes, tag: "1").response(request), to: request)
    }
    let model = HostingBench.manifestModel(server)
    _ = try await bench.manager().model(model)
    #expect(bench.waited == [1, 2] && bench.stored(model) == RetryTests.bytes)
  }

  @Test func retriesMissingServerFiveTimes() async throws {
    let bench = try HostingBench()
    // The system never assigns this port to another test's server, unlike a port that was just
    // closed.
    let url = try #require(URL(string: "http://127.0.0.1:9/birds.tflite"))
    let model = CustomRemoteModel(
      remoteModelSource: HTTPModelSource(name: "birds", modelURL: url))
    do {
      _ = try await bench.manager().model(model)
      Issue.record("a download without a server succeeded")
    } catch {
      guard case .connection(_, let message?) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(!message.isEmpty && "\(error)".contains(message))
      #expect(error.code == .failedPrecondition)
    }
    #expect(bench.waited == [1, 2, 4, 8])
  }

  @Test func givesUpOnSilentServer() async throws {
    let bench = try HostingBench()
    let gate = Gate()
    defer { gate.open() }
    let server = try ScriptedServer { request, number, connection throws(SocketError) in
      guard number == 0 else {
        return try connection.send(
          OfferedFile(bytes: Self.bytes, tag: "1").response(request), to: request)
      }
      try connection.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\nab".utf8))
      gate.waitUntilOpen()
      return false
    }
    let model = HostingBench.fileModel(server)
    _ = try await bench.manager { $0.idleLimit = 1 }.model(model)
    #expect(bench.stored(model) == RetryTests.bytes && bench.waited == [1])
  }

  @Test func delaysDoubleUpToTheLimit() {
    let policy = RetryPolicy()
    #expect(
      (1...8).map { policy.delay(afterFailures: $0) }
        == [1, 2, 4, 8, 16, 30, 30, 30])
    #expect(policy.delay(afterFailures: Int.max) == 30)
  }
}
