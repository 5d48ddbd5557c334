//===--- OfferedFile.swift - files that a server offers -------------------===//
//
// Contract  As nginx does: `If-None-Match` precedes `If-Modified-Since`, and both precede `Range`.
//           `Range` counts only if `If-Range` is absent or names this version. Tags and dates must
//           be equal as text. Only ranges up to the end of the file are supported (`bytes=200-`);
//           for others the whole file is sent, as the standard allows.
// Source    RFC 9110, section 13.2.2
//===----------------------------------------------------------------------===//

import Foundation
import MartletBase

/// A file that a server offers.
package struct OfferedFile: Sendable {
  package let bytes: [UInt8]
  /// The entity tag without its quotation marks.
  package let tag: String

  private static let modified = "Sun, 06 Nov 1994 08:49:37 GMT"

  package init(bytes: [UInt8], tag: String) {
    self.bytes = bytes
    self.tag = tag
  }

  /// The response to a request for the file.
  package func response(_ request: RequestHead) -> HTTPResponse {
    let validators = ["\"\(tag)\"", OfferedFile.modified]
    var fields: HeaderFields = [
      "ETag": validators[0], "Last-Modified": validators[1], "Accept-Ranges": "bytes",
    ]
    let known = request.fields["If-None-Match"] ?? request.fields["If-Modified-Since"]
    if let known, validators.contains(known) { return HTTPResponse(304, fields) }
    guard let start = start(request),
      request.fields["If-Range"].map(validators.contains) ?? true
    else { return HTTPResponse(200, fields, body: bytes) }
    guard start < bytes.count else {
      return HTTPResponse(416, ["Content-Range": "bytes */\(bytes.count)"])
    }
    fields.add("Content-Range", "bytes \(start)-\(bytes.count - 1)/\(bytes.count)")
    return HTTPResponse(206, fields, body: Array(bytes[start...]))
  }

  /// The first requested byte; `nil` for the whole file.
  private func start(_ request: RequestHead) -> Int? {
    guard let range = request.fields["Range"], range.hasPrefix("bytes="), range.hasSuffix("-")
    else { return nil }
    return Int(range.dropFirst("bytes=".count).dropLast())
  }
}

/// The files of a folder, as a static server offers them.
package struct OfferedFolder: Sendable {
  package let url: URL

  package init(_ url: URL) { self.url = url }

  /// The response to a request for a file of the folder.
  package func response(_ request: RequestHead) -> HTTPResponse {
    guard let path = request.path.removingPercentEncoding,
      !path.split(separator: "/").contains(".."),
      let bytes = try? Data(contentsOf: url.appending(path: path))
    else { return HTTPResponse(404, body: Array("there is no such file\n".utf8)) }
    let tag = SHA256.digest(of: Array(bytes)).hexadecimal
    return OfferedFile(bytes: Array(bytes), tag: tag).response(request)
  }
}
