//===--- ByteSource.swift - bytes in pieces -------------------------------===//
//
// The input of video readers: a file or a pipe that delivers one piece after another, so memory
// holds only a frame and a piece.
//
// Cost      Linear in the bytes read. Bytes that are in the buffer and have been taken are at most as
//           many as those that have not.
//===----------------------------------------------------------------------===//

/// A stream of bytes, read in order.
///
/// ```swift
/// let file = try FileHandle(forReadingFrom: URL(filePath: "video.y4m"))
/// let source = ByteSource { [UInt8]((try? file.read(upToCount: 1 << 16)) ?? Data()) }
/// ```
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
    while distance >= buffer.count - start {
      guard fill() else { return nil }
    }
    return buffer[start + distance]
  }

  /// The next `count` bytes, without taking them; fewer at the end.
  public mutating func peek(count: Int) -> ArraySlice<UInt8> {
    while buffer.count - start < count, fill() {}
    return buffer[start...].prefix(count)
  }

  /// The bytes in memory that have not been taken: at least one, unless the source has ended.
  mutating func peekBuffered() -> ArraySlice<UInt8> {
    if start == buffer.count { _ = fill() }
    return buffer[start...]
  }

  /// The distance of the first `byte` at `distance` or later, but before `limit`; `nil` if there is
  /// none. The bytes up to it are kept in memory.
  mutating func distance(of byte: UInt8, from distance: Int, limit: Int) -> Int? {
    var distance = distance
    while distance < limit {
      let end = start + min(buffer.count - start, limit)
      if start + distance < end {
        if let index = buffer[start + distance..<end].firstIndex(of: byte) { return index - start }
        distance = end - start
      }
      guard distance >= limit || fill() else { return nil }
    }
    return nil
  }

  /// Takes the next byte; `nil` at the end.
  mutating func takeByte() -> UInt8? {
    guard let byte = peek() else { return nil }
    drop(1)
    return byte
  }

  /// Takes the next `count` bytes; fewer at the end. Memory for `count` bytes is allocated once.
  mutating func take(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count, start < buffer.count || fill() {
      let end = start + min(buffer.count - start, count - bytes.count)
      bytes += buffer[start..<end]
      drop(end - start)
    }
    return bytes
  }

  /// Takes the bytes in memory or, if there are none, the next piece; nothing at the end.
  mutating func takePiece() -> [UInt8] {
    if start == buffer.count { _ = fill() }
    let bytes = Array(buffer[start...])
    drop(bytes.count)
    return bytes
  }

  /// Takes `count` bytes, which must be in memory.
  mutating func drop(_ count: Int) {
    start += count
    offset += count
    // The bytes that move are fewer than those that were taken since the last move.
    guard start > buffer.count - start else { return }
    buffer = Array(buffer[start...])
    start = 0
  }

  /// Reads another piece; returns false at the end.
  private mutating func fill() -> Bool {
    guard !isAtEnd else { return false }
    let piece = next()
    isAtEnd = piece.isEmpty
    if buffer.isEmpty { buffer = piece } else { buffer += piece }
    return !isAtEnd
  }
}
