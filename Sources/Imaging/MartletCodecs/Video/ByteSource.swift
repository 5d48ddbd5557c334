//===--- ByteSource.swift - bytes in pieces -------------------------------===//
//
// The input of video readers: a file or a pipe that delivers one piece after another, so memory
// holds only a frame and a piece.
//
// Checked   Tests/MartletCodecsTests/ByteSourceTests.swift
//===----------------------------------------------------------------------===//

/// A stream of bytes, read in order.
public struct ByteSource {
  private let next: () -> [UInt8]
  private var buffer: [UInt8] = []
  /// The index in the buffer of the next byte.
  private var start = 0
  /// The number of bytes taken so far.
  public private(set) var offset = 0
  private var isAtEnd = false

  /// A source that calls `next` for each piece. An empty array marks the end.
  public init(next: @escaping () -> [UInt8]) { self.next = next }

  /// A source with the bytes of an array.
  public init(_ bytes: [UInt8]) {
    buffer = bytes
    isAtEnd = true
    next = { [] }
  }

  /// The byte `distance` after the next one, without taking it; `nil` after the end.
  mutating func peek(_ distance: Int = 0) -> UInt8? {
    while start + distance >= buffer.count {
      guard fill() else { return nil }
    }
    return buffer[start + distance]
  }

  /// The next `count` bytes, without taking them; fewer at the end.
  public mutating func peek(count: Int) -> ArraySlice<UInt8> {
    while buffer.count - start < count, fill() {}
    return buffer[start..<min(start + count, buffer.count)]
  }

  /// Takes the next `count` bytes; fewer at the end.
  mutating func take(_ count: Int) -> [UInt8] {
    let bytes = Array(peek(count: count))
    start += bytes.count
    offset += bytes.count
    return bytes
  }

  /// Reads another piece; returns false at the end.
  private mutating func fill() -> Bool {
    guard !isAtEnd else { return false }
    let piece = next()
    isAtEnd = piece.isEmpty
    buffer.removeFirst(start)
    start = 0
    buffer += piece
    return !isAtEnd
  }
}
