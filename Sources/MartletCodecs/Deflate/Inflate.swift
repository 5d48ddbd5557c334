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
// Cost      One look-up a symbol (two for rare ones), three literals for one
//           look at the input, 16 bytes a step in matches.
// Source    RFC 1950, RFC 1951
// Checked   Tests/MartletCodecsTests/InflateTests.swift
//===----------------------------------------------------------------------===//

/// A decoder of a zlib stream, in as many steps as one likes.
package final class Inflate {
  /// The most bytes that one byte of a Deflate stream can stand for: a match of 258 in 2 bits.
  private static let bestRatio = 1032
  /// The bytes that one round of the fast loop may write, and a vector beyond.
  private static let roundBytes = 3 + DeflateAlphabet.longestMatch + 16

  private let stream: [UInt8]
  private let count: Int
  /// What has been produced, and room for the rest of `count` bytes; valid as long as this object.
  let output: UnsafeMutablePointer<UInt8>
  private var produced = 0
  private var reader = BitReader(position: 2)
  /// The codes of the block that is being read.
  private var codes: BlockCodes?
  private var isLastBlock = false

  /// The bytes of the zlib stream at the start of `stream`, which must be `count`.
  package static func zlib(_ stream: [UInt8], count: Int) throws(InflateError) -> [UInt8] {
    let inflate = try Inflate(stream, count: count)
    _ = try inflate.inflate(until: count)
    try inflate.end()
    return Array(UnsafeBufferPointer(start: inflate.output, count: count))
  }

  /// Begins with the zlib stream at the start of `stream`, which must stand for `count` bytes.
  init(_ stream: [UInt8], count: Int) throws(InflateError) {
    try Self.checkHeader(stream)
    guard count / Self.bestRatio <= stream.count else {
      throw .tooShort(produced: 0, expected: count)
    }
    self.stream = stream
    self.count = count
    output = .allocate(capacity: max(count, 1))
  }

  deinit { output.deallocate() }

  private static func checkHeader(_ stream: [UInt8]) throws(InflateError) {
    guard let header = stream.uint16(at: 0, .big) else { throw .truncated(count: stream.count) }
    guard header >> 8 & 15 == 8, header >> 12 <= 7, header % 31 == 0 else {
      throw .badHeader(UInt16(header))
    }
    guard header & 0x20 == 0 else { throw .presetDictionary }
  }

  /// Goes on until at least `limit` bytes have been produced, or all; returns how many have been.
  func inflate(until limit: Int) throws(InflateError) -> Int {
    while produced < min(limit, count) {
      guard codes != nil || !isLastBlock else {
        throw .tooShort(produced: produced, expected: count)
      }
      try step(limit: min(limit, count))
    }
    return produced
  }

  /// Reads to the end of the stream, which must come after the last byte, and compares checksums.
  func end() throws(InflateError) {
    while codes != nil || !isLastBlock { try step(limit: .max) }
    let stream = stream
    let end = try reader.alignToByte(stream.span.bytes)
    guard let stored = stream.uint32(at: end, .big) else { throw .truncated(count: stream.count) }
    let computed = Adler32.checksum(Span(_unsafeStart: output, count: count))
    guard stored == computed else {
      throw .checksumMismatch(stored: stored, computed: computed)
    }
  }

  /// Begins a block, or goes on in one.
  private func step(limit: Int) throws(InflateError) {
    guard let current = codes else { return try beginBlock() }
    if try decode(current, limit: limit) { codes = nil }
  }

  private func beginBlock() throws(InflateError) {
    let stream = stream
    let bytes = stream.span.bytes
    try reader.refill(from: bytes)
    isLastBlock = reader.take(1) == 1
    switch reader.take(2) {
    case 0: try copyStored(bytes)
    case 1: codes = .fixed
    case 2: codes = try BlockCodes(bytes, &reader)
    default: throw reader.cause(.reservedBlockType(offset: reader.offset), bytes)
    }
  }

  private func copyStored(_ bytes: RawSpan) throws(InflateError) {
    let start = try reader.alignToByte(bytes)
    try reader.refill(from: bytes)
    let (length, complement) = (reader.take(16), reader.take(16))
    try reader.checkNotOverrun(bytes)
    guard length ^ complement == 0xFFFF else {
      throw .storedLengthMismatch(offset: start, length: length, complement: complement)
    }
    guard bytes.byteCount - start - 4 >= length else { throw .truncated(count: bytes.byteCount) }
    guard count - produced >= length else { throw .tooLong(offset: start, expected: count) }
    stream.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      (output + produced).update(from: base + (start + 4), count: length)
    }
    produced += length
    reader = BitReader(position: start + 4 + length)
  }
}

// MARK: - Symbols

extension Inflate {
  /// Decodes symbols until `limit` bytes have been produced; returns whether the block has ended.
  private func decode(_ codes: BlockCodes, limit: Int) throws(InflateError) -> Bool {
    let stream = stream
    let bytes = stream.span.bytes
    let (literals, distances) = (codes.literals.entries.span, codes.distances.entries.span)
    let literalMask = UInt64(1) << UInt64(codes.literals.rootBits) - 1
    let distanceMask = UInt64(1) << UInt64(codes.distances.rootBits) - 1
    let roomy = min(limit, count - Self.roundBytes)
    // Copies that stay in registers.
    var (input, position) = (reader, produced)
    let output = output
    var isEnded = false
    while position < limit {
      try input.refill(from: bytes)
      var entry: UInt32
      if position < roomy {
        // Bits for two literals of the first table, and a third symbol of any length.
        entry = literals[unchecked: Int(truncatingIfNeeded: input.bits & literalMask)]
        if Self.isLiteral(entry) {
          Self.put(entry, at: output + position, &input)
          entry = literals[unchecked: Int(truncatingIfNeeded: input.bits & literalMask)]
          position &+= 1
          if Self.isLiteral(entry) {
            Self.put(entry, at: output + position, &input)
            entry = literals[unchecked: Int(truncatingIfNeeded: input.bits & literalMask)]
            position &+= 1
          }
        }
        entry = Self.lookUp(entry, literals, &input)
        if Self.isLiteral(entry) {
          Self.put(entry, at: output + position, &input)
          position &+= 1
          continue
        }
      } else {
        entry = literals[unchecked: Int(truncatingIfNeeded: input.bits & literalMask)]
        entry = Self.lookUp(entry, literals, &input)
        if Self.isLiteral(entry), position < count {
          Self.put(entry, at: output + position, &input)
          position &+= 1
          continue
        }
      }
      guard Self.kind(entry) == DecodingTable.Kind.base else {
        try Self.end(entry, bytes, &input, expected: count)
        isEnded = true
        break
      }
      let length = Self.value(of: entry, &input)
      try input.refill(from: bytes)
      entry = distances[unchecked: Int(truncatingIfNeeded: input.bits & distanceMask)]
      entry = Self.lookUp(entry, distances, &input)
      let distance = Self.value(of: entry, &input)
      guard Self.kind(entry) == DecodingTable.Kind.base, distance <= position,
        length <= count &- position
      else {
        let match = (length, isKnown: Self.kind(entry) == DecodingTable.Kind.base, distance)
        throw input.cause(
          Self.error(of: match, offset: input.offset, produced: position, expected: count), bytes)
      }
      if position < roomy {
        Self.copyRoomily(length, from: distance, to: output + position)
      } else {
        for target in position..<position + length { output[target] = output[target - distance] }
      }
      position &+= length
    }
    (reader, produced) = (input, position)
    return isEnded
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

  @inline(__always)
  private static func isLiteral(_ entry: UInt32) -> Bool {
    kind(entry) == DecodingTable.Kind.literal
  }

  /// Writes a literal, and drops its bits.
  @inline(__always)
  private static func put(
    _ entry: UInt32, at target: UnsafeMutablePointer<UInt8>, _ reader: inout BitReader
  ) {
    reader.drop(Int(entry & 63))
    target.pointee = UInt8(truncatingIfNeeded: entry >> 16)
  }

  /// The entry of a symbol whose first look-up gave `entry`; the first table's bits are dropped.
  @inline(__always)
  private static func lookUp(
    _ entry: UInt32, _ table: Span<UInt32>, _ reader: inout BitReader
  ) -> UInt32 {
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

  /// Repeats the `length` bytes that begin `distance` before `start`; up to 15 bytes beyond are
  /// overwritten.
  @inline(__always)
  private static func copyRoomily(
    _ length: Int, from distance: Int, to start: UnsafeMutablePointer<UInt8>
  ) {
    let target = UnsafeMutableRawPointer(start)
    let source = UnsafeRawPointer(start - distance)
    var done = 0
    if distance >= 16 {
      repeat {
        target.storeBytes(
          of: source.loadUnaligned(fromByteOffset: done, as: SIMD16<UInt8>.self),
          toByteOffset: done, as: SIMD16<UInt8>.self)
        done &+= 16
      } while done < length
    } else if distance >= 8 {
      repeat {
        target.storeBytes(
          of: source.loadUnaligned(fromByteOffset: done, as: UInt64.self), toByteOffset: done,
          as: UInt64.self)
        done &+= 8
      } while done < length
    } else {
      // As many whole repetitions as eight bytes hold, at each step.
      let bits = UInt64(truncatingIfNeeded: 8 &* distance)
      var word: UInt64 = 0
      for byte in (0..<distance).reversed() {
        word = word &<< 8 | UInt64(source.load(fromByteOffset: byte, as: UInt8.self))
      }
      word |= word << bits
      word |= word << (2 &* bits)
      word |= word << (4 &* bits)
      let step = 8 / distance &* distance
      repeat {
        target.storeBytes(of: UInt64(littleEndian: word), toByteOffset: done, as: UInt64.self)
        done &+= step
      } while done < length
    }
  }
}
