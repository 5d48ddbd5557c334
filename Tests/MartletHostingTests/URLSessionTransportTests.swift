import Foundation
import MartletBase
import MartletTestServer
import Testing

@testable import MartletHosting

@Suite(.timeLimit(.minutes(5))) struct URLSessionTransportTests {
  /// Records a response.
  final class ResponseRecorder: TransportReceiver {
    let response = Mutex<TransportResponse?>(nil)
    let body = Mutex(Data())

    func receive(_ response: TransportResponse) throws(ModelHostingError) {
      self.response.withLock { $0 = response }
    }

    func receive(_ bytes: Data) throws(ModelHostingError) { body.withLock { $0 += bytes } }

    var status: Int? { response.withLock { $0?.status } }
    var text: String { body.withLock { String(decoding: $0, as: UTF8.self) } }
  }

  /// The result for a server that sends exactly these bytes.
  static func get(_ bytes: String) async throws -> (ResponseRecorder, ModelHostingError?) {
    let server = try ScriptedServer { _, _, connection throws(SocketError) in
      try connection.send(Array(bytes.replacing("\n", with: "\r\n").utf8))
      return false
    }
    let recorder = ResponseRecorder()
    do throws(ModelHostingError) {
      try await URLSessionTransport().get(TransportRequest(url: server.url("/")), to: recorder)
      return (recorder, nil)
    } catch { return (recorder, error) }
  }

  @Test(arguments: [200, 204, 206, 304, 400, 403, 404, 416, 429, 500, 503, 599])
  func reportsStatusAndBody(_ status: Int) async throws {
    let hasBody = status != 204 && status != 304
    let (recorder, error) = try await URLSessionTransportTests.get(
      "HTTP/1.1 \(status) X\n\(hasBody ? "Content-Length: 2\n" : "")X-a: b\n\n\(hasBody ? "no" : "")"
    )
    #expect(error == nil && recorder.status == status)
    #expect(recorder.text == (hasBody ? "no" : ""))
    #expect(recorder.response.withLock { $0?["x-A"] } == "b")
  }

  @Test(arguments: [301, 302, 303, 305, 307, 308])
  func returnsRedirectsAsResponses(_ status: Int) async throws {
    let (recorder, error) = try await URLSessionTransportTests.get(
      "HTTP/1.1 \(status) X\nLocation: /b\nContent-Length: 2\n\nno")
    #expect(error == nil && recorder.status == status)
    #expect(recorder.response.withLock { $0?["Location"] } == "/b")
  }

  /// Authentication challenges of a server.
  @Test(arguments: [
    "Bearer", "Basic realm=\"x\"", "Basic realm=", "", "Digest realm=\"x\"", "Negotiate",
  ])
  func reportsAuthenticationStatus(_ challenge: String) async throws {
    let (recorder, error) = try await URLSessionTransportTests.get(
      "HTTP/1.1 401 X\nWWW-Authenticate: \(challenge)\nContent-Length: 2\n\nno")
    #expect(error == nil && recorder.status == 401)
  }

  @Test func ignoresEarlyHints() async throws {
    let (recorder, error) = try await URLSessionTransportTests.get(
      "HTTP/1.1 103 Early\nLink: x\n\nHTTP/1.1 200 OK\nContent-Length: 2\n\nno")
    #expect(error == nil && recorder.status == 200 && recorder.text == "no")
  }

  /// Malformed and truncated responses.
  @Test(arguments: [
    "", "hello", "HTTP/1.1 200 OK\nContent-Length: 5\n\nno", "HTTP/1.1 2x0 OK\n\n",
    "HTTP/1.1 200 OK\nContent-Length: -5\n\nno", "HTTP/1.1 200 OK\nno colon\n\n",
    "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nno",
    "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nzz\nno",
    "HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: 2\n\nno",
  ])
  func malformedResponsesThrow(_ answer: String) async throws {
    let (_, error) = try await URLSessionTransportTests.get(answer)
    guard case .connection = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [(1000, 5000), (5_000_000, 1)])
  func endlessHeadsAreNotRetried(_ length: Int, _ count: Int) async throws {
    let (_, error) = try await URLSessionTransportTests.get(
      "HTTP/1.1 200 OK\n"
        + String(repeating: "X: \(String(repeating: "a", count: length))\n", count: count))
    #expect(
      error
        == .connection(
          code: NSURLErrorDataLengthExceedsMaximum, message: "the head of the answer is too long"))
    #expect(error?.isTransient == false)
  }

  @Test func receiverErrorEndsRequest() async throws {
    final class FailingReceiver: TransportReceiver {
      let count = Mutex(0)

      func receive(_ response: TransportResponse) throws(ModelHostingError) {}

      func receive(_ bytes: Data) throws(ModelHostingError) {
        count.withLock { $0 += 1 }
        throw .missingETag
      }
    }
    let server = try ScriptedServer { _, _, connection throws(SocketError) in
      try connection.send(Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8))
      // Sends until the client disconnects.
      while true { try connection.send([UInt8](repeating: 1, count: 1 << 16)) }
    }
    let receiver = FailingReceiver()
    await #expect(throws: ModelHostingError.missingETag) {
      try await URLSessionTransport().get(TransportRequest(url: server.url("/")), to: receiver)
    }
    #expect(receiver.count.withLock { $0 } == 1)
  }

  /// A slow receiver delays the server instead of filling memory. Runs in its own process, because
  /// a blocked receiver delays all requests.
  @Test func slowReceiverDelaysServer() async {
    await #expect(processExitsWith: .success) {
      final class BlockingReceiver: TransportReceiver {
        let gate = Gate()
        let count = Mutex(0)

        func receive(_ response: TransportResponse) throws(ModelHostingError) {}

        func receive(_ bytes: Data) throws(ModelHostingError) {
          let isFirst = count.withLock { count in
            defer { count += bytes.count }
            return count == 0
          }
          if isFirst { gate.waitUntilOpen() }
        }
      }
      let (size, total) = (1 << 18, 256)
      let sent = Mutex(0)
      let server = try ScriptedServer { _, _, connection throws(SocketError) in
        try connection.send(
          Array("HTTP/1.1 200 OK\r\nContent-Length: \(total * size)\r\n\r\n".utf8))
        for _ in 0..<total {
          try connection.send([UInt8](repeating: 1, count: size))
          sent.withLock { $0 += 1 }
        }
        return false
      }
      let receiver = BlockingReceiver()
      async let done: Void = URLSessionTransport().get(
        TransportRequest(url: server.url("/")), to: receiver)
      // Waits until the server has sent nothing for a second, because it is blocked or has
      // finished.
      var last = 0
      while last == 0 || last < sent.withLock({ $0 }) {
        last = sent.withLock { $0 }
        try await Task.sleep(for: .seconds(1))
      }
      #expect(last < total / 2)
      receiver.gate.open()
      try await done
      #expect(receiver.count.withLock { $0 } == total * size)
    }
  }

  #if canImport(FoundationNetworking)
    /// Other sessions of the process read on the same queue. Runs in its own process, because other
    /// tests pause the queue too.
    @Test func otherSessionsArePausedOnRequestOnly() async {
      await #expect(processExitsWith: .success) {
        for pauses in [false, true] {
          let (begins, gate) = (Gate(), Gate())
          let server = try ScriptedServer { _, _, connection throws(SocketError) in
            begins.open()
            gate.waitUntilOpen()
            try connection.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
            return false
          }
          async let answer: Void = URLSessionTransport(pausesReading: pauses).get(
            TransportRequest(url: server.url("/")), to: ResponseRecorder())
          await onOwnThread { begins.waitUntilOpen() }
          #expect(ReadingPauses.shared.isRunning == pauses)
          gate.open()
          try await answer
        }
      }
    }
  #endif

  /// Runs in its own process, because processor time is counted for a process.
  @Test func waitingWithPausesUsesLittleProcessorTime() async {
    await #expect(processExitsWith: .success) {
      let server = try ScriptedServer { _, _, connection throws(SocketError) in
        Thread.sleep(forTimeInterval: 3)
        try connection.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
        return false
      }
      let start = clock()
      try await URLSessionTransport(pausesReading: true).get(
        TransportRequest(url: server.url("/")), to: ResponseRecorder())
      #expect(Double(clock() - start) / Double(CLOCKS_PER_SEC) < 1)
    }
  }

  /// A request waits for another's receiver only while it handles one piece of data.
  @Test func manyConcurrentRequestsSucceed() async throws {
    let server = try ScriptedServer { _, _, connection throws(SocketError) in
      try connection.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".utf8))
      try connection.send([UInt8](repeating: 1, count: 1_000_000))
      return false
    }
    await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<40 {
        group.addTask {
          let recorder = ResponseRecorder()
          try? await URLSessionTransport().get(TransportRequest(url: server.url("/")), to: recorder)
          return recorder.body.withLock { $0.count }
        }
      }
      for await count in group { #expect(count == 1_000_000) }
    }
  }
}
