import Foundation
import MartletTestServer
import Testing

@testable import MartletHosting

@Suite(.timeLimit(.minutes(5))) struct RedirectTests {
  static let bytes = HostingBench.bytes(8)

  /// A server that redirects `/birds.tflite` to `location`.
  static func server(_ location: String, _ status: Int = 302) throws -> ScriptedServer {
    try ScriptedServer { request, _, connection throws(SocketError) in
      if request.path == "/birds.tflite" {
        return try connection.send(HTTPResponse(status, ["Location": location]), to: request)
      }
      return try connection.send(
        OfferedFile(bytes: Self.bytes, tag: "1").response(request), to: request)
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func followsRedirects(_ status: Int) async throws {
    let bench = try HostingBench()
    let server = try RedirectTests.server("/elsewhere/file?x=1", status)
    let model = HostingBench.fileModel(server)
    _ = try await bench.manager().model(model)
    #expect(bench.stored(model) == RedirectTests.bytes)
    #expect(server.requests[1].path == "/elsewhere/file" && server.requests[1].query == "x=1")
  }

  @Test func relativeAddressesAreRelativeToTheFolder() async throws {
    let bench = try HostingBench()
    let server = try ScriptedServer { request, _, connection throws(SocketError) in
      if request.path == "/a/b/birds.tflite" {
        return try connection.send(HTTPResponse(302, ["Location": "../c.tflite"]), to: request)
      }
      return try connection.send(
        OfferedFile(bytes: Self.bytes, tag: "1").response(request), to: request)
    }
    let model = CustomRemoteModel(
      remoteModelSource: HTTPModelSource(
        name: "birds", modelURL: server.url("/a/b/birds.tflite")))
    _ = try await bench.manager().model(model)
    #expect(server.requests[1].path == "/a/c.tflite")
  }

  @Test func endsRedirectLoop() async throws {
    let bench = try HostingBench()
    let server = try RedirectTests.server("/birds.tflite")
    await #expect(
      throws: ModelHostingError.tooManyRedirects(limit: WebClient.maximumRedirects)
    ) { try await bench.manager().model(HostingBench.fileModel(server)) }
    #expect(server.requests.count == WebClient.maximumRedirects + 1)
  }

  @Test(arguments: ["http://example.com/x", "http://127.0.0.1.example.com/x", "//10.0.0.1/x"])
  func rejectsRedirectToHTTPOfOtherHost(_ location: String) async throws {
    let bench = try HostingBench()
    let server = try RedirectTests.server(location)
    do {
      _ = try await bench.manager().model(HostingBench.fileModel(server))
      Issue.record("a redirect to \(location) was followed")
    } catch {
      guard case .insecureAddress = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  /// Redirects every request.
  struct Redirector: HTTPTransport {
    let location: String

    func get(
      _ request: TransportRequest, to receiver: some TransportReceiver
    ) async throws(ModelHostingError) {
      guard request.url.scheme == "https" else {
        Issue.record("\(request.url) was requested")
        return
      }
      try receiver.receive(TransportResponse(status: 302, fields: ["Location": location]))
    }
  }

  @Test(arguments: ["http://example.com/x", "http://127.0.0.1/x", "http://localhost:80/x"])
  func rejectsRedirectFromHTTPSToHTTP(_ location: String) async throws {
    let bench = try HostingBench()
    let url = try #require(URL(string: "https://example.com/birds.tflite"))
    let manager = bench.manager { $0.transport = Redirector(location: location) }
    for source in [
      HTTPModelSource(name: "birds", modelURL: url),
      HTTPModelSource(name: "birds", manifestURL: url),
    ] {
      await #expect(throws: ModelHostingError.insecureAddress(location)) {
        try await manager.model(CustomRemoteModel(remoteModelSource: source))
      }
    }
  }

  @Test(arguments: ["ftp://127.0.0.1/x", "file:///etc/passwd", "data:,x", "http://"])
  func rejectsRedirectToOtherScheme(_ location: String) async throws {
    let bench = try HostingBench()
    let server = try RedirectTests.server(location)
    do {
      _ = try await bench.manager().model(HostingBench.fileModel(server))
      Issue.record("a redirect to \(location) was followed")
    } catch {
      guard case .address = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test func reportsRedirectWithoutAddress() async throws {
    let bench = try HostingBench()
    let server = try ScriptedServer { request, _, connection throws(SocketError) in
      try connection.send(HTTPResponse(302, [:]), to: request)
    }
    await #expect(throws: ModelHostingError.status(302, message: nil)) {
      try await bench.manager().model(HostingBench.fileModel(server))
    }
  }

  @Test func tokenIsSentOnlyToItsServer() async throws {
    let bench = try HostingBench()
    let other = try ScriptedServer { request, _, connection throws(SocketError) in
      try connection.send(HTTPResponse(404, [:]), to: request)
    }
    let address = other.url("/x").absoluteString
    let server = try ScriptedServer { request, _, connection throws(SocketError) in
      try connection.send(HTTPResponse(307, ["Location": address]), to: request)
    }
    let manager = FirebaseTests.manager(bench, server)
    await #expect(throws: ModelHostingError.status(404, message: nil)) {
      try await manager.model(FirebaseTests.model)
    }
    let token = "x-goog-firebase-installations-auth"
    #expect(server.requests[0].fields[token] == "token")
    #expect(other.requests.count == 1 && other.requests[0].fields[token] == nil)
    #expect(other.requests[0].fields["x-ios-bundle-identifier"] == nil)
  }

  @Test func continuesDownloadAfterRedirect() async throws {
    let bench = try HostingBench()
    let server = try ScriptedServer { request, number, connection throws(SocketError) in
      if request.path == "/birds.tflite" {
        return try connection.send(HTTPResponse(302, ["Location": "/file"]), to: request)
      }
      if number == 0 {
        return try connection.cut(
          "200 OK", "ETag: \"1\"\r\n", announcing: Self.bytes.count,
          sending: Array(Self.bytes[..<99_999]))
      }
      return try connection.send(
        OfferedFile(bytes: Self.bytes, tag: "1").response(request), to: request)
    }
    let model = HostingBench.fileModel(server)
    _ = try await bench.manager().model(model)
    #expect(server.requests("/file")[1].fields["Range"] == "bytes=99999-")
    #expect(bench.stored(model) == RedirectTests.bytes)
  }
}
