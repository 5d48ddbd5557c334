//===--- ContentRange.swift - the part of a file in a response ------------===//
//
// Source    RFC 9110, section 14.4
//===----------------------------------------------------------------------===//

/// The `Content-Range` field of a response: `bytes 200-999/1000`.
struct ContentRange: Equatable, Sendable {
  /// The range of the body in the file; `nil` if the requested range is unsatisfiable.
  let bytes: Range<Int>?
  /// The size of the file; `nil` if unknown.
  let size: Int?

  /// Parses the field; returns `nil` if it is malformed.
  init?(_ field: String) {
    let words = field.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    size = ContentRange.number(parts[1])
    guard size != nil || parts[1] == "*" else { return nil }
    if parts[0] == "*" {
      bytes = nil
      return
    }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = ContentRange.number(ends[0]),
      let last = ContentRange.number(ends[1]), first <= last, last < size ?? Int.max
    else { return nil }
    bytes = first..<last + 1
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      ? Int(text) : nil
  }
}
