//===--- RequestHead.swift - parsing of requests --------------------------===//
//
// Parses the request line and the fields as strictly as the standard allows. A malformed request
// gets an error response.
//
// Contract  Any bytes return a head or throw a `RequestError` with the status of the response.
// Source    RFC 9112
// Checked   Tests/MartletSystemTests/HTTP/RequestHeadTests.swift
//===----------------------------------------------------------------------===//

/// An error in a request; the raw value is the status of the response.
package enum RequestError: Int, Error, Equatable, Sendable {
  case malformed = 400
  /// The method is not in `RequestHead.methods`.
  case method = 405
  case timedOut = 408
  case hasBody = 413
  case targetTooLong = 414
  case fieldsTooLarge = 431
  case version = 505
}

extension RequestError: CustomStringConvertible {
  /// The error in one sentence.
  package var description: String {
    switch self {
    case .malformed: "the request is malformed"
    case .method: "the method is none of \(RequestHead.methods.joined(separator: ", "))"
    case .timedOut: "the request did not come in time"
    case .hasBody: "the request has a body, which is not read"
    case .targetTooLong:
      "the request's first line has more than \(RequestHead.maximumLineSize) bytes"
    case .fieldsTooLarge:
      "the request's head has more than \(RequestHead.maximumSize) bytes or "
        + "\(RequestHead.maximumFieldCount) fields"
    case .version: "the request's version is not HTTP/1.x"
    }
  }
}

/// The head of a request.
package struct RequestHead: Sendable, Equatable {
  /// The supported methods.
  package static let methods = ["GET", "HEAD"]
  /// The largest size of the request line in bytes.
  package static let maximumLineSize = 8 << 10
  /// The largest size of a head in bytes.
  package static let maximumSize = 16 << 10
  /// The largest number of fields.
  package static let maximumFieldCount = 100

  package let method: String
  /// The path before the query, percent-encoded.
  package let path: String
  /// The text after the question mark, if there is one.
  package let query: String?
  package let fields: HeaderFields
  /// Whether the client may send more requests on this connection.
  package let keepsConnection: Bool

  /// Parses a head; `bytes` end with the empty line.
  package init(_ bytes: [UInt8]) throws(RequestError) {
    var lines = try RequestHead.lines(bytes)
    let line = lines.removeFirst()
    guard line.count <= RequestHead.maximumLineSize else { throw .targetTooLong }
    guard lines.count <= RequestHead.maximumFieldCount else { throw .fieldsTooLarge }
    let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 3, !words[0].isEmpty, words[0].utf8.allSatisfy(RequestHead.isToken) else {
      throw .malformed
    }
    guard RequestHead.methods.contains(words[0]) else { throw .method }
    method = words[0]
    (path, query) = try RequestHead.target(words[1])
    let isLatest = try RequestHead.isLatest(version: words[2])
    var fields = HeaderFields()
    for line in lines { try RequestHead.add(line, to: &fields) }
    guard fields.all("Host").count == 1 || (!isLatest && fields["Host"] == nil) else {
      throw .malformed
    }
    let options = fields["Connection"]?.lowercased().split { $0 == "," || $0 == " " } ?? []
    keepsConnection = isLatest ? !options.contains("close") : options.contains("keep-alive")
    self.fields = fields
    if fields["Transfer-Encoding"] != nil { throw .hasBody }
    if let length = fields["Content-Length"], length != "0" { throw .hasBody }
  }

  private static func lines(_ bytes: [UInt8]) throws(RequestError) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: 0x0A) {
      guard end > rest.startIndex, rest[end - 1] == 0x0D else { throw .malformed }
      let line = rest[rest.startIndex..<end - 1]
      rest = rest[(end + 1)...]
      if line.isEmpty {
        guard rest.isEmpty, !lines.isEmpty else { throw .malformed }
        return lines
      }
      lines.append(line)
    }
    throw .malformed
  }

  /// Returns path and query of `/path?query` or `http://host/path?query`.
  private static func target(_ text: String) throws(RequestError) -> (String, String?) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .malformed }
    var origin = text[...]
    if origin.lowercased().hasPrefix("http://") {
      let behind = origin.dropFirst("http://".count)
      origin = behind.firstIndex(of: "/").map { behind[$0...] } ?? "/"
    }
    guard origin.hasPrefix("/") else { throw .malformed }
    let parts = origin.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
  }

  /// Whether the version is 1.1 or a later 1.x.
  private static func isLatest(version: String) throws(RequestError) -> Bool {
    let bytes = Array(version.utf8)
    guard bytes.count == 8, version.hasPrefix("HTTP/"), bytes[6] == UInt8(ascii: "."),
      let major = version.dropFirst(5).first?.wholeNumberValue,
      let minor = version.last?.wholeNumberValue
    else { throw .malformed }
    guard major == 1 else { throw .version }
    return minor >= 1
  }

  private static func add(
    _ line: ArraySlice<UInt8>, to fields: inout HeaderFields
  ) throws(RequestError) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(isToken)
    else { throw .malformed }
    var value = line[(colon + 1)...]
    while let byte = value.first, byte == 0x20 || byte == 0x09 { value.removeFirst() }
    while let byte = value.last, byte == 0x20 || byte == 0x09 { value.removeLast() }
    guard value.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else { throw .malformed }
    fields.add(
      String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

extension RequestHead {
  /// The decoded components of the path. `nil` if they are not UTF-8, or one is empty, `.` or `..`,
  /// or contains a slash or a zero byte.
  package var steps: [String]? {
    var steps: [String] = []
    for step in path.utf8.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false) {
      guard let decoded = RequestHead.decoded(Array(step)), !decoded.isEmpty, decoded != ".",
        decoded != "..", !decoded.utf8.contains(0), !decoded.utf8.contains(0x2F)
      else { return path == "/" ? [] : nil }
      steps.append(decoded)
    }
    return steps
  }

  /// The decoded value of a query parameter; `nil` if absent.
  package func parameter(_ name: String) -> String? {
    for pair in query?.utf8.split(separator: UInt8(ascii: "&")) ?? [] {
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      if RequestHead.decoded(Array(parts[0])) == name {
        return parts.count > 1 ? RequestHead.decoded(Array(parts[1])) : ""
      }
    }
    return nil
  }

  private static func decoded(_ bytes: [UInt8]) -> String? {
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "%") else {
        result.append(bytes[index])
        index += 1
        continue
      }
      guard index + 2 < bytes.count, bytes[(index + 1)...(index + 2)].allSatisfy(isHexadecimal),
        let byte = UInt8(
          String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
      else { return nil }
      result.append(byte)
      index += 3
    }
    return String(validating: result, as: UTF8.self)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
