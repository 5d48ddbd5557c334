//===--- BitReader.swift - bits of a byte stream, lowest first ------------===//
//
// A 64-bit window over the stream. After `refill` it holds at least 56 bits,
// enough for a literal or a whole match (48). Past the end of the stream it is
// filled with zeros that are counted, so the decoder's loop has no special
// case for the last bytes: taking a bit that never was is seen at the next
// refill, or when the decoder asks for `checkNotOverrun`.
//
// Contract  Nothing outside the stream is read. Taking more bits than a refill
//           promises is a defect of the caller.
// Checked   Tests/MartletCodecsTests/InflateTests.swift
//===----------------------------------------------------------------------===//

/// The bits of a stream, from the lowest of its first byte on.
struct BitReader {
  /// The next bits, the first in the lowest place. Those above `count` are no bits of the stream.
  private(set) var bits: UInt64 = 0
  /// The number of bits in the window.
  private var count = 0
  /// The offset of the next byte to enter the window.
  private var position: Int
  /// The bytes in the window that lie past the end of the stream.
  private var padding = 0

  init(position: Int) {
    self.position = position
  }

  /// The offset of the first byte of which no bit has been taken.
  var offset: Int { position + padding - count / 8 }

  /// Fills the window to 56 bits or more.
  @inline(__always)
  mutating func refill(from stream: RawSpan) throws(InflateError) {
    if stream.byteCount - position >= 8 {
      let next = UInt64(
        littleEndian: stream.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
      bits |= next &<< UInt64(truncatingIfNeeded: count)
      position &+= (63 &- count) &>> 3
      count |= 56
    } else {
      try refillAtEnd(from: stream)
    }
  }

  @inline(never)
  private mutating func refillAtEnd(from stream: RawSpan) throws(InflateError) {
    try checkNotOverrun(stream)
    bits &= (1 << UInt64(count)) - 1
    while count < 56 {
      if position < stream.byteCount {
        let byte = stream.unsafeLoad(fromByteOffset: position, as: UInt8.self)
        bits |= UInt64(byte) << UInt64(count)
        position += 1
      } else {
        padding += 1
      }
      count += 8
    }
  }

  /// Fails if bits past the end of the stream have been taken.
  func checkNotOverrun(_ stream: RawSpan) throws(InflateError) {
    guard padding * 8 <= count else { throw .truncated(count: stream.byteCount) }
  }

  /// What went wrong: `error`, unless it comes of bits past the end of the stream.
  func cause(_ error: InflateError, _ stream: RawSpan) -> InflateError {
    padding * 8 <= count ? error : .truncated(count: stream.byteCount)
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

  /// Drops the bits up to the next whole byte and goes back to where it is in the stream.
  mutating func alignToByte(_ stream: RawSpan) throws(InflateError) -> Int {
    try checkNotOverrun(stream)
    let start = position - (count - padding * 8) / 8
    self = BitReader(position: start)
    return start
  }
}
