//===--- LZWDecoder.swift - Lempel-Ziv-Welch decompression ----------------===//
//
// Codes below the clear code are literals. The clear code empties the table; the next one is the
// end. Each code after the first adds an entry: the string of the code before and one more byte.
// That string is already in the output, so an entry is a place and a length in the output.
//
//   variant           bits of a code       width grows        bit order
//   GIF               1 more than a root   at a power of two  lowest first
//   TIFF              9                    one code earlier   highest first
//   TIFF before 5.0   9                    at a power of two  lowest first
//
// Contract  Accepts any input. A full table stays as it is until the clear code ("deferred clear").
//           A string that exceeds the output is cut.
// Cost      One table lookup per code; strings are copied 16 bytes per step.
// Source    GIF89a appendix F; TIFF 6.0 section 13
// Checked   Tests/MartletCodecsTests/LZWTests.swift
//===----------------------------------------------------------------------===//

/// Decodes LZW streams. The table is reused.
struct LZWDecoder<Order: LZWBitOrder> {
  /// Why decoding ended.
  enum End: Equatable {
    /// The output is full.
    case full
    /// The stream has its end code before.
    case endCode
    /// The stream ends without an end code.
    case endOfStream
    /// The table has no such code.
    case badCode
  }

  private static var longestCode: Int { 12 }
  private let rootBits: Int
  /// How many codes before a power of two the width grows: 0 or 1.
  private let early: Int
  /// The start of each string in the output, shifted by 16 bits, and its length.
  private var entries = [UInt64](repeating: 0, count: 1 << 12)

  /// A decoder of literals of `rootBits` bits, at most 11.
  init(rootBits: Int, isEarly: Bool = false) {
    precondition((0...11).contains(rootBits))
    self.rootBits = rootBits
    early = isEarly ? 1 : 0
  }

  /// Decodes the bytes in `range` of `stream` until `output` is full; returns the number of bytes
  /// decoded. Up to 15 bytes after them may have been overwritten.
  mutating func decode(
    _ stream: Span<UInt8>, _ range: Range<Int>, to output: UnsafeMutableBufferPointer<UInt8>
  ) -> (count: Int, end: End) {
    guard let base = output.baseAddress, output.count > 0 else { return (0, .full) }
    let (count, early, roots) = (output.count, early, rootBits)
    let clear = 1 << roots
    var reader = LZWBitReader<Order>(range, of: stream)
    var entries = entries.mutableSpan
    var (width, next) = (roots + 1, clear + 2)
    // The last string, which is empty after the clear code.
    var (start, length) = (0, 0)
    var position = 0
    while position < count {
      guard let code = reader.next(width, of: stream) else { return (position, .endOfStream) }
      if code == clear {
        (width, next, length) = (roots + 1, clear + 2, 0)
        continue
      }
      if code == clear + 1 { return (position, .endCode) }
      if length > 0, next < 1 << Self.longestCode {
        unsafe entries[unchecked: next] =
          UInt64(truncatingIfNeeded: start) &<< 16 | UInt64(truncatingIfNeeded: length &+ 1)
        next &+= 1
        if next == (1 &<< width) &- early, width < Self.longestCode { width &+= 1 }
      }
      start = position
      if code < clear {
        // The position is less than the count.
        unsafe base[position] = UInt8(truncatingIfNeeded: code)
        position &+= 1
      } else {
        guard code < next else { return (position, .badCode) }
        // Codes below `next` have entries, whose strings begin before the position.
        let entry = unsafe entries[unchecked: code]
        let source = Int(truncatingIfNeeded: entry &>> 16)
        let copied = min(Int(truncatingIfNeeded: entry & 0xFFFF), count &- position)
        unsafe Self.copy(copied, from: source, to: position, base, count)
        position &+= copied
      }
      length = position &- start
    }
    return (position, .full)
  }

  /// Copies bytes that begin at `source`, before `target`; the ranges may overlap. All of them are
  /// within `count`.
  @inline(__always)
  private static func copy(
    _ length: Int, from source: Int, to target: Int, _ base: UnsafeMutablePointer<UInt8>,
    _ count: Int
  ) {
    guard target &- source >= 16, count &- target >= length &+ 15 else {
      for index in 0..<length { unsafe base[target &+ index] = base[source &+ index] }
      return
    }
    let bytes = UnsafeMutableRawPointer(base)
    var done = 0
    repeat {
      unsafe bytes.storeBytes(
        of: bytes.loadUnaligned(fromByteOffset: source &+ done, as: SIMD16<UInt8>.self),
        toByteOffset: target &+ done, as: SIMD16<UInt8>.self)
      done &+= 16
    } while done < length
  }
}
