//===--- HTTPResponse.swift - responses of the server ---------------------===//

/// A response.
package struct HTTPResponse: Sendable {
  package let status: Int
  package let fields: HeaderFields
  package let body: [UInt8]

  package init(_ status: Int, _ fields: HeaderFields = [:], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// The encoded head; clients ignore the phrase after the status.
  func head(keepsConnection: Bool) -> [UInt8] {
    var text = "HTTP/1.1 \(status) Status\r\n"
    for field in fields.fields { text += "\(field.name): \(field.value)\r\n" }
    if status != 304 { text += "Content-Length: \(body.count)\r\n" }
    text += "Connection: \(keepsConnection ? "keep-alive" : "close")\r\n\r\n"
    return Array(text.utf8)
  }
}
