//===--- JPEGBitReader.swift - bits of entropy-coded data -----------------===//
//
// A buffer of 64 bits, the next one highest. Stuffed zero bytes are removed while it is filled
// (ITU-T T.81, F.1.2.3).
//
// Contract  Reading stops before a marker or the end of the file. After that the bits are zeros,
//           and `isOverrun` is true if one of them was used. `refill` leaves at least 32 bits,
//           enough for a code (16) and the value after it (15 at most). All calls get the same
//           file.
// Cost      One branch, one load and a few operations per four codes.
//===----------------------------------------------------------------------===//

/// A position in the entropy-coded data of a scan.
struct JPEGBitReader {
  /// The offset of the next byte to load.
  private(set) var position: Int
  private var bits: UInt64 = 0
  private var count = 0
  /// The number of zero bits added after the end of the data.
  private var padding = 0

  /// Reads from `start`, which must not be negative, to the next marker.
  init(start: Int) {
    precondition(start >= 0)
    position = start
  }

  /// Whether bits after the end of the data have been used.
  var isOverrun: Bool { count < padding }

  /// Discards the buffered bits and continues at `start`.
  mutating func restart(at start: Int) {
    precondition(start >= 0)
    position = start
    bits = 0
    count = 0
    padding = 0
  }

  /// Makes sure that at least 32 bits are buffered.
  @inline(__always) mutating func refill(from file: Span<UInt8>) {
    if count < 32 { takeBytes(from: file) }
  }

  @inline(__always) private mutating func takeBytes(from file: Span<UInt8>) {
    // The position is never negative, so these eight bytes are in the file.
    if position &+ 8 <= file.count {
      let next = unsafe file.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
      let word = UInt64(bigEndian: next)
      // A byte of `word` is 0xFF if and only if that byte of `~word` is zero.
      let inverse = ~word
      if (inverse &- 0x0101_0101_0101_0101) & word & 0x8080_8080_8080_8080 == 0 {
        bits |= word &>> UInt64(truncatingIfNeeded: count)
        let taken = (63 &- count) &>> 3
        position &+= taken
        count &+= taken &* 8
        return
      }
    }
    self = Self.withBytesTakenSlowly(self, from: file)
  }

  /// Loads bytes one by one. It takes and returns a value, so that a reader can stay in registers.
  @inline(never)
  private static func withBytesTakenSlowly(
    _ reader: JPEGBitReader, from file: Span<UInt8>
  ) -> JPEGBitReader {
    var reader = reader
    while reader.count <= 56 {
      let byte = reader.nextByte(of: file)
      if byte == nil { reader.padding += 8 }
      reader.bits |= UInt64(byte ?? 0) << UInt64(56 - reader.count)
      reader.count += 8
    }
    return reader
  }

  /// The next byte of data; `nil` before a marker or the end of the file. Skips fill bytes.
  private mutating func nextByte(of file: Span<UInt8>) -> UInt8? {
    let end = file.count
    guard position < end else { return nil }
    guard file[position] == 0xFF else {
      position += 1
      return file[position - 1]
    }
    while position + 1 < end, file[position + 1] == 0xFF { position += 1 }
    guard position + 1 < end, file[position + 1] == 0 else { return nil }
    position += 2
    return 0xFF
  }

  /// The next `size` bits, 1 to 32, without consuming them.
  @inline(__always) func peek(_ size: Int) -> Int32 {
    Int32(truncatingIfNeeded: bits &>> UInt64(truncatingIfNeeded: 64 &- size))
  }

  /// Skips `size` bits.
  @inline(__always) mutating func skip(_ size: Int) {
    bits &<<= UInt64(truncatingIfNeeded: size)
    count &-= size
  }

  /// The next bit.
  @inline(__always) mutating func bit(from file: Span<UInt8>) -> Bool {
    refill(from: file)
    let isSet = Int64(bitPattern: bits) < 0
    skip(1)
    return isSet
  }

  /// The next `size` bits, 0 to 16, as a number.
  @inline(__always) mutating func number(_ size: Int, from file: Span<UInt8>) -> Int {
    guard size > 0 else { return 0 }
    refill(from: file)
    let value = Int(peek(size))
    skip(size)
    return value
  }

  /// The next symbol, or -1 (after skipping 17 bits) if no code matches. Enough bits for a value
  /// stay buffered.
  @inline(__always)
  mutating func symbol(_ codes: JPEGHuffmanCodes, from file: Span<UInt8>) -> Int {
    refill(from: file)
    return symbol(codes.entry(self), codes)
  }

  /// The symbol for `entry`, the table entry of the next bits.
  @inline(__always)
  mutating func symbol(_ entry: Int32, _ codes: JPEGHuffmanCodes) -> Int {
    let symbol = Int(entry &>> 8) & 0xFF
    if entry & JPEGHuffmanCodes.hasValue != 0 {
      skip(Int(entry & 0x7F) &- symbol & 15)
      return symbol
    }
    if entry != 0 {
      skip(Int(entry & 0x7F))
      return symbol
    }
    guard let (symbol, length) = codes.longCode(peek(16)) else {
      // libjpeg reads one bit more than the longest code before it reports an error.
      skip(17)
      return -1
    }
    skip(length)
    return symbol
  }

  /// The value of `size` bits, 0 to 15, that follows a symbol; `refill` is not needed. Zero if
  /// `size` is -1.
  @inline(__always) mutating func value(_ size: Int) -> Int32 {
    guard size > 0 else { return 0 }
    let value = Self.extend(peek(size), size: size)
    skip(size)
    return value
  }

  /// The signed value encoded by `size` bits (ITU-T T.81, figure F.12).
  @inline(__always) static func extend(_ bits: Int32, size: Int) -> Int32 {
    let half = Int32(1) &<< Int32(truncatingIfNeeded: size &- 1)
    return bits < half ? bits &- (half &<< 1) &+ 1 : bits
  }
}
