import Foundation
import MartletTestServer
import Testing

private let date = "Sun, 06 Nov 1994 08:49:37 GMT"

/// The rules of RFC 9110 that downloads rely on.
@Suite struct OfferedFileTests {
  static func request(_ path: String, _ fields: [String] = []) throws -> RequestHead {
    let lines = ["GET \(path) HTTP/1.1", "Host: x"] + fields
    return try #require(RequestHead(lines.joined(separator: "\r\n")))
  }

  /// Each case: fields of the request; status, `Content-Range` and body of the response.
  @Test(
    arguments: [
      ([], 200, nil, "0123456789"),
      (["If-None-Match: \"v1\""], 304, nil, ""),
      (["If-None-Match: \"v0\""], 200, nil, "0123456789"),
      (["If-None-Match: \"v1\"", "Range: bytes=1-"], 304, nil, ""),
      (["If-Modified-Since: \(date)"], 304, nil, ""),
      (["If-Modified-Since: Sun, 06 Nov 1994 08:49:36 GMT"], 200, nil, "0123456789"),
      (["If-Modified-Since: \(date)", "If-None-Match: \"v0\""], 200, nil, "0123456789"),
      (["Range: bytes=7-"], 206, "bytes 7-9/10", "789"),
      (["Range: bytes=10-"], 416, "bytes */10", ""),
      (["Range: bytes=0-1,5-6"], 200, nil, "0123456789"),
      (["Range: bytes=7-", "If-Range: \"v1\""], 206, "bytes 7-9/10", "789"),
      (["Range: bytes=7-", "If-Range: \(date)"], 206, "bytes 7-9/10", "789"),
      (["Range: bytes=7-", "If-Range: \"v0\""], 200, nil, "0123456789"),
      (["Range: bytes=7-", "If-Range: W/\"v1\""], 200, nil, "0123456789"),
    ] as [([String], Int, String?, String)])
  func answersConditionsAndRanges(
    _ fields: [String], _ status: Int, _ range: String?, _ body: String
  ) throws {
    let file = OfferedFile(bytes: Array("0123456789".utf8), tag: "v1")
    let response = file.response(try OfferedFileTests.request("/a", fields))
    #expect(response.status == status && response.fields["Content-Range"] == range)
    #expect(String(decoding: response.body, as: UTF8.self) == body)
  }

  @Test func folderOffersItsFilesOnly() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())")
    let inner = url.appending(path: "inner/a b")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    try Data("1".utf8).write(to: inner.appending(path: "c:d"))
    try Data("2".utf8).write(to: url.appending(path: "secret"))
    let folder = OfferedFolder(url.appending(path: "inner"))
    let file = folder.response(try OfferedFileTests.request("/a%20b/c:d?key=x"))
    #expect(file.status == 200 && file.body == Array("1".utf8))
    for path in ["/", "/a%20b", "/none", "/../secret", "/%2E%2E/secret"] {
      #expect(folder.response(try OfferedFileTests.request(path)).status == 404, "\(path)")
    }
    // A replaced file is another version.
    let tag = file.fields["ETag"]
    try Data("3".utf8).write(to: inner.appending(path: "c:d"), options: .atomic)
    let changed = try OfferedFileTests.request("/a%20b/c:d", ["If-None-Match: \(tag ?? "")"])
    #expect(folder.response(changed).body == Array("3".utf8))
  }
}
