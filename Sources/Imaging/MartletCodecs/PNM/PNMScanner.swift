//===--- PNMScanner.swift - tokens of a PNM file --------------------------===//
//
// Tokens are separated by white space. "#" begins a comment, which ends with the line and counts as
// white space.
//===----------------------------------------------------------------------===//

/// Reads the text parts of a PNM file.
struct PNMScanner {
  private let bytes: [UInt8]
  /// The offset of the next byte.
  private(set) var offset: Int

  init(_ bytes: [UInt8], at offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  /// The next byte; `nil` at the end.
  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Space, tab, line feed, vertical tab, form feed, carriage return.
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Skips white space and comments.
  mutating func skipSpace() {
    while let byte = next {
      if byte == UInt8(ascii: "#") {
        while let inside = next, inside != 0x0A, inside != 0x0D { offset += 1 }
      } else if Self.isSpace(byte) {
        offset += 1
      } else {
        return
      }
    }
  }

  /// Skips white space and reads a number of up to nine digits.
  mutating func number() throws(PNMError) -> Int {
    skipSpace()
    let start = offset
    var value = 0
    while let byte = next, Self.isDigit(byte) {
      guard offset - start < 9 else { throw .badNumber(offset: start) }
      value = value * 10 + Int(byte - 0x30)
      offset += 1
    }
    guard offset > start else { throw failure(at: start) }
    return value
  }

  /// Reads a single digit; no separator is needed after it.
  mutating func digit() throws(PNMError) -> Int {
    guard let byte = next, Self.isDigit(byte) else { throw failure(at: offset) }
    offset += 1
    return Int(byte - 0x30)
  }

  /// Skips to the next digit; returns the offset of the first byte that is neither white space nor in
  /// a comment.
  mutating func skipToDigit() -> Int? {
    var stray: Int?
    while true {
      skipSpace()
      guard let byte = next, !Self.isDigit(byte) else { return stray }
      stray = stray ?? offset
      offset += 1
    }
  }

  /// Skips white space and reads the characters up to the next white space.
  mutating func word() -> ArraySlice<UInt8> {
    skipSpace()
    let start = offset
    while let byte = next, !Self.isSpace(byte) { offset += 1 }
    return bytes[start..<offset]
  }

  /// Skips the rest of the line.
  mutating func skipLine() {
    while let byte = next, byte != 0x0A { offset += 1 }
  }

  /// Skips the single white space between the header and the samples.
  mutating func skipOneSpace() throws(PNMError) {
    guard let byte = next, Self.isSpace(byte) else { throw failure(at: offset) }
    offset += 1
  }

  private func failure(at start: Int) -> PNMError {
    start < bytes.count
      ? .badNumber(offset: start) : .truncated(offset: start, count: 1, fileSize: bytes.count)
  }
}
