import Foundation
import MartletSystem
import MartletTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPServerTests {
  /// A server that sends a file for `/file`, and the method and path for other paths.
  static func server(
    _ file: String? = nil, _ change: (inout HTTPServer.Limits) -> Void = { _ in }
  ) throws -> HTTPServer {
    var limits = HTTPServer.Limits()
    limits.now = { 784_111_777 }
    change(&limits)
    let server = try HTTPServer(limits: limits) { request, connection throws(SocketError) in
      if request.path == "/file", let file = file.flatMap({ ReadableFile($0) }) {
        let response = HTTPResponse(200, [:], body: .file(file, 1..<file.size))
        return try connection.send(response, to: request)
      }
      return try connection.send(
        HTTPResponse(200, text: request.method + " " + request.path), to: request)
    }
    try server.start()
    return server
  }

  @Test func servesSeveralRequestsOnOneConnection() throws {
    let server = try HTTPServerTests.server()
    defer { server.stop() }
    let answer = RawClient.ask(
      server.port,
      "GET /a HTTP/1.1\r\nHost: x\r\n\r\nHEAD /b HTTP/1.1\r\nHost: x\r\n\r\n"
        + "GET /c HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nGET /d HTTP/1.1\r\nHost: x\r\n\r\n"
    )
    func head(_ count: Int, _ connection: String) -> String {
      "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
        + "Content-Type: text/plain; charset=utf-8\r\nContent-Length: \(count)\r\n"
        + "Connection: \(connection)\r\n\r\n"
    }
    #expect(
      answer == head(7, "keep-alive") + "GET /a\n" + head(8, "keep-alive") + head(7, "close")
        + "GET /c\n")
  }

  @Test(arguments: [
    ("nonsense\r\n\r\n", 400), ("GET / HTTP/3.0\r\nHost: x\r\n\r\n", 505),
    ("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", 413),
    ("GET /" + String(repeating: "a", count: 40_000), 414),
    ("GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 40_000), 431),
  ])
  func reportsInvalidRequestsAndCloses(_ text: String, _ status: Int) throws {
    let server = try HTTPServerTests.server()
    defer { server.stop() }
    let answer = RawClient.ask(server.port, text)
    #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
    #expect(answer.contains("\r\nConnection: close\r\n"))
    #expect(RawClient.ask(server.port, "GET /a HTTP/1.0\r\n\r\n").hasSuffix("GET /a\n"))
  }

  @Test(arguments: [
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
    "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "DELETE / HTTP/1.1\r\nHost: x\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", "get / HTTP/1.1\r\nHost: x\r\n\r\n",
  ])
  func listsAllowedMethodsForOtherMethods(_ text: String) throws {
    let server = try HTTPServerTests.server()
    defer { server.stop() }
    let answer = RawClient.ask(server.port, text)
    #expect(answer.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"))
    #expect(answer.contains("\r\nAllow: GET, HEAD\r\n"))
  }

  @Test func survivesClientsThatDisconnectEarly() throws {
    let server = try HTTPServerTests.server()
    defer { server.stop() }
    #expect(RawClient.ask(server.port, "GET / HT") == "")
    #expect(RawClient.ask(server.port, "") == "")
    #expect(RawClient.ask(server.port, "GET /a HTTP/1.0\r\n\r\n").hasSuffix("GET /a\n"))
  }

  @Test func closesSlowRequestsAtTheDeadline() throws {
    let server = try HTTPServerTests.server { $0.head = .milliseconds(300) }
    defer { server.stop() }
    let client = try #require(RawClient(port: server.port))
    let isSending = Mutex(true)
    let sending = DispatchQueue(label: "drips")
    sending.async {
      for byte in "GET / HTTP/1.1\r\n" + String(repeating: "X", count: 4000)
      where isSending.withLock({ $0 }) {
        client.send(String(byte))
        Thread.sleep(forTimeInterval: 0.02)
      }
    }
    let start = ContinuousClock.now
    let answer = String(decoding: client.receive(), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 408 "))
    // Sending the whole request would take 80 seconds.
    #expect(ContinuousClock.now - start < .seconds(40))
    isSending.withLock { $0 = false }
    sending.sync {}
  }

  @Test func closesConnectionsOfIdleClients() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())")
    try Data(count: 64 << 20).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let server = try HTTPServerTests.server(file.path) {
      $0.idle = .milliseconds(200)
      $0.connections = 1
    }
    defer { server.stop() }
    let idleClient = try #require(RawClient(port: server.port))
    idleClient.send("GET /file HTTP/1.0\r\n\r\n")
    // The only slot is free again as soon as the idle connection is closed.
    var answer = ""
    for _ in 0..<600 where !answer.hasSuffix("GET /a\n") {
      answer = RawClient.ask(server.port, "GET /a HTTP/1.0\r\n\r\n")
      Thread.sleep(forTimeInterval: 0.1)
    }
    #expect(answer.hasSuffix("GET /a\n"))
  }

  @Test func refusesConnectionsBeyondTheLimit() throws {
    let server = try HTTPServerTests.server { $0.connections = 1 }
    defer { server.stop() }
    let first = try #require(RawClient(port: server.port))
    first.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(first.receive(upTo: 15) == Array("HTTP/1.1 200 OK".utf8))
    #expect(RawClient.ask(server.port, "").hasPrefix("HTTP/1.1 503 "))
  }

  /// Connections that send half a head or nothing do not block others.
  @Test func newConnectionReplacesTheOldestWithoutARequest() throws {
    let server = try HTTPServerTests.server { $0.connections = 3 }
    defer { server.stop() }
    let busy = try #require(RawClient(port: server.port))
    busy.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(busy.receive(upTo: 15) == Array("HTTP/1.1 200 OK".utf8))
    let silent = try #require(RawClient(port: server.port))
    let half = try #require(RawClient(port: server.port))
    half.send("GET / HT")
    #expect(RawClient.ask(server.port, "GET /b HTTP/1.0\r\n\r\n").hasSuffix("GET /b\n"))
    #expect(silent.receive().isEmpty)
    half.send("TP/1.0\r\n\r\n")
    #expect(String(decoding: half.receive(), as: UTF8.self).hasSuffix("GET /\n"))
  }

  @Test func refusedConnectionIsNotReset() throws {
    let server = try HTTPServerTests.server { $0.connections = 1 }
    defer { server.stop() }
    let first = try #require(RawClient(port: server.port))
    first.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(first.receive(upTo: 15) == Array("HTTP/1.1 200 OK".utf8))
    let second = try #require(RawClient(port: server.port))
    #expect(second.receive(upTo: 12) == Array("HTTP/1.1 503".utf8))
    // Data after the request must not make the system discard the answer.
    second.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
    Thread.sleep(forTimeInterval: 0.2)
    var (rest, piece) = ([UInt8](), second.receive(upTo: 1))
    while piece.count == 1 {
      rest += piece
      piece = second.receive(upTo: 1)
    }
    #expect(String(decoding: rest, as: UTF8.self).hasSuffix("\r\n\r\ntoo many connections\n"))
    #expect(!second.wasReset)
  }

  @Test func refusesFilesOutsideTheFolder() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())")
    let inner = folder.appending(path: "inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for path in ["outside", "inner/plain", "inner-not"] {
      try Data(count: 3).write(to: folder.appending(path: path))
    }
    for (name, target) in [
      ("inside", "plain"), ("out", "../outside"), ("like", "../inner-not"), ("loop", "loop"),
      ("nowhere", "none"), ("folder", "."),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: inner.path + "/" + name, withDestinationPath: target)
    }
    let read = ["plain", "inside", "out", "like", "loop", "nowhere", "folder"].filter {
      ReadableFile(inner.path + "/" + $0, inside: inner.path + "/") != nil
    }
    #expect(read == ["plain", "inside"])
    // The folder itself may be a link.
    let link = folder.appending(path: "link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: inner)
    #expect(ReadableFile(link.path + "/plain", inside: link.path) != nil)
  }

  @Test func servesTheOpenedFileAfterReplacement() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "a").path
    let old = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try Data(old).write(to: URL(filePath: path))
    let file = try #require(ReadableFile(path))
    try Data(count: 10).write(to: URL(filePath: path), options: .atomic)
    var read: [UInt8] = []
    let isWhole = file.forEachPiece(of: 0..<file.size) { piece in
      for index in piece.indices { read.append(piece[index]) }
    }
    #expect(isWhole)
    #expect(read == old && file.size == old.count)
    #expect(try #require(ReadableFile(path)).identity != file.identity)
  }

  @Test func resetsTheConnectionIfAFileShrinks() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "a").path
    try Data(count: 100).write(to: URL(filePath: path))
    let file = try #require(ReadableFile(path))
    try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 40)
    let server = try HTTPServer { request, connection throws(SocketError) in
      try connection.send(HTTPResponse(200, [:], body: .file(file, 0..<100)), to: request)
    }
    try server.start()
    defer { server.stop() }
    let client = try #require(RawClient(port: server.port))
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    let answer = String(decoding: client.receive(), as: UTF8.self)
    #expect(!answer.hasSuffix(String(repeating: "\0", count: 100)))
    #expect(client.wasReset)
  }

  @Test(arguments: ["/", "/dev/null", "/nowhere"])
  func readsPlainFilesOnly(_ path: String) { #expect(ReadableFile(path) == nil) }

  @Test func refusesAddressesThatAreNotNumeric() {
    #expect(throws: SocketError.address("localhost")) {
      try HTTPServer(address: "localhost") { _, _ in true }
    }
  }

  @Test func stoppingClosesConnections() throws {
    let server = try HTTPServerTests.server()
    let client = try #require(RawClient(port: server.port))
    client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(client.receive(upTo: 15) == Array("HTTP/1.1 200 OK".utf8))
    server.stop()
    #expect(!client.receive().isEmpty)
  }
}
