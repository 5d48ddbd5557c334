//===--- VP8BoolReader.swift - arithmetically coded bits ------------------===//
//
// Each bit has a probability of being zero, in 256ths (RFC 6386, section 7).
//
// Contract  After the end of the data the bits come from zeros, and `isOverrun` is true as soon as
//           the decoder needs one of them, as in libwebp. All calls get the same file.
// Cost      About ten operations per bit; one load for 56 bits.
//===----------------------------------------------------------------------===//

/// A position in a partition.
struct VP8BoolReader {
  /// The bits that were loaded and not yet used, as a number.
  private var value: UInt64 = 0
  /// One less than the size of the interval, 127 to 254.
  private var range: UInt32 = 254
  /// The number of bits of `value` below the eight that are compared; negative if there are fewer.
  private var count = -8
  private var position: Int
  private let end: Int
  /// Whether bits after the end of the data were needed.
  private(set) var isOverrun = false

  /// Reads the bytes of `range`, which must be inside the file.
  init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// The next bit; false with this probability.
  @inline(__always)
  mutating func bit(_ probability: UInt8, from file: Span<UInt8>) -> Bool {
    if count < 0 { load(from: file) }
    let split = (range &* UInt32(probability)) &>> 8
    let isSet = UInt32(truncatingIfNeeded: value &>> UInt64(truncatingIfNeeded: count)) > split
    var size: UInt32
    if isSet {
      size = range &- split
      value &-= UInt64(split &+ 1) &<< UInt64(truncatingIfNeeded: count)
    } else {
      size = split &+ 1
    }
    let shift = size.leadingZeroBitCount &- 24
    size &<<= UInt32(truncatingIfNeeded: shift)
    count &-= shift
    range = size &- 1
    return isSet
  }

  /// Negates `number` if the next bit, of probability 128, is set.
  @inline(__always)
  mutating func signed(_ number: Int32, from file: Span<UInt8>) -> Int32 {
    if count < 0 { load(from: file) }
    let split = range &>> 1
    let head = UInt32(truncatingIfNeeded: value &>> UInt64(truncatingIfNeeded: count))
    // All ones if the bit is set.
    let mask = Int32(truncatingIfNeeded: split &- head) &>> 31
    count &-= 1
    range = (range &+ UInt32(bitPattern: mask)) | 1
    value &-=
      UInt64((split &+ 1) & UInt32(bitPattern: mask)) &<< UInt64(truncatingIfNeeded: count &+ 1)
    return (number ^ mask) &- mask
  }

  /// The next `size` bits, each of probability 128, as a number.
  mutating func number(_ size: Int, from file: Span<UInt8>) -> Int {
    var result = 0
    for _ in 0..<size { result = result << 1 | (bit(128, from: file) ? 1 : 0) }
    return result
  }

  @inline(__always) private mutating func load(from file: Span<UInt8>) {
    if position &+ 8 <= end {
      // The position is never negative, and `end` is at most the size of the file.
      let next = unsafe file.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
      value = value &<< 56 | UInt64(bigEndian: next) &>> 8
      position &+= 7
      count &+= 56
    } else {
      self = Self.withByteLoaded(self, from: file)
    }
  }

  /// Loads one byte. It takes and returns a value, so that a reader can stay in registers.
  @inline(never)
  private static func withByteLoaded(
    _ reader: VP8BoolReader, from file: Span<UInt8>
  ) -> VP8BoolReader {
    var reader = reader
    if reader.position < reader.end {
      reader.value = reader.value << 8 | UInt64(file[reader.position])
      reader.position += 1
      reader.count += 8
    } else if reader.isOverrun {
      reader.count = 0
    } else {
      reader.value <<= 8
      reader.count += 8
      reader.isOverrun = true
    }
    return reader
  }
}
