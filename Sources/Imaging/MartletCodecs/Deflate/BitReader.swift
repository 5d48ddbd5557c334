//===--- BitReader.swift - bits, lowest first -----------------------------===//
//
// A 64-bit buffer of the stream. After `refill` it holds at least 56 bits, enough for a literal or
// a whole match (48). After the end of the stream it is filled with zeros, which are counted, so
// the decoder's loop needs no special case for the last bytes. Use of such a bit is detected at the
// next refill, or by `checkNotOverrun`.
//
// Contract  Nothing outside the stream is read. The caller must not take more bits than a refill
//           guarantees.
//===----------------------------------------------------------------------===//

/// Reads the bits of a stream, from the lowest bit of its first byte on.
struct BitReader {
  /// The next bits, the first in the lowest place. Those above `count` are not valid.
  private(set) var bits: UInt64 = 0
  /// The number of bits in the buffer.
  private var count = 0
  /// The offset of the next byte to load.
  private var position: Int
  /// The number of buffered bytes after the end of the stream.
  private var padding = 0
  /// The number of bytes that were removed from the start of the stream.
  private var removed: Int

  /// A reader of the bits from `position` on, in a stream of which `removed` bytes are missing.
  init(position: Int, removed: Int = 0) {
    (self.position, self.removed) = (position, removed)
  }

  /// The offset of the first byte of which no bit has been taken, in the whole stream.
  var offset: Int { removed + position + padding - count / 8 }

  /// Fills the buffer to at least 56 bits.
  @inline(__always)
  mutating func refill(from stream: Span<UInt8>) throws(InflateError) {
    // The position is never negative, so these eight bytes are in the stream.
    if stream.count - position >= 8 {
      let next = unsafe stream.bytes.unsafeLoadUnaligned(
        fromByteOffset: position, as: UInt64.self)
      bits |= UInt64(littleEndian: next) &<< UInt64(truncatingIfNeeded: count)
      position &+= (63 &- count) &>> 3
      count |= 56
    } else {
      try refillAtEnd(from: stream)
    }
  }

  @inline(never)
  private mutating func refillAtEnd(from stream: Span<UInt8>) throws(InflateError) {
    try checkNotOverrun(stream)
    bits &= (1 << UInt64(count)) - 1
    while count < 56 {
      if position < stream.count {
        bits |= UInt64(stream[position]) << UInt64(count)
        position += 1
      } else {
        padding += 1
      }
      count += 8
    }
  }

  /// Throws if bits after the end of the stream have been taken.
  func checkNotOverrun(_ stream: Span<UInt8>) throws(InflateError) {
    guard padding * 8 <= count else { throw .truncated(count: removed + stream.count) }
  }

  /// Returns `error`, or `.truncated` if bits after the end of the stream have been taken.
  func cause(_ error: InflateError, _ stream: Span<UInt8>) -> InflateError {
    padding * 8 <= count ? error : .truncated(count: removed + stream.count)
  }

  /// Drops the next `length` bits.
  @inline(__always)
  mutating func drop(_ length: Int) {
    bits &>>= UInt64(truncatingIfNeeded: length)
    count &-= length
  }

  /// Takes the next `length` bits, at most 32.
  @inline(__always)
  mutating func take(_ length: Int) -> Int {
    let value = Int(truncatingIfNeeded: bits & ((1 &<< UInt64(truncatingIfNeeded: length)) &- 1))
    drop(length)
    return value
  }

  /// Drops the bits up to the next whole byte; returns its offset and continues there.
  mutating func alignToByte(_ stream: Span<UInt8>) throws(InflateError) -> Int {
    try checkNotOverrun(stream)
    let start = position - (count - padding * 8) / 8
    moveTo(start)
    return start
  }

  /// Continues with the byte at `position`.
  mutating func moveTo(_ position: Int) { self = BitReader(position: position, removed: removed) }

  /// Returns how many bytes at the start of the stream are not needed any more. The caller must remove
  /// them.
  mutating func forget() -> Int {
    // The bytes in the buffer may be read again.
    let unneeded = max(0, position - 8)
    position -= unneeded
    removed += unneeded
    return unneeded
  }

  /// The number of bytes that have not been loaded.
  func rest(of stream: [UInt8]) -> Int { stream.count - position }
}
