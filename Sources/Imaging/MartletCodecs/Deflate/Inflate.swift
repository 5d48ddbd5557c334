//===--- Inflate.swift - decompression of zlib ----------------------------===//
//
// header ▶ blocks (stored, fixed codes, dynamic codes) ▶ Adler-32
//
// A block is a sequence of literals and matches (a length, and a distance back in the output). The
// caller knows the size of the output, so it is allocated once. A stream too short for that size,
// at Deflate's best ratio of 1032, is rejected before.
//
// Contract  Accepts any input. All reads and writes are checked; nothing traps. Bytes after the
//           checksum are ignored.
// Cost      One lookup per symbol (two for rare ones), one refill per up to three literals, 16
//           bytes per step in matches.
// Source    RFC 1950, RFC 1951
// Checked   Tests/MartletCodecsTests/InflateTests.swift
//===----------------------------------------------------------------------===//

/// Decodes a zlib stream, in any number of steps. It is safe to use: it checks that it writes only
/// `count` bytes of output, and reads only those before them.
@safe package final class Inflate {
  /// The maximum number of bytes that one byte of a Deflate stream can encode: 258 per 2 bits.
  private static let bestRatio = 1032

  let stream: [UInt8]
  let count: Int
  /// The output so far, with capacity for `count` bytes; valid during the lifetime of this object.
  let output: UnsafeMutablePointer<UInt8>
  var produced = 0
  var reader = BitReader(position: 2)
  /// The codes of the current block; `nil` between blocks.
  private var codes: BlockCodes?
  private var isLastBlock = false

  /// Decompresses the zlib stream at the start of `stream`, which must encode `count` bytes.
  package static func zlib(_ stream: [UInt8], count: Int) throws(InflateError) -> [UInt8] {
    let inflate = try Inflate(stream, count: count)
    _ = try inflate.inflate(until: count)
    try inflate.end()
    // Without an error, all bytes have been produced.
    return unsafe Array(UnsafeBufferPointer(start: inflate.output, count: count))
  }

  /// Decompresses the zlib stream at the start of `stream`, which must encode at most `limit` bytes.
  static func zlib(_ stream: [UInt8], limit: Int) throws(InflateError) -> [UInt8] {
    let inflate = try Inflate(stream, count: limit, isWhole: false)
    do throws(InflateError) { _ = try inflate.inflate(until: limit) } catch .tooShort {}
    try inflate.end()
    // Without an error, all bytes of the stream have been produced.
    return unsafe Array(UnsafeBufferPointer(start: inflate.output, count: inflate.produced))
  }

  /// A decoder of the zlib stream at the start of `stream`, which must encode `count` bytes. If
  /// `isWhole` is false, the stream may be too short for them.
  init(_ stream: [UInt8], count: Int, isWhole: Bool = true) throws(InflateError) {
    try Self.checkHeader(stream)
    guard !isWhole || count / Self.bestRatio <= stream.count else {
      throw .tooShort(produced: 0, expected: count)
    }
    self.stream = stream
    self.count = count
    unsafe output = .allocate(capacity: max(count, 1))
  }

  deinit { unsafe output.deallocate() }

  private static func checkHeader(_ stream: [UInt8]) throws(InflateError) {
    guard let header = stream.uint16(at: 0, .big) else { throw .truncated(count: stream.count) }
    guard header >> 8 & 15 == 8, header >> 12 <= 7, header % 31 == 0 else {
      throw .badHeader(UInt16(header))
    }
    guard header & 0x20 == 0 else { throw .presetDictionary }
  }

  /// Continues until at least `limit` bytes, or all, have been produced; returns how many.
  func inflate(until limit: Int) throws(InflateError) -> Int {
    while produced < min(limit, count) {
      guard codes != nil || !isLastBlock else {
        throw .tooShort(produced: produced, expected: count)
      }
      try step(limit: min(limit, count))
    }
    return produced
  }

  /// Reads to the end of the stream, which must follow the bytes produced, and compares checksums.
  func end() throws(InflateError) {
    while codes != nil || !isLastBlock { try step(limit: .max) }
    let stream = stream
    let end = try reader.alignToByte(stream.span)
    guard let stored = stream.uint32(at: end, .big) else { throw .truncated(count: stream.count) }
    // The last block has ended, and `step` throws if it ends before `count` bytes.
    let computed = unsafe Adler32.checksum(Span(_unsafeStart: output, count: produced))
    guard stored == computed else {
      throw .checksumMismatch(stored: stored, computed: computed)
    }
  }

  /// Decodes what is left of the current block after an error; returns the number of bytes
  /// produced.
  func salvage() -> Int {
    do throws(InflateError) {
      while produced < count, codes != nil { try step(limit: produced + 1) }
    } catch {}
    return produced
  }

  /// Replaces the output from `start` on with zeros.
  func clear(from start: Int) {
    precondition(start >= 0 && start <= count)
    unsafe (output + start).update(repeating: 0, count: count - start)
  }

  /// Begins a block, or continues the current one.
  private func step(limit: Int) throws(InflateError) {
    guard let current = codes else { return try beginBlock() }
    if try decode(current, limit: limit) { codes = nil }
  }

  private func beginBlock() throws(InflateError) {
    let stream = stream
    let bytes = stream.span
    try reader.refill(from: bytes)
    isLastBlock = reader.take(1) == 1
    switch reader.take(2) {
    case 0: try copyStored(bytes)
    case 1: codes = .fixed
    case 2: codes = try BlockCodes(bytes, &reader)
    default: throw reader.cause(.reservedBlockType(offset: reader.offset), bytes)
    }
  }

  private func copyStored(_ bytes: Span<UInt8>) throws(InflateError) {
    let start = try reader.alignToByte(bytes)
    try reader.refill(from: bytes)
    let (length, complement) = (reader.take(16), reader.take(16))
    try reader.checkNotOverrun(bytes)
    guard length ^ complement == 0xFFFF else {
      throw .storedLengthMismatch(offset: start, length: length, complement: complement)
    }
    let available = min(length, bytes.count - start - 4)
    let fitting = min(available, count - produced)
    // At least as many bytes are left in the stream and in the output.
    unsafe stream.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe (output + produced).update(from: base + (start + 4), count: fitting)
    }
    produced += fitting
    guard available == length else { throw .truncated(count: bytes.count) }
    guard fitting == length else { throw .tooLong(offset: start, expected: count) }
    reader = BitReader(position: start + 4 + length)
  }
}
