import MartletSystem
import Testing

@Suite struct ByteRangeTests {
  /// The examples of RFC 9110, section 14.1.2, for a file of 10000 bytes, and edge cases.
  @Test(arguments: [
    ("bytes=0-499", ByteRange.part(0..<500)), ("bytes=500-999", .part(500..<1000)),
    ("bytes=-500", .part(9500..<10000)), ("bytes=9500-", .part(9500..<10000)),
    ("bytes=0-0", .part(0..<1)), ("bytes=-20000", .part(0..<10000)),
    ("bytes=9999-10000000", .part(9999..<10000)), ("BYTES= 1 - 2 ", .part(1..<3)),
    ("bytes=0-99999999999999999999", .part(0..<10000)),
    ("bytes=10000-", .unsatisfiable), ("bytes=10000-10001", .unsatisfiable),
    ("bytes=-0", .unsatisfiable), ("bytes=99999999999999999999-", .unsatisfiable),
    ("bytes=5-4", .whole), ("bytes=0-0,-1", .whole), ("bytes=", .whole), ("bytes=-", .whole),
    ("bytes=a-b", .whole), ("bytes=--1", .whole), ("bytes=+1-2", .whole), ("lines=1-2", .whole),
    ("", .whole),
  ])
  func parsesRangesAsRFC9110Specifies(_ field: String, _ range: ByteRange) {
    #expect(ByteRange(field, size: 10000) == range)
  }

  @Test func rangeOfAnEmptyFileIsUnsatisfiable() {
    #expect(ByteRange("bytes=0-", size: 0) == .unsatisfiable)
    #expect(ByteRange("bytes=-5", size: 0) == .unsatisfiable)
  }

  @Test func parsesContentRanges() throws {
    let range = try #require(ContentRange("bytes 42-1233/1234"))
    #expect(range.bytes == 42..<1234 && range.size == 1234)
    let unknown = try #require(ContentRange("bytes 42-1233/*"))
    #expect(unknown.bytes == 42..<1234 && unknown.size == nil)
    let none = try #require(ContentRange("bytes */1234"))
    #expect(none.bytes == nil && none.size == 1234)
  }

  @Test(arguments: [
    "", "bytes", "bytes 1-2", "bytes 2-1/5", "bytes 1-5/5", "bytes 1-/5", "bytes -1/5",
    "lines 1-2/5", "bytes 1-2/x", "bytes 1-99999999999999999999/*", "bytes +1-2/5",
  ])
  func rejectsInvalidContentRanges(_ field: String) { #expect(ContentRange(field) == nil) }
}
