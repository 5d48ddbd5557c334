//===--- LZWBitReader.swift - codes of variable width ---------------------===//
//
// A 64-bit buffer of the stream. GIF stores codes from the lowest bit of a byte on, TIFF from the
// highest.
//
// Contract  Nothing outside the range is read. A code that is not complete is never returned.
//===----------------------------------------------------------------------===//

/// The order of the bits of a code in a byte.
protocol LZWBitOrder {
  /// Whether the first bit of a code is its lowest.
  static var isLowestFirst: Bool { get }
}

/// The bit order of GIF.
enum LowestBitFirst: LZWBitOrder { static var isLowestFirst: Bool { true } }
/// The bit order of TIFF.
enum HighestBitFirst: LZWBitOrder { static var isLowestFirst: Bool { false } }

/// Reads codes of at most 12 bits.
struct LZWBitReader<Order: LZWBitOrder> {
  /// The next bits: from the lowest place up, or from the highest down. The bits beyond `count` are
  /// zeros or the stream's.
  private var bits: UInt64 = 0
  private var count = 0
  private var position: Int
  private let end: Int

  /// A reader of the bytes in `range`, which must be in the stream.
  init(_ range: Range<Int>, of stream: Span<UInt8>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= stream.count)
    (position, end) = (range.lowerBound, range.upperBound)
  }

  /// The next code of `width` bits; `nil` if fewer bits are left.
  @inline(__always)
  mutating func next(_ width: Int, of stream: Span<UInt8>) -> Int? {
    if count < width {
      refill(from: stream)
      guard count >= width else { return nil }
    }
    count &-= width
    let shift = UInt64(truncatingIfNeeded: width)
    if Order.isLowestFirst {
      let code = bits & ((1 &<< shift) &- 1)
      bits &>>= shift
      return Int(truncatingIfNeeded: code)
    }
    let code = bits &>> (64 &- shift)
    bits &<<= shift
    return Int(truncatingIfNeeded: code)
  }

  @inline(__always)
  private mutating func refill(from stream: Span<UInt8>) {
    guard end &- position >= 8 else { return refillAtEnd(from: stream) }
    // Eight bytes are left in the range, which is in the stream.
    let next = unsafe stream.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
    let shift = UInt64(truncatingIfNeeded: count)
    bits |= Order.isLowestFirst ? UInt64(littleEndian: next) &<< shift : next.bigEndian &>> shift
    let loaded = (63 &- count) &>> 3
    position &+= loaded
    count &+= loaded &* 8
  }

  @inline(never)
  private mutating func refillAtEnd(from stream: Span<UInt8>) {
    // The bits beyond the count may be those of bytes that are loaded again.
    bits &= Order.isLowestFirst ? (1 << UInt64(count)) - 1 : ~(UInt64.max >> UInt64(count))
    while count <= 56, position < end {
      let byte = UInt64(stream[position])
      bits |= byte << UInt64(Order.isLowestFirst ? count : 56 - count)
      position += 1
      count += 8
    }
  }
}
