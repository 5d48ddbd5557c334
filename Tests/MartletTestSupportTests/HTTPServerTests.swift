import MartletTestServer
import MartletTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPServerTests {
  /// A server that sends the path; for `/cut` a part of a response, then a reset.
  static func server() throws -> HTTPServer {
    let server = try HTTPServer { request, connection throws(SocketError) in
      if request.path == "/cut" {
        try connection.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1".utf8))
        connection.reset()
        return false
      }
      return try connection.send(HTTPResponse(200, body: Array(request.path.utf8)), to: request)
    }
    server.start()
    return server
  }

  @Test func servesSeveralRequestsOnOneConnection() throws {
    let server = try HTTPServerTests.server()
    defer { server.stop() }
    let answer = RawClient.ask(
      server.port,
      "GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b?c HTTP/1.1\r\nHost: x\r\nconnection: close\r\n\r\n"
        + "GET /d HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(
      answer == """
        HTTP/1.1 200 Status\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n/a\
        HTTP/1.1 200 Status\r\nContent-Length: 2\r\nConnection: close\r\n\r\n/b
        """)
  }

  @Test(arguments: [
    "", "GET / HT", "nonsense\r\n\r\n", "POST / HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET / HTTP/1.1\r\nHost\r\n\r\n",
    "GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 99_999),
  ])
  func disconnectsClientsWithoutAValidRequest(_ text: String) throws {
    let server = try HTTPServerTests.server()
    defer { server.stop() }
    #expect(RawClient.ask(server.port, text) == "")
    let next = "GET /a HTTP/1.1\r\nConnection: close\r\n\r\n"
    #expect(RawClient.ask(server.port, next).hasSuffix("/a"))
  }

  @Test func resetReachesTheClient() throws {
    let server = try HTTPServerTests.server()
    defer { server.stop() }
    let client = try #require(RawClient(port: server.port))
    client.send("GET /cut HTTP/1.1\r\n\r\n")
    _ = client.receive()
    #expect(client.wasReset)
  }

  @Test func stoppingClosesConnections() throws {
    let server = try HTTPServerTests.server()
    let client = try #require(RawClient(port: server.port))
    client.send("GET /a HTTP/1.1\r\n\r\n")
    let expected =
      "HTTP/1.1 200 Status\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n/a"
    #expect(client.receive(upTo: expected.utf8.count) == Array(expected.utf8))
    server.stop()
    #expect(client.receive().isEmpty)
  }
}
