import Foundation
import MartletHTTP
import Synchronization
import Testing

@testable import MartletHosting

@Suite(.timeLimit(.minutes(5))) struct URLSessionTransportTests {
  /// Keeps an answer.
  final class Keeper: TransportReceiver {
    let response = Mutex<TransportResponse?>(nil)
    let body = Mutex(Data())

    func receive(_ response: TransportResponse) throws(ModelHostingError) {
      self.response.withLock { $0 = response }
    }

    func receive(_ bytes: Data) throws(ModelHostingError) { body.withLock { $0 += bytes } }

    var status: Int? { response.withLock { $0?.status } }
    var text: String { body.withLock { String(decoding: $0, as: UTF8.self) } }
  }

  /// What comes of bytes that a server sends as they are.
  static func get(_ bytes: String) async throws -> (Keeper, ModelHostingError?) {
    let server = try ScriptedServer { _, _, connection throws(SocketError) in
      try connection.send(Array(bytes.replacing("\n", with: "\r\n").utf8))
      return false
    }
    let keeper = Keeper()
    do throws(ModelHostingError) {
      try await URLSessionTransport().get(TransportRequest(url: server.url("/")), to: keeper)
      return (keeper, nil)
    } catch { return (keeper, error) }
  }

  @Test(arguments: [200, 204, 206, 304, 400, 403, 404, 416, 429, 500, 503, 599])
  func statusesAndBodiesComeThrough(_ status: Int) async throws {
    let hasBody = status != 204 && status != 304
    let (keeper, error) = try await URLSessionTransportTests.get(
      "HTTP/1.1 \(status) X\n\(hasBody ? "Content-Length: 2\n" : "")X-a: b\n\n\(hasBody ? "no" : "")"
    )
    #expect(error == nil && keeper.status == status)
    #expect(keeper.text == (hasBody ? "no" : ""))
    #expect(keeper.response.withLock { $0?["x-A"] } == "b")
  }

  @Test(arguments: [301, 302, 303, 305, 307, 308])
  func redirectsAreAnswers(_ status: Int) async throws {
    let (keeper, error) = try await URLSessionTransportTests.get(
      "HTTP/1.1 \(status) X\nLocation: /b\nContent-Length: 2\n\nno")
    #expect(error == nil && keeper.status == status)
    #expect(keeper.response.withLock { $0?["Location"] } == "/b")
  }

  /// What a server may ask of someone who has a password.
  @Test(arguments: [
    "Bearer", "Basic realm=\"x\"", "Basic realm=", "", "Digest realm=\"x\"", "Negotiate",
  ])
  func reportsAuthenticationStatus(_ challenge: String) async throws {
    let (keeper, error) = try await URLSessionTransportTests.get(
      "HTTP/1.1 401 X\nWWW-Authenticate: \(challenge)\nContent-Length: 2\n\nno")
    #expect(error == nil && keeper.status == 401)
  }

  @Test func earlyHintsAreNoAnswer() async throws {
    let (keeper, error) = try await URLSessionTransportTests.get(
      "HTTP/1.1 103 Early\nLink: x\n\nHTTP/1.1 200 OK\nContent-Length: 2\n\nno")
    #expect(error == nil && keeper.status == 200 && keeper.text == "no")
  }

  /// Answers that are none, or not whole.
  @Test(arguments: [
    "", "hello", "HTTP/1.1 200 OK\nContent-Length: 5\n\nno", "HTTP/1.1 2x0 OK\n\n",
    "HTTP/1.1 200 OK\nContent-Length: -5\n\nno", "HTTP/1.1 200 OK\nno colon\n\n",
    "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nno",
    "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nzz\nno",
    "HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: 2\n\nno",
  ])
  func brokenAnswersAreErrors(_ answer: String) async throws {
    let (_, error) = try await URLSessionTransportTests.get(answer)
    guard case .connection = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [(1000, 5000), (5_000_000, 1)])
  func endlessHeadsAreErrorsThatNobodyAsksAgainFor(_ length: Int, _ count: Int) async throws {
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
    final class Refuser: TransportReceiver {
      let count = Atomic(0)

      func receive(_ response: TransportResponse) throws(ModelHostingError) {}

      func receive(_ bytes: Data) throws(ModelHostingError) {
        count.add(1, ordering: .relaxed)
        throw .missingETag
      }
    }
    let server = try ScriptedServer { _, _, connection throws(SocketError) in
      try connection.send(Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8))
      // Without end, until the other side has gone.
      while true { try connection.send([UInt8](repeating: 1, count: 1 << 16)) }
    }
    let refuser = Refuser()
    await #expect(throws: ModelHostingError.missingETag) {
      try await URLSessionTransport().get(TransportRequest(url: server.url("/")), to: refuser)
    }
    #expect(refuser.count.load(ordering: .relaxed) == 1)
  }

  /// Who takes slowly makes the server wait, instead of filling memory. In a process of its own, as a
  /// receiver that waits holds up all requests.
  @Test func slowReceiverDelaysServer() async {
    await #expect(processExitsWith: .success) {
      final class Sleeper: TransportReceiver {
        let gate = Gate()
        let count = Atomic(0)

        func receive(_ response: TransportResponse) throws(ModelHostingError) {}

        func receive(_ bytes: Data) throws(ModelHostingError) {
          if count.add(bytes.count, ordering: .relaxed).oldValue == 0 { gate.pass() }
        }
      }
      let (size, total) = (1 << 18, 256)
      let sent = Atomic(0)
      let server = try ScriptedServer { _, _, connection throws(SocketError) in
        try connection.send(
          Array("HTTP/1.1 200 OK\r\nContent-Length: \(total * size)\r\n\r\n".utf8))
        for _ in 0..<total {
          try connection.send([UInt8](repeating: 1, count: size))
          sent.add(1, ordering: .relaxed)
        }
        return false
      }
      let sleeper = Sleeper()
      async let done: Void = URLSessionTransport().get(
        TransportRequest(url: server.url("/")), to: sleeper)
      // Until the server has got nothing rid for a second: it is held up, or all has gone.
      var last = 0
      while last == 0 || last < sent.load(ordering: .relaxed) {
        last = sent.load(ordering: .relaxed)
        try await Task.sleep(for: .seconds(1))
      }
      #expect(last < total / 2)
      sleeper.gate.open()
      try await done
      #expect(sleeper.count.load(ordering: .relaxed) == total * size)
    }
  }

  /// Requests wait for the receiver of another no longer than it takes its pieces.
  @Test func manyRequestsAtOnceComeThrough() async throws {
    let server = try ScriptedServer { _, _, connection throws(SocketError) in
      try connection.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".utf8))
      try connection.send([UInt8](repeating: 1, count: 1_000_000))
      return false
    }
    await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<40 {
        group.addTask {
          let keeper = Keeper()
          try? await URLSessionTransport().get(TransportRequest(url: server.url("/")), to: keeper)
          return keeper.body.withLock { $0.count }
        }
      }
      for await count in group { #expect(count == 1_000_000) }
    }
  }
}
