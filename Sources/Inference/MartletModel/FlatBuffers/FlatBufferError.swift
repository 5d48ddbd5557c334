//===--- FlatBufferError.swift - FlatBuffer errors ------------------------===//

/// The reason why bytes are not a valid FlatBuffer.
///
/// Offsets count from the start of the FlatBuffer. Each case has the value found and the limit or
/// the expected value.
@nonexhaustive
public enum FlatBufferError: Error, Equatable, Sendable {
  /// A read of `count` bytes at `offset` exceeds the `size` bytes.
  case truncated(offset: Int, count: Int, size: Int)
  /// The value at `offset` is not aligned to `alignment`.
  case misaligned(offset: Int, alignment: Int)
  /// The file identifier is not the expected one (four bytes as a little-endian integer).
  case identifier(found: UInt32, expected: UInt32)
  /// The offset stored at `offset` is zero or out of bounds: its target is `target` of `size`.
  case badOffset(offset: Int, target: Int, size: Int)
  /// The vtable at `offset` has the invalid size `size`: an odd number, or below 4.
  case vtableSize(offset: Int, size: Int)
  /// The table at `offset` has the size `size`, less than `minimum`.
  case tableSize(offset: Int, size: Int, minimum: Int)
  /// A field that ends at `end` exceeds the `size` bytes of the table at `offset`.
  case fieldOutsideTable(offset: Int, end: Int, size: Int)
  /// The string at `offset` is terminated by `found` instead of zero.
  case unterminatedString(offset: Int, found: UInt8)
  /// The table at `offset` exceeds the limit on the number of tables.
  case tooManyTables(offset: Int, limit: Int)
  /// The table at `offset` exceeds the limit on nesting.
  case tooDeep(offset: Int, limit: Int)
  /// With the `count` bytes at `offset`, vectors and strings exceed the limit on data: parts of the
  /// file are shared too often.
  case tooMuchData(offset: Int, count: Int, limit: Int)
}

extension FlatBufferError: CustomStringConvertible {
  /// The error in one sentence: what was found, and what was expected.
  public var description: String {
    switch self {
    case .truncated(let offset, let count, let size):
      "\(count) bytes at offset \(offset) pass the end at \(size)"
    case .misaligned(let offset, let alignment):
      "offset \(offset) is not a multiple of \(alignment)"
    case .identifier(let found, let expected):
      "bytes 4 to 7 are \(characters(of: found)), expected \(characters(of: expected))"
    case .badOffset(let offset, let target, let size):
      "the offset at \(offset) leads to \(target) of \(size) bytes"
    case .vtableSize(let offset, let size):
      "the field table at offset \(offset) has the invalid size \(size)"
    case .tableSize(let offset, let size, let minimum):
      "the table at offset \(offset) has \(size) bytes, expected at least \(minimum)"
    case .fieldOutsideTable(let offset, let end, let size):
      "a field of the table at offset \(offset) ends at \(end) of its \(size) bytes"
    case .unterminatedString(let offset, let found):
      "the string at offset \(offset) ends with \(found), expected 0"
    case .tooManyTables(let offset, let limit):
      "the table at offset \(offset) exceeds the limit of \(limit) tables"
    case .tooDeep(let offset, let limit):
      "the table at offset \(offset) is nested deeper than \(limit)"
    case .tooMuchData(let offset, let count, let limit):
      "the \(count) bytes at offset \(offset) exceed the limit of \(limit) bytes to read"
    }
  }
}

/// Four bytes in quotation marks, the lowest first, with a period for each that is not printable
/// ASCII.
private func characters(of identifier: UInt32) -> String {
  let bytes = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: identifier >> $0) }
  let text = bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }
  return "\"" + String(decoding: text, as: UTF8.self) + "\""
}
