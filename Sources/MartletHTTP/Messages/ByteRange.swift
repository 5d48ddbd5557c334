//===--- ByteRange.swift - parts of files in requests and answers ---------===//
//
// Source    RFC 9110, section 14
// Checked   Tests/MartletHTTPTests/ByteRangeTests.swift
//===----------------------------------------------------------------------===//

/// What a request's `Range` asks for of a file of a known size.
package enum ByteRange: Equatable, Sendable {
  /// The whole file: the field is of another unit or form, or asks for several parts, which a server
  /// is free not to serve.
  case whole
  case part(Range<Int>)
  /// No byte of the file is in the range.
  case unsatisfiable

  package init(_ field: String, size: Int) {
    self = .whole
    guard field.lowercased().hasPrefix("bytes=") else { return }
    let text = field.dropFirst("bytes=".count).filter { $0 != " " && $0 != "\t" }
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy(isDigit) }) else { return }
    // Numbers beyond what an integer holds lie behind every file's end.
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

/// What an answer's `Content-Range` says of its body: `bytes 200-999/1000`.
package struct ContentRange: Equatable, Sendable {
  /// Where the body lies in the file; `nil` in an answer that the range is unsatisfiable.
  package let bytes: Range<Int>?
  /// The file's size, if it is known.
  package let size: Int?

  /// `nil` of a text of another form.
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
