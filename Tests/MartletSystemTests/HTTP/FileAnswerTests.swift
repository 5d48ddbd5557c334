import MartletSystem
import Testing

@Suite struct FileAnswerTests {
  static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
  static let file = FileAnswer(
    Array("0123456789".utf8), entityTag: EntityTag(opaque: "v1"), modified: 784_111_777,
    contentType: "text/plain")

  static func answer(_ fields: String...) throws -> (Int, String?, String) {
    let head = try RequestHead(
      Array(("GET / HTTP/1.1\r\nHost: x\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n").utf8))
    let response = file.response(to: head, now: 784_111_999)
    guard case .bytes(let body) = response.body else { return (0, nil, "") }
    return (
      response.status, response.fields["Content-Range"], String(decoding: body, as: UTF8.self)
    )
  }

  @Test func returnsWholeFiles() throws {
    #expect(try FileAnswerTests.answer() == (200, nil, "0123456789"))
  }

  @Test(arguments: ["\"v1\"", "W/\"v1\"", "\"v0\", \"v1\"", "*"])
  func omitsTheBodyOfKnownVersions(_ tags: String) throws {
    #expect(try FileAnswerTests.answer("If-None-Match: \(tags)").0 == 304)
    #expect(try FileAnswerTests.answer("If-None-Match: \(tags)", "Range: bytes=1-2").0 == 304)
  }

  @Test func tagsTakePrecedenceOverDates() throws {
    let since = "If-Modified-Since: \(FileAnswerTests.date)"
    #expect(try FileAnswerTests.answer(since).0 == 304)
    #expect(try FileAnswerTests.answer(since, "If-None-Match: \"v0\"").0 == 200)
    #expect(
      try FileAnswerTests.answer("If-Modified-Since: Sun, 06 Nov 1994 08:49:36 GMT").0 == 200)
    #expect(try FileAnswerTests.answer("If-Modified-Since: yesterday").0 == 200)
  }

  @Test func returnsPartsWithContentRange() throws {
    #expect(try FileAnswerTests.answer("Range: bytes=2-4") == (206, "bytes 2-4/10", "234"))
    #expect(try FileAnswerTests.answer("Range: bytes=-3") == (206, "bytes 7-9/10", "789"))
    #expect(try FileAnswerTests.answer("Range: bytes=10-") == (416, "bytes */10", ""))
    #expect(try FileAnswerTests.answer("Range: bytes=0-1,5-6") == (200, nil, "0123456789"))
  }

  @Test(arguments: [
    ("\"v1\"", 206), ("W/\"v1\"", 200), ("\"v0\"", 200), (FileAnswerTests.date, 206),
    ("Sun, 06 Nov 1994 08:49:38 GMT", 200), ("nonsense", 200),
  ])
  func ifRangeReturnsPartsOfTheSameVersionOnly(_ condition: String, _ status: Int) throws {
    #expect(
      try FileAnswerTests.answer("Range: bytes=2-4", "If-Range: \(condition)").0 == status)
  }
}
