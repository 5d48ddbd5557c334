//===--- FileAnswer.swift - responses with files --------------------------===//
//
// Contract  `If-None-Match` precedes `If-Modified-Since`, and both precede `Range`. `Range` counts
//           only if `If-Range` is absent or names this version. For several ranges, the whole file
//           is sent, as the standard allows.
// Source    RFC 9110, section 13.2.2
// Checked   Tests/MartletSystemTests/HTTP/FileAnswerTests.swift, and curl
//===----------------------------------------------------------------------===//

/// A file that a server offers.
package struct FileAnswer: Sendable {
  package let size: Int
  package let entityTag: EntityTag
  /// The time of its last change, in seconds since 1970.
  package let modified: Int
  package let contentType: String
  /// Returns the body of a response with a part of the file.
  package let body: @Sendable (Range<Int>) -> HTTPResponse.Body

  package init(
    size: Int, entityTag: EntityTag, modified: Int, contentType: String,
    body: @escaping @Sendable (Range<Int>) -> HTTPResponse.Body
  ) {
    self.size = size
    self.entityTag = entityTag
    self.modified = modified
    self.contentType = contentType
    self.body = body
  }

  /// A file whose bytes are in memory.
  package init(_ bytes: [UInt8], entityTag: EntityTag, modified: Int, contentType: String) {
    self.init(
      size: bytes.count, entityTag: entityTag, modified: modified, contentType: contentType
    ) { .bytes(Array(bytes[$0])) }
  }

  /// The response to a request for the file.
  package func response(to request: RequestHead, now: Int) -> HTTPResponse {
    var fields = HeaderFields()
    fields.add("ETag", entityTag.text)
    fields.add("Last-Modified", HTTPDate.text(of: modified))
    fields.add("Accept-Ranges", "bytes")
    if isKnown(to: request, now: now) { return HTTPResponse(304, fields) }
    fields.add("Content-Type", contentType)
    switch range(of: request, now: now) {
    case .whole: return HTTPResponse(200, fields, body: body(0..<size))
    case .part(let range):
      fields.add("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)")
      return HTTPResponse(206, fields, body: body(range))
    case .unsatisfiable:
      return HTTPResponse(416, ["Content-Range": "bytes */\(size)"])
    }
  }

  private func isKnown(to request: RequestHead, now: Int) -> Bool {
    if let field = request.fields["If-None-Match"] { return entityTag.matches(ifNoneMatch: field) }
    guard let field = request.fields["If-Modified-Since"],
      let date = HTTPDate.seconds(of: field, now: now)
    else { return false }
    return modified <= date
  }

  private func range(of request: RequestHead, now: Int) -> ByteRange {
    guard let field = request.fields["Range"] else { return .whole }
    if let condition = request.fields["If-Range"] {
      if let tag = EntityTag(condition) {
        guard tag.isStronglyEqual(to: entityTag) else { return .whole }
      } else if HTTPDate.seconds(of: condition, now: now) != modified {
        return .whole
      }
    }
    return ByteRange(field, size: size)
  }
}
