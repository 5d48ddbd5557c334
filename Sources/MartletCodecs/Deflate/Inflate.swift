//===--- Inflate.swift - decompression of a zlib stream -------------------===//
//
// header ▶ blocks (stored, fixed codes, dynamic codes) ▶ Adler-32
//
// A block is a run of literals and of matches (a length and a distance back
// into what was produced). The caller knows how much must come out, so the
// output is allocated once; a stream too short to hold as much, at Deflate's
// best ratio of 1032, is refused before that.
//
// Contract  Any bytes are input. What is read and written is checked; nothing
//           traps. Bytes after the checksum are not looked at.
// Cost      One look-up a symbol (two for rare ones), 8 bytes a step in matches.
// Source    RFC 1950, RFC 1951
// Checked   Tests/MartletCodecsTests/InflateTests.swift
//===----------------------------------------------------------------------===//

/// A decoder of zlib streams.
package enum Inflate {
  /// The most bytes that one byte of a Deflate stream can stand for: a match of 258 in 2 bits.
  private static let bestRatio = 1032

  /// The bytes of the zlib stream at the start of `stream`, which must be `count`.
  package static func zlib(_ stream: [UInt8], count: Int) throws(InflateError) -> [UInt8] {
    try checkHeader(stream)
    guard count / bestRatio <= stream.count else { throw .tooShort(produced: 0, expected: count) }
    var output = [UInt8](repeating: 0, count: count)
    let end = try inflate(stream.span.bytes, from: 2, into: &output)
    guard let stored = stream.uint32(at: end, .big) else { throw .truncated(count: stream.count) }
    let computed = Adler32.checksum(output.span)
    guard stored == computed else {
      throw .checksumMismatch(stored: stored, computed: computed)
    }
    return output
  }

  private static func checkHeader(_ stream: [UInt8]) throws(InflateError) {
    guard let header = stream.uint16(at: 0, .big) else { throw .truncated(count: stream.count) }
    guard header >> 8 & 15 == 8, header >> 12 <= 7, header % 31 == 0 else {
      throw .badHeader(UInt16(header))
    }
    guard header & 0x20 == 0 else { throw .presetDictionary }
  }

  /// Fills `output` with the Deflate stream that begins at `start`; returns where it ends.
  private static func inflate(
    _ stream: RawSpan, from start: Int, into output: inout [UInt8]
  ) throws(InflateError) -> Int {
    var reader = BitReader(position: start)
    var produced = 0
    var isLast = false
    while !isLast {
      try reader.refill(from: stream)
      isLast = reader.take(1) == 1
      switch reader.take(2) {
      case 0: try copyStored(stream, &reader, into: &output, &produced)
      case 1: try decode(BlockCodes.fixed, stream, &reader, into: &output, &produced)
      case 2:
        let codes = try BlockCodes(stream, &reader)
        try decode(codes, stream, &reader, into: &output, &produced)
      default: throw reader.cause(.reservedBlockType(offset: reader.offset), stream)
      }
    }
    guard produced == output.count else {
      throw .tooShort(produced: produced, expected: output.count)
    }
    return try reader.alignToByte(stream)
  }

  private static func copyStored(
    _ stream: RawSpan, _ reader: inout BitReader, into output: inout [UInt8],
    _ produced: inout Int
  ) throws(InflateError) {
    let start = try reader.alignToByte(stream)
    try reader.refill(from: stream)
    let (length, complement) = (reader.take(16), reader.take(16))
    try reader.checkNotOverrun(stream)
    guard length ^ complement == 0xFFFF else {
      throw .storedLengthMismatch(offset: start, length: length, complement: complement)
    }
    guard stream.byteCount - start - 4 >= length else { throw .truncated(count: stream.byteCount) }
    guard output.count - produced >= length else {
      throw .tooLong(offset: start, expected: output.count)
    }
    for index in 0..<length {
      output[produced + index] = stream.unsafeLoad(
        fromByteOffset: start + 4 + index, as: UInt8.self)
    }
    produced += length
    reader = BitReader(position: start + 4 + length)
  }

  /// Decodes the symbols of a block up to its end.
  private static func decode(
    _ codes: BlockCodes, _ stream: RawSpan, _ reader: inout BitReader,
    into bytes: inout [UInt8], _ produced: inout Int
  ) throws(InflateError) {
    let (literals, distances) = (codes.literals.entries.span, codes.distances.entries.span)
    let literalMask = UInt64(1) << UInt64(codes.literals.rootBits) - 1
    let distanceMask = UInt64(1) << UInt64(codes.distances.rootBits) - 1
    var output = bytes.mutableSpan
    // Copies that stay in registers.
    var (input, position) = (reader, produced)
    while true {
      try input.refill(from: stream)
      var entry = lookUp(literals, literalMask, &input)
      while kind(entry) == DecodingTable.Kind.literal, position < output.count {
        input.drop(Int(entry & 63))
        output[unchecked: position] = UInt8(truncatingIfNeeded: entry >> 16)
        position &+= 1
        try input.refill(from: stream)
        entry = lookUp(literals, literalMask, &input)
      }
      guard kind(entry) == DecodingTable.Kind.base else {
        try end(entry, stream, &input, expected: output.count)
        break
      }
      let length = value(of: entry, &input)
      entry = lookUp(distances, distanceMask, &input)
      let distance = value(of: entry, &input)
      guard kind(entry) == DecodingTable.Kind.base, distance <= position,
        length <= output.count &- position
      else {
        let match = (length, isKnown: kind(entry) == DecodingTable.Kind.base, distance)
        throw input.cause(
          error(of: match, offset: input.offset, produced: position, expected: output.count),
          stream)
      }
      var raw = output.mutableBytes
      copy(length, from: distance, at: position, &raw)
      position &+= length
    }
    (reader, produced) = (input, position)
  }

  /// Takes the end of a block, the only symbol left that may be here.
  private static func end(
    _ entry: UInt32, _ stream: RawSpan, _ reader: inout BitReader, expected: Int
  ) throws(InflateError) {
    switch kind(entry) {
    case DecodingTable.Kind.endOfBlock: reader.drop(Int(entry & 63))
    case DecodingTable.Kind.literal:
      throw reader.cause(.tooLong(offset: reader.offset, expected: expected), stream)
    default: throw reader.cause(.badCode(offset: reader.offset), stream)
    }
    try reader.checkNotOverrun(stream)
  }

  /// What is wrong with a match.
  private static func error(
    of match: (length: Int, isKnown: Bool, distance: Int), offset: Int, produced: Int,
    expected: Int
  ) -> InflateError {
    guard match.isKnown else { return .badCode(offset: offset) }
    guard match.distance <= produced else {
      return .distanceTooFar(offset: offset, distance: match.distance, produced: produced)
    }
    return .tooLong(offset: offset, expected: expected)
  }

  @inline(__always)
  private static func kind(_ entry: UInt32) -> UInt32 { entry >> 10 & 7 }

  /// The entry of the next symbol, of which the bits of a first table have been dropped.
  @inline(__always)
  private static func lookUp(
    _ table: Span<UInt32>, _ mask: UInt64, _ reader: inout BitReader
  ) -> UInt32 {
    let entry = table[Int(truncatingIfNeeded: reader.bits & mask)]
    guard kind(entry) == DecodingTable.Kind.secondTable else { return entry }
    reader.drop(Int(entry & 63))
    let index = reader.bits & ((1 &<< UInt64(entry >> 6 & 15)) &- 1)
    return table[Int(entry >> 16) &+ Int(truncatingIfNeeded: index)]
  }

  /// Drops the bits of a length or distance and returns what they say.
  @inline(__always)
  private static func value(of entry: UInt32, _ reader: inout BitReader) -> Int {
    let bits = reader.bits
    reader.drop(Int(entry & 63))
    let all = bits & ((1 &<< UInt64(entry & 63)) &- 1)
    return Int(entry >> 16) &+ Int(truncatingIfNeeded: all &>> UInt64(entry >> 6 & 15))
  }

  /// Repeats the `length` bytes that begin `distance` before `position`, which must be inside.
  @inline(__always)
  private static func copy(
    _ length: Int, from distance: Int, at position: Int, _ output: inout MutableRawSpan
  ) {
    let end = position &+ length
    var target = position
    if output.byteCount - end >= 8 {
      if distance >= 8 {
        while target < end {
          let word = output.unsafeLoadUnaligned(
            fromByteOffset: target &- distance, as: UInt64.self)
          output.storeBytes(of: word, toByteOffset: target, as: UInt64.self)
          target &+= 8
        }
        return
      }
      if distance == 1 {
        let byte = output.unsafeLoad(fromByteOffset: target &- 1, as: UInt8.self)
        let word = UInt64(byte) &* 0x0101_0101_0101_0101
        while target < end {
          output.storeBytes(of: word, toByteOffset: target, as: UInt64.self)
          target &+= 8
        }
        return
      }
    }
    while target < end {
      let byte = output.unsafeLoad(fromByteOffset: target &- distance, as: UInt8.self)
      output.storeBytes(of: byte, toByteOffset: target, as: UInt8.self)
      target &+= 1
    }
  }
}
