//===--- ByteRange.swift - byte ranges of HTTP ----------------------------===//
//
// Source    RFC 9110, section 14
// Checked   Tests/MartletSystemTests/HTTP/ByteRangeTests.swift
//===----------------------------------------------------------------------===//

/// The `Range` field of a request, for a file of a known size.
package enum ByteRange: Equatable, Sendable {
  /// The whole file. The field has another unit or form, or requests several parts, which a server
  /// may ignore.
  case whole
  case part(Range<Int>)
  /// The range contains no byte of the file.
  case unsatisfiable

  package init(_ field: String, size: Int) {
    self = .whole
    guard field.lowercased().hasPrefix("bytes=") else { return }
    let text = field.dropFirst("bytes=".count).filter { $0 != " " && $0 != "\t" }
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy(isDigit) }) else { return }
    // A number that overflows is beyond the end of every file.
    let numbers = ends.map { $0.isEmpty ? nil : Int($0) ?? Int.max }
    switch (numbers[0], numbers[1]) {
    case (let first?, let last?):
      guard first <= last else { return }
      self = first < size ? .part(first..<min(last, size - 1) + 1) : .unsatisfiable
    case (let first?, nil):
      self = first < size ? .part(first..<size) : .unsatisfiable
    case (nil, let count?):
      self = count > 0 && size > 0 ? .part(max(0, size - min(count, size))..<size) : .unsatisfiable
    case (nil, nil): return
    }
  }
}

/// The `Content-Range` field of a response: `bytes 200-999/1000`.
package struct ContentRange: Equatable, Sendable {
  /// The range of the body in the file; `nil` if the requested range is unsatisfiable.
  package let bytes: Range<Int>?
  /// The size of the file; `nil` if unknown.
  package let size: Int?

  /// Parses the field; returns `nil` if it is malformed.
  package init?(_ field: String) {
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
    text.utf8.allSatisfy(isDigit) ? Int(text) : nil
  }
}

private func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
