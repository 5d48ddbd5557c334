//===--- LZWDecoder.swift - Lempel-Ziv-Welch decompression ----------------===//
//
// Codes below the clear code are literals. The clear code empties the table; the next one is the
// end. Each code after the first adds an entry: the string of the code before and one more byte.
// That string is already in the output, so an entry is a place and a length in the output; those of
// literals are in a table of all bytes.
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
//===----------------------------------------------------------------------===//

import MartletBase

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
    /// The work has been stopped.
    case stopped
  }

  private static var longestCode: Int { 12 }
  /// The bytes after which the work is counted, and the work of a clear code.
  private static var stepBytes: Int { 1 << 16 }
  private static var clearSteps: Int { 16 }
  private let rootBits: Int
  /// How many codes before a power of two the width grows: 0 or 1.
  private let early: Int
  /// The start of each string in the output or in the literals, shifted by 16 bits, and its length.
  private var entries: [UInt64]
  /// The literals, with 15 more bytes.
  private let literals: [UInt8]

  /// A decoder of literals of `rootBits` bits, at most 11.
  init(rootBits: Int, isEarly: Bool = false) {
    precondition((0...11).contains(rootBits))
    self.rootBits = rootBits
    early = isEarly ? 1 : 0
    let clear = 1 << rootBits
    entries = (0..<1 << Self.longestCode).map { $0 < clear ? UInt64($0) << 16 | 1 : 0 }
    literals = (0..<clear + 15).map { UInt8(truncatingIfNeeded: $0) }
  }

  /// Decodes the bytes in `range` of `stream` until `output` is full; returns the number of bytes
  /// decoded. Up to 15 bytes after them may have been overwritten.
  mutating func decode(
    _ stream: Span<UInt8>, _ range: Range<Int>, to output: UnsafeMutableBufferPointer<UInt8>,
    _ work: DecodingWork
  ) -> (count: Int, end: End) {
    guard let base = output.baseAddress, output.count > 0 else { return (0, .full) }
    return unsafe literals.withUnsafeBufferPointer { literals in
      guard let literals = literals.baseAddress else { return (0, .full) }
      return unsafe decode(stream, range, to: base, output.count, literals, work)
    }
  }

  private mutating func decode(
    _ stream: Span<UInt8>, _ range: Range<Int>, to base: UnsafeMutablePointer<UInt8>,
    _ count: Int, _ literals: UnsafePointer<UInt8>, _ work: DecodingWork
  ) -> (count: Int, end: End) {
    let (early, roots) = (early, rootBits)
    let clear = 1 << roots
    var reader = LZWBitReader<Order>(range, of: stream)
    var entries = entries.mutableSpan
    var (width, next) = (roots + 1, clear + 2)
    // The last string, which is empty after the clear code.
    var (start, length) = (0, 0)
    var position = 0
    while position < count {
      let pause = min(count, position &+ Self.stepBytes)
      guard work.charge(pause &- position) else { return (position, .stopped) }
      while position < pause {
        guard let code = reader.next(width, of: stream) else { return (position, .endOfStream) }
        if code == clear {
          guard work.charge(Self.clearSteps) else { return (position, .stopped) }
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
        guard code < next else { return (position, .badCode) }
        // Codes below `next` have entries, whose strings begin before the position.
        let entry = unsafe entries[unchecked: code]
        let source = Int(truncatingIfNeeded: entry &>> 16)
        length = min(Int(truncatingIfNeeded: entry & 0xFFFF), count &- position)
        // Literals and strings alternate without a rule: a choice of places is faster than a branch.
        let isLiteral = code < clear
        let string = unsafe (isLiteral ? literals : UnsafePointer(base)) + source
        let distance = isLiteral ? 16 : position &- source
        unsafe Self.copy(
          length, from: string, to: base + position, distance, room: count &- position)
        start = position
        position &+= length
      }
    }
    return (position, .full)
  }

  /// Copies bytes, at most `room`, from `distance` before the target, or more than 15. The ranges may
  /// overlap.
  @inline(__always)
  private static func copy(
    _ length: Int, from source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>,
    _ distance: Int, room: Int
  ) {
    guard distance >= 16, room >= length &+ 15 else {
      for index in 0..<length { unsafe target[index] = source[index] }
      return
    }
    let (from, to) = unsafe (UnsafeRawPointer(source), UnsafeMutableRawPointer(target))
    var done = 0
    repeat {
      unsafe to.storeBytes(
        of: from.loadUnaligned(fromByteOffset: done, as: SIMD16<UInt8>.self),
        toByteOffset: done, as: SIMD16<UInt8>.self)
      done &+= 16
    } while done < length
  }
}
