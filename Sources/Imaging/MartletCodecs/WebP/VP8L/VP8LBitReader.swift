//===--- VP8LBitReader.swift - bits of lossless data ----------------------===//
//
// A buffer of 64 bits, the next one lowest (RFC 9649, section 3.3).
//
// Contract  After the end of the data the bits are zeros, and `isOverrun` is true if one of them
//           was used. `refill` leaves at least 56 bits. All calls get the same file.
// Cost      `refill` is one load and a few operations without a branch that varies.
//===----------------------------------------------------------------------===//

/// A position in lossless data.
struct VP8LBitReader {
  /// The next bits; those above `count` are zeros or equal the bytes at `position`.
  private(set) var bits: UInt64 = 0
  private var count = 0
  private var position: Int
  private let end: Int
  /// The number of zero bits added after the end of the data.
  private var padding = 0

  /// Reads the bytes of `range`, which must be inside the file.
  init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// Whether bits after the end of the data have been used.
  var isOverrun: Bool { count < padding }

  /// Makes sure that at least 56 bits are buffered.
  @inline(__always) mutating func refill(from file: Span<UInt8>) {
    if position &+ 8 <= end {
      // The position is never negative, and `end` is at most the size of the file.
      let next = unsafe file.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
      bits |= UInt64(littleEndian: next) &<< UInt64(truncatingIfNeeded: count)
      position &+= (63 &- count) &>> 3
      count |= 56
    } else {
      self = Self.withBytesTakenSlowly(self, from: file)
    }
  }

  /// Loads bytes one by one. It takes and returns a value, so that a reader can stay in registers.
  @inline(never)
  private static func withBytesTakenSlowly(
    _ reader: VP8LBitReader, from file: Span<UInt8>
  ) -> VP8LBitReader {
    var reader = reader
    // Bits above `count` may be left from the last fast load.
    reader.bits &= 1 << UInt64(reader.count) - 1
    while reader.count < 56 {
      if reader.position < reader.end {
        reader.bits |= UInt64(file[reader.position]) << UInt64(reader.count)
        reader.position += 1
      } else {
        reader.padding = min(reader.padding + 8, 1 << 20)
      }
      reader.count += 8
    }
    return reader
  }

  /// Skips `size` buffered bits.
  @inline(__always) mutating func skip(_ size: Int) {
    bits &>>= UInt64(truncatingIfNeeded: size)
    count &-= size
  }

  /// Whether at least `size` bits are buffered.
  @inline(__always) func has(_ size: Int) -> Bool { count >= size }

  /// The next `size` buffered bits, 0 to 32, as a number.
  @inline(__always) mutating func take(_ size: Int) -> Int {
    let value = bits & (1 &<< UInt64(truncatingIfNeeded: size) &- 1)
    skip(size)
    return Int(truncatingIfNeeded: value)
  }

  /// The next `size` bits, 0 to 32, as a number.
  mutating func number(_ size: Int, from file: Span<UInt8>) -> Int {
    refill(from: file)
    return take(size)
  }
}
