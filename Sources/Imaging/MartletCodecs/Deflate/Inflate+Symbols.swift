//===--- Inflate+Symbols.swift - literals and matches ---------------------===//
//
// A symbol is a literal, the end of the block, or the length of a match. A length is followed by a
// distance; both have extra bits.
//
// Bits      A refill leaves at least 56 bits. An iteration takes at most
//
//             two literals of the first table     22   (11 each)
//             a third symbol                      15
//             the extra bits of a length           5
//                                                 42
//           and, after another refill,
//
//             a distance                          15
//             its extra bits                      13
//                                                 28
// Contract  Every distance is checked against the output so far, and every length against the
//           remaining space.
// Cost      One refill per up to three literals; matches are copied 16 bytes per step.
// Source    RFC 1951 section 3.2.5
//===----------------------------------------------------------------------===//

import MartletBase

extension Inflate {
  private typealias Entry = DecodingTable.Entry
  private typealias Kind = DecodingTable.Kind

  /// The number of bytes that an iteration may write, plus one vector.
  private static let roundBytes = 3 + DeflateAlphabet.longestMatch + 16

  /// Decodes symbols until `limit` bytes have been produced; returns whether the block has ended.
  func decode(_ codes: BlockCodes, limit: Int) throws(InflateError) -> Bool {
    let stream = stream
    let bytes = stream.span
    let (literals, distances) = (codes.literals.entries.span, codes.distances.entries.span)
    let (literalMask, distanceMask) = (codes.literals.rootMask, codes.distances.rootMask)
    let end = outputEnd
    let roomyEnd = min(limit - 1, end - Self.roundBytes)
    // Local copies, which can stay in registers.
    var (input, position) = (reader, produced)
    let output = unsafe output
    var isEnded = false
    while position < limit {
      try input.refill(from: bytes)
      var entry = Self.first(of: literals, literalMask, input)
      if position < roomyEnd {
        for _ in 0..<2 where entry.isLiteral {
          unsafe Self.put(entry, at: output + position, &input)
          position &+= 1
          entry = Self.first(of: literals, literalMask, input)
        }
      }
      entry = Self.resolve(entry, literals, &input)
      if entry.isLiteral, position < end {
        unsafe Self.put(entry, at: output + position, &input)
        position &+= 1
        continue
      }
      guard entry.kind == Kind.base else {
        try Self.end(entry, bytes, &input, expected: dropped + count)
        isEnded = true
        break
      }
      let length = Self.value(of: entry, &input)
      try input.refill(from: bytes)
      entry = Self.resolve(Self.first(of: distances, distanceMask, input), distances, &input)
      let distance = Self.value(of: entry, &input)
      guard entry.kind == Kind.base, distance <= position, length <= end &- position else {
        let error = matchError(entry, length, distance, input.offset, position)
        throw input.cause(error, bytes)
      }
      if position < roomyEnd {
        unsafe Self.copyWithRoom(length, from: distance, to: output + position)
      } else {
        copy(position..<position + length, from: distance)
      }
      position &+= length
    }
    try input.checkNotOverrun(bytes)
    (reader, produced) = (input, position)
    return isEnded
  }

  /// Handles the end of the block, the only valid symbol left; throws for any other.
  private static func end(
    _ entry: Entry, _ stream: Span<UInt8>, _ reader: inout BitReader, expected: Int
  ) throws(InflateError) {
    switch entry.kind {
    case Kind.endOfBlock: reader.drop(entry.bitCount)
    case Kind.literal:
      throw reader.cause(.tooLong(offset: reader.offset, expected: expected), stream)
    default: throw reader.cause(.badCode(offset: reader.offset), stream)
    }
    try reader.checkNotOverrun(stream)
  }

  /// The error of an invalid match whose distance has the entry `entry`. If the match is too long,
  /// the part that fits is written.
  private func matchError(
    _ entry: Entry, _ length: Int, _ distance: Int, _ offset: Int, _ position: Int
  ) -> InflateError {
    guard entry.kind == Kind.base else { return .badCode(offset: offset) }
    guard distance <= position else {
      return .distanceTooFar(
        offset: offset, distance: distance, produced: dropped + position)
    }
    copy(position..<outputEnd, from: distance)
    produced = outputEnd
    return .tooLong(offset: offset, expected: dropped + count)
  }

  /// Writes bytes at `targets`, which must be in the output, from `distance` bytes before each, a
  /// distance that has been checked.
  private func copy(_ targets: Range<Int>, from distance: Int) {
    for target in targets { unsafe output[target] = output[target - distance] }
  }

  /// The entry of the first table, which has one for each value of the mask's bits.
  @inline(__always)
  private static func first(of table: Span<UInt32>, _ mask: UInt64, _ reader: BitReader) -> Entry {
    unsafe Entry(rawValue: table[unchecked: Int(truncatingIfNeeded: reader.bits & mask)])
  }

  /// Follows a link of the first table to the symbol's entry and drops the first table's bits.
  @inline(__always)
  private static func resolve(
    _ entry: Entry, _ table: Span<UInt32>, _ reader: inout BitReader
  ) -> Entry {
    guard entry.kind == Kind.secondTable else { return entry }
    reader.drop(entry.bitCount)
    let index = reader.bits & ((1 &<< UInt64(entry.codeBitCount)) &- 1)
    return Entry(rawValue: table[entry.value &+ Int(truncatingIfNeeded: index)])
  }

  /// Writes a literal to `target`, which must be in the output, and drops its bits.
  @inline(__always)
  private static func put(
    _ entry: Entry, at target: UnsafeMutablePointer<UInt8>, _ reader: inout BitReader
  ) {
    reader.drop(entry.bitCount)
    unsafe target.pointee = UInt8(truncatingIfNeeded: entry.value)
  }

  /// Drops the bits of a length or distance and returns its value.
  @inline(__always)
  private static func value(of entry: Entry, _ reader: inout BitReader) -> Int {
    let all = reader.bits & ((1 &<< UInt64(entry.bitCount)) &- 1)
    reader.drop(entry.bitCount)
    return entry.value &+ Int(truncatingIfNeeded: all &>> UInt64(entry.codeBitCount))
  }

  /// Copies `length` bytes from `distance` bytes before `start`; the ranges may overlap. Up to 15
  /// bytes after the copy are overwritten. All of them must be in the output.
  @inline(__always)
  private static func copyWithRoom(
    _ length: Int, from distance: Int, to start: UnsafeMutablePointer<UInt8>
  ) {
    let target = UnsafeMutableRawPointer(start)
    let source = unsafe UnsafeRawPointer(start - distance)
    var done = 0
    if distance >= 16 {
      repeat {
        unsafe target.storeBytes(
          of: source.loadUnaligned(fromByteOffset: done, as: SIMD16<UInt8>.self),
          toByteOffset: done, as: SIMD16<UInt8>.self)
        done &+= 16
      } while done < length
    } else if distance >= 8 {
      repeat {
        unsafe target.storeBytes(
          of: source.loadUnaligned(fromByteOffset: done, as: UInt64.self), toByteOffset: done,
          as: UInt64.self)
        done &+= 8
      } while done < length
    } else {
      // Writes as many whole repetitions as fit in eight bytes per step.
      let bits = UInt64(truncatingIfNeeded: 8 &* distance)
      var word: UInt64 = 0
      for byte in (0..<distance).reversed() {
        word = unsafe word &<< 8 | UInt64(source.load(fromByteOffset: byte, as: UInt8.self))
      }
      word |= word << bits
      word |= word << (2 &* bits)
      word |= word << (4 &* bits)
      let step = 8 / distance &* distance
      repeat {
        unsafe target.storeBytes(
          of: UInt64(littleEndian: word), toByteOffset: done, as: UInt64.self)
        done &+= step
      } while done < length
    }
  }
}
