//===--- FlexBuffer.swift - options of custom operators -------------------===//
//
// FlexBuffers are FlatBuffers without a schema: every value carries its type. Custom operators keep
// their options in a FlexBuffer, as a map from names to numbers.
//
// Contract  Values are read completely when they are created. Numbers are converted as in LiteRT:
//           float to integer by truncation, integer to Boolean by comparison with zero.
//===----------------------------------------------------------------------===//

/// A value of a FlexBuffer.
public indirect enum FlexBuffer: Sendable, Equatable {
  /// The null value.
  case null
  /// A signed integer of any width.
  case int(Int64)
  /// An unsigned integer of any width.
  case uint(UInt64)
  /// A floating-point number of 16, 32 or 64 bits in the file.
  case float(Double)
  /// True or false.
  case bool(Bool)
  /// A string or a key.
  case string(String)
  /// Bytes that are not text.
  case blob([UInt8])
  /// Values in order, of one type or of mixed types.
  case vector([FlexBuffer])
  /// Named values, sorted by name.
  case map([Entry])

  /// A named value of a map.
  public struct Entry: Sendable, Equatable {
    /// The name by which the map is sorted.
    public let key: String
    /// The value with this name.
    public let value: FlexBuffer
  }

  /// The value of `key` in a map, or `nil` if it has no such key or this is not a map.
  public subscript(key: String) -> FlexBuffer? {
    guard case .map(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }

  /// A number as an integer, rounded toward zero, or `nil` if it is not a number or does not fit.
  public var intValue: Int? {
    switch self {
    case .int(let value): Int(exactly: value)
    case .uint(let value): Int(exactly: value)
    case .float(let value): Int(exactly: value.rounded(.towardZero))
    case .bool(let value): value ? 1 : 0
    default: nil
    }
  }

  /// A number as a float, rounded to nearest, or `nil` if it is not a number.
  public var floatValue: Float? {
    switch self {
    case .int(let value): Float(value)
    case .uint(let value): Float(value)
    case .float(let value): Float(value)
    case .bool(let value): value ? 1 : 0
    default: nil
    }
  }

  /// Whether a number differs from zero, or `nil` if it is not a number.
  public var boolValue: Bool? {
    switch self {
    case .int(let value): value != 0
    case .uint(let value): value != 0
    case .float(let value): value != 0
    case .bool(let value): value
    default: nil
    }
  }

  /// The text of a string or key, or `nil` if this is neither.
  public var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }
}

/// An error of reading a FlexBuffer.
///
/// Offsets count from the start of the FlexBuffer.
@nonexhaustive
public enum FlexBufferError: Error, Equatable, Sendable {
  /// A read of `count` bytes at `offset` would leave the `size` bytes.
  case truncated(offset: Int, count: Int, size: Int)
  /// A number at `offset` has a width that its type does not allow.
  case width(offset: Int, found: Int)
  /// The value at `offset` has an unknown type.
  case unknownType(offset: Int, found: Int)
  /// The value at `offset` is nested deeper than permitted.
  case tooDeep(offset: Int, limit: Int)
  /// The vector at `offset` exceeds the limit on values.
  case tooManyValues(offset: Int, count: UInt64, limit: Int)
  /// The string or blob at `offset` exceeds the limit on bytes of strings and blobs.
  case tooMuchText(offset: Int, count: Int, limit: Int)
  /// The string or key at `offset` is not followed by a zero byte.
  case unterminated(offset: Int)
}

extension FlexBufferError: CustomStringConvertible {
  /// The error in one sentence.
  public var description: String {
    switch self {
    case .truncated(let offset, let count, let size):
      "\(count) bytes at offset \(offset) leave the \(size) bytes of the FlexBuffer"
    case .width(let offset, let found):
      "the number at offset \(offset) of the FlexBuffer has \(found) bytes"
    case .unknownType(let offset, let found):
      "the value at offset \(offset) of the FlexBuffer has the unknown type \(found)"
    case .tooDeep(let offset, let limit):
      "the value at offset \(offset) of the FlexBuffer is nested deeper than \(limit)"
    case .tooManyValues(let offset, let count, let limit):
      "with \(count) more at offset \(offset) the FlexBuffer has over \(limit) values"
    case .tooMuchText(let offset, let count, let limit):
      "with \(count) bytes at offset \(offset) the FlexBuffer has over \(limit) bytes of text"
    case .unterminated(let offset):
      "the text at offset \(offset) of the FlexBuffer does not end"
    }
  }
}
