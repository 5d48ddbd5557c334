//===--- RequestHead.swift - the head of a request ------------------------===//

/// Header fields in order; names are case-insensitive.
package struct HeaderFields: Sendable, ExpressibleByDictionaryLiteral {
  private(set) var fields: [(name: String, value: String)]

  package init(dictionaryLiteral fields: (String, String)...) {
    self.fields = fields.map { (name: $0, value: $1) }
  }

  /// Appends a field.
  package mutating func add(_ name: String, _ value: String) { fields.append((name, value)) }

  /// The value of a field; `nil` if it is missing.
  package subscript(name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// The head of a request without a body.
package struct RequestHead: Sendable {
  /// The path before the query, percent-encoded.
  package let path: String
  /// The text after the question mark, if there is one.
  package let query: String?
  package let fields: HeaderFields

  /// Whether the client may send more requests on this connection.
  var keepsConnection: Bool { fields["Connection"]?.lowercased() != "close" }

  /// Parses the head of a GET request; returns `nil` for other text.
  package init?(_ text: String) {
    let lines = text.split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3, words[0] == "GET", words[1].hasPrefix("/"), words[2] == "HTTP/1.1"
    else { return nil }
    let target = words[1].split(separator: "?", maxSplits: 1)
    path = String(target[0])
    query = target.count > 1 ? String(target[1]) : nil
    var fields: HeaderFields = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      fields.add(String(parts[0]), String(parts[1].drop { $0 == " " }))
    }
    self.fields = fields
  }
}
