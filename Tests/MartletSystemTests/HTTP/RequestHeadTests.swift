import MartletSystem
import MartletTestSupport
import Testing

@Suite struct RequestHeadTests {
  static func head(_ text: String) throws -> RequestHead {
    try RequestHead(Array(text.replacing("\n", with: "\r\n").utf8))
  }

  @Test func parsesARequest() throws {
    let head = try RequestHeadTests.head(
      "GET /a%20b/c?x=1&y=%41 HTTP/1.1\nHost: here:80\nAccept:  a\naccept: b \n\n")
    #expect(head.method == "GET" && head.path == "/a%20b/c" && head.query == "x=1&y=%41")
    #expect(head.fields["ACCEPT"] == "a, b" && head.fields["host"] == "here:80")
    #expect(head.fields["Range"] == nil && head.keepsConnection)
    #expect(head.steps == ["a b", "c"])
    #expect(head.parameter("x") == "1" && head.parameter("y") == "A")
    #expect(head.parameter("z") == nil)
  }

  @Test func acceptsAbsoluteAddresses() throws {
    let head = try RequestHeadTests.head("GET http://here/x HTTP/1.1\nHost: here\n\n")
    #expect(head.path == "/x")
    #expect(try RequestHeadTests.head("GET http://here HTTP/1.1\nHost: here\n\n").path == "/")
  }

  @Test func http10ClosesConnectionsByDefault() throws {
    #expect(try !RequestHeadTests.head("GET / HTTP/1.0\n\n").keepsConnection)
    #expect(
      try RequestHeadTests.head("GET / HTTP/1.0\nConnection: Keep-Alive\n\n").keepsConnection)
    #expect(
      try !RequestHeadTests.head("GET / HTTP/1.1\nHost: a\nConnection: close\n\n")
        .keepsConnection)
  }

  @Test(arguments: [
    ("\n", RequestError.malformed), ("GET / HTTP/1.1\n\n", .malformed),
    ("GET / HTTP/1.1\nHost: a\nHost: b\n\n", .malformed),
    ("GET  / HTTP/1.1\nHost: a\n\n", .malformed), ("GET /\nHost: a\n\n", .malformed),
    (" GET / HTTP/1.1\nHost: a\n\n", .malformed), ("G{T / HTTP/1.1\nHost: a\n\n", .malformed),
    ("GET x HTTP/1.1\nHost: a\n\n", .malformed), ("GET * HTTP/1.1\nHost: a\n\n", .malformed),
    ("GET /\u{1} HTTP/1.1\nHost: a\n\n", .malformed), ("GET /é HTTP/1.1\nHost: a\n\n", .malformed),
    ("GET / HTTP/2.0\nHost: a\n\n", .version), ("GET / HTTP/1.1x\nHost: a\n\n", .malformed),
    ("GET / XTTP/1.1\nHost: a\n\n", .malformed), ("GET / HTTP/1.1\nHost : a\n\n", .malformed),
    ("GET / HTTP/1.1\nHost: a\n b\n\n", .malformed), ("GET / HTTP/1.1\n: a\n\n", .malformed),
    ("GET / HTTP/1.1\nHost: a\u{0}\n\n", .malformed), ("GET / HTTP/1.1\nHost\n\n", .malformed),
    ("GET / HTTP/1.1\nHost: a\nContent-Length: 3\n\n", .hasBody),
    ("GET / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n", .hasBody),
    ("POST / HTTP/1.1\nHost: a\n\n", .method), ("OPTIONS * HTTP/1.1\nHost: a\n\n", .method),
  ])
  func refusesInvalidRequests(_ text: String, _ error: RequestError) {
    #expect(throws: error) { try RequestHeadTests.head(text) }
  }

  @Test(arguments: [
    RequestError.malformed, .method, .timedOut, .hasBody, .targetTooLong, .fieldsTooLarge, .version,
  ])
  func errorsAreSentences(_ error: RequestError) {
    #expect("\(error)".hasPrefix("the ") && "\(error)".split(separator: " ").count > 3)
  }

  @Test func requiresCarriageReturnAndLineFeed() {
    #expect(throws: RequestError.malformed) {
      try RequestHead(Array("GET / HTTP/1.1\nHost: a\n\n".utf8))
    }
  }

  @Test func limitsLinesAndFields() {
    let path = String(repeating: "a", count: RequestHead.maximumLineSize)
    #expect(throws: RequestError.targetTooLong) {
      try RequestHeadTests.head("GET /\(path) HTTP/1.1\nHost: a\n\n")
    }
    let fields = String(repeating: "A: b\n", count: RequestHead.maximumFieldCount)
    #expect(throws: RequestError.fieldsTooLarge) {
      try RequestHeadTests.head("GET / HTTP/1.1\nHost: a\n\(fields)\n")
    }
  }

  @Test(arguments: [
    "/..", "/../x", "/a/../b", "/./a", "//a", "/a//b", "/%2e%2e/x", "/a%2fb", "/a%00", "/%ff",
    "/%4", "/%zz", "/%+1", "/a/",
  ])
  func rejectsPathsWithUnsafeSteps(_ path: String) throws {
    #expect(try RequestHeadTests.head("GET \(path) HTTP/1.1\nHost: a\n\n").steps == nil)
  }

  @Test func rootHasNoSteps() throws {
    #expect(try RequestHeadTests.head("GET / HTTP/1.1\nHost: a\n\n").steps == [])
  }

  /// Pseudorandom changes of a valid request never trap.
  @Test func damagedRequestsNeverTrap() {
    let good = Array("GET /a%20b?x=1 HTTP/1.1\r\nHost: a\r\nRange: bytes=1-2\r\n\r\n".utf8)
    var random = SplitMix64(seed: 7)
    for _ in 0..<20_000 {
      var bytes = good
      for _ in 0...random.next() % 3 {
        let index = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 3 {
        case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: index)
        default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: index)
        }
      }
      if let head = try? RequestHead(bytes) { _ = (head.steps, head.parameter("x")) }
    }
  }
}
