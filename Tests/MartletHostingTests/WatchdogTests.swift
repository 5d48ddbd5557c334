import Foundation
import MartletTestServer
import Testing

@testable import MartletHosting

@Suite(.timeLimit(.minutes(5))) struct WatchdogTests {
  static let bytes = HostingBench.bytes(12)

  /// A server that sends `head`, then `drip` every tenth of a second until the client disconnects.
  static func dripping(_ head: String, _ drip: String) throws -> ScriptedServer {
    try ScriptedServer { _, _, connection throws(SocketError) in
      try connection.send(Array(head.replacing("\n", with: "\r\n").utf8))
      for _ in 0..<600 {
        Thread.sleep(forTimeInterval: 0.1)
        try connection.send(Array(drip.utf8))
      }
      return false
    }
  }

  /// Responses that arrive slowly: the head, a manifest or a file.
  @Test(arguments: ["HTTP/1.1 200 OK\nX: ", "HTTP/1.1 200 OK\nContent-Length: 60000\n\n"])
  func timeLimitEndsSlowResponse(_ head: String) async throws {
    let bench = try HostingBench()
    let server = try WatchdogTests.dripping(head, "a")
    let manager = bench.manager {
      $0.idleLimit = 1
      $0.retry.maximumAttempts = 2
    }
    for model in [HostingBench.fileModel(server), HostingBench.manifestModel(server)] {
      do {
        _ = try await manager.model(model)
        Issue.record("a slow response succeeded")
      } catch {
        switch error {
        case .tooSlow(let bytes, 1000, 1): #expect(bytes < 1000)
        // Foundation's own limit may end a request first if no byte of the body has arrived.
        case .connection(NSURLErrorTimedOut, _): break
        default: Issue.record("\(error)")
        }
      }
    }
    #expect(server.requests.count == 4 && bench.waited == [1, 1])
  }

  @Test func keepsSlowDownload() async throws {
    let bench = try HostingBench()
    let server = try ScriptedServer { _, _, connection throws(SocketError) in
      try connection.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n".utf8))
      for start in stride(from: 0, to: 300_000, by: 15_000) {
        Thread.sleep(forTimeInterval: 0.2)
        try connection.send(Array(Self.bytes[start..<start + 15_000]))
      }
      return false
    }
    let model = HostingBench.fileModel(server)
    _ = try await bench.manager { $0.idleLimit = 3 }.model(model)
    #expect(bench.stored(model) == WatchdogTests.bytes && server.requests.count == 1)
  }

  @Test func timeLimitEndsFastDownload() async throws {
    let bench = try HostingBench()
    let server = try WatchdogTests.dripping(
      "HTTP/1.1 200 OK\nContent-Length: 60000000\n\n", String(repeating: "a", count: 1000))
    let manager = bench.manager { $0.timeLimit = 1 }
    await #expect(throws: ModelHostingError.timedOut(limit: 1)) {
      try await manager.model(HostingBench.fileModel(server))
    }
    #expect(server.requests.count == 1)
  }

  @Test func watchdogKeepsFastTransfer() async throws {
    let value = try await withWatchdog {
      await Task.isElapsed(seconds: 3600) ? .timedOut(limit: 0) : .cancelled
    } work: { () async throws(ModelHostingError) in
      7
    }
    #expect(value == 7)
  }
}
