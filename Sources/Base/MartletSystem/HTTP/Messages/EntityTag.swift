//===--- EntityTag.swift - entity tags of HTTP ----------------------------===//
//
// Source    RFC 9110, sections 8.8.3 and 13.1
// Checked   Tests/MartletSystemTests/HTTP/EntityTagTests.swift
//===----------------------------------------------------------------------===//

/// An entity tag: `"…"`, or the weak form `W/"…"` for equivalent versions with different bytes.
package struct EntityTag: Hashable, Sendable {
  package let isWeak: Bool
  /// The text between the quotation marks.
  package let opaque: String

  package init(opaque: String, isWeak: Bool = false) {
    self.opaque = opaque
    self.isWeak = isWeak
  }

  /// Parses a tag of a header field; returns `nil` if it is malformed.
  package init?(_ text: String) {
    let tags = EntityTag.list(text)
    guard let tags, tags.count == 1 else { return nil }
    self = tags[0]
  }

  package var text: String { (isWeak ? "W/" : "") + "\"" + opaque + "\"" }

  /// Whether both tags are strong and equal.
  package func isStronglyEqual(to other: EntityTag) -> Bool {
    !isWeak && !other.isWeak && opaque == other.opaque
  }

  /// Whether an `If-None-Match` field contains this tag or is `*`.
  package func matches(ifNoneMatch field: String) -> Bool {
    if field.utf8.elementsEqual("*".utf8) { return true }
    return EntityTag.list(field)?.contains { $0.opaque == opaque } ?? false
  }

  /// Parses a comma-separated list of tags; returns `nil` if it is malformed.
  package static func list(_ text: String) -> [EntityTag]? {
    var rest = Array(text.utf8)[...]
    var tags: [EntityTag] = []
    while true {
      while let byte = rest.first, isSpace(byte) || byte == UInt8(ascii: ",") { rest.removeFirst() }
      if rest.isEmpty { return tags.isEmpty ? nil : tags }
      let isWeak = rest.starts(with: "W/".utf8)
      if isWeak { rest = rest.dropFirst(2) }
      guard rest.first == UInt8(ascii: "\""), let end = rest.dropFirst().firstIndex(of: 0x22) else {
        return nil
      }
      let opaque = rest[(rest.startIndex + 1)..<end]
      tags.append(EntityTag(opaque: String(decoding: opaque, as: UTF8.self), isWeak: isWeak))
      rest = rest[(end + 1)...]
      while let byte = rest.first, isSpace(byte) { rest.removeFirst() }
      guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
