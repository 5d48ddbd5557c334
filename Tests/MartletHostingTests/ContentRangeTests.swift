import Testing

@testable import MartletHosting

@Suite struct ContentRangeTests {
  @Test(
    arguments: [
      ("bytes 42-1233/1234", 42..<1234, 1234), ("bytes 42-1233/*", 42..<1234, nil),
      ("bytes */1234", nil, 1234),
    ] as [(String, Range<Int>?, Int?)])
  func parsesRangeAndSize(_ field: String, _ bytes: Range<Int>?, _ size: Int?) throws {
    let range = try #require(ContentRange(field))
    #expect(range.bytes == bytes && range.size == size)
  }

  @Test(arguments: [
    "", "bytes", "bytes 1-2", "bytes 2-1/5", "bytes 1-5/5", "bytes 1-/5", "bytes -1/5",
    "lines 1-2/5", "bytes 1-2/x", "bytes 1-99999999999999999999/*", "bytes +1-2/5",
  ])
  func rejectsInvalidFields(_ field: String) { #expect(ContentRange(field) == nil) }
}
