//===--- ByteSource.swift - bytes that come in pieces ---------------------===//
//
// What videos are read from: a file or a pipe that hands over one piece after another, so that memory
// holds no more than a frame and a piece.
//
// Checked   Tests/MartletCodecsTests/ByteSourceTests.swift
//===----------------------------------------------------------------------===//

/// Bytes in the order in which they come.
public struct ByteSource {
  private let next: () -> [UInt8]
  private var buffer: [UInt8] = []
  /// Where in the buffer the bytes begin that were not taken.
  private var start = 0
  /// How many bytes were taken.
  public private(set) var offset = 0
  private var isAtEnd = false

  /// A source of the pieces that `next` hands over, which is empty at the end.
  public init(next: @escaping () -> [UInt8]) { self.next = next }

  /// A source of bytes that are all there.
  public init(_ bytes: [UInt8]) {
    buffer = bytes
    isAtEnd = true
    next = { [] }
  }

  /// The byte that is `distance` after the next one, left where it is; `nil` behind the end.
  mutating func peek(_ distance: Int = 0) -> UInt8? {
    while start + distance >= buffer.count {
      guard fill() else { return nil }
    }
    return buffer[start + distance]
  }

  /// The next bytes, left where they are; fewer at the end.
  public mutating func peek(count: Int) -> ArraySlice<UInt8> {
    while buffer.count - start < count, fill() {}
    return buffer[start..<min(start + count, buffer.count)]
  }

  /// Takes the next bytes; fewer at the end.
  mutating func take(_ count: Int) -> [UInt8] {
    let bytes = Array(peek(count: count))
    start += bytes.count
    offset += bytes.count
    return bytes
  }

  /// Fetches another piece; false at the end.
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
