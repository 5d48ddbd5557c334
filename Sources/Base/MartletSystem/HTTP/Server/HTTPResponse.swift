//===--- HTTPResponse.swift - responses of a server -----------------------===//
//
// Checked   Tests/MartletSystemTests/HTTP/HTTPServerTests.swift
//===----------------------------------------------------------------------===//

/// A response.
package struct HTTPResponse: Sendable {
  /// The body of a response.
  package enum Body: Sendable {
    case bytes([UInt8])
    /// A part of a file.
    case file(ReadableFile, Range<Int>)

    package var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .file(_, let range): range.count
      }
    }
  }

  package var status: Int
  package var fields: HeaderFields
  package var body: Body

  package init(_ status: Int, _ fields: HeaderFields = HeaderFields(), body: Body = .bytes([])) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// A response with a line of text.
  package init(_ status: Int, _ fields: KeyValuePairs<String, String> = [:], text: String) {
    self.init(status, fields, body: .bytes(Array((text + "\n").utf8)))
    self.fields.add("Content-Type", "text/plain; charset=utf-8")
  }

  package init(_ status: Int, _ fields: KeyValuePairs<String, String>, body: Body = .bytes([])) {
    self.init(status, HeaderFields(fields), body: body)
  }

  /// Whether a response with this status may have a body.
  var hasBody: Bool { status >= 200 && status != 204 && status != 304 }

  /// The encoded head.
  func head(date: Int, keepsConnection: Bool) -> [UInt8] {
    var text = "HTTP/1.1 \(status) \(HTTPResponse.reasons[status] ?? "Status")\r\n"
    text += "Date: \(HTTPDate.text(of: date))\r\n"
    for field in fields.fields { text += "\(field.name): \(field.value)\r\n" }
    if hasBody { text += "Content-Length: \(body.count)\r\n" }
    text += "Connection: \(keepsConnection ? "keep-alive" : "close")\r\n\r\n"
    return Array(text.utf8)
  }

  private static let reasons = [
    200: "OK", 206: "Partial Content", 301: "Moved Permanently", 302: "Found",
    304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request",
    401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    408: "Request Timeout", 413: "Content Too Large", 414: "URI Too Long",
    416: "Range Not Satisfiable", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 503: "Service Unavailable", 505: "HTTP Version Not Supported",
  ]
}
