//===--- Inflate.swift - decompression of zlib ----------------------------===//
//
// header ▶ blocks (stored, fixed codes, dynamic codes) ▶ Adler-32
//
// A block is a sequence of literals and matches (a length, and a distance back in the output). The
// caller knows the size of the output. A stream too short for that size, at Deflate's best ratio of
// 1032, is rejected before. The output is allocated once; a caller that needs only a part of it at a
// time sets a capacity and drops what it has used. The stream may be in several parts of a file, which
// are loaded one after another.
//
// Contract  Accepts any input. All reads and writes are checked; nothing traps. Bytes after the
//           checksum are ignored.
// Cost      One lookup per symbol (two for rare ones), one refill per up to three literals, 16
//           bytes per step in matches.
// Source    RFC 1950, RFC 1951
//===----------------------------------------------------------------------===//

import MartletBase

/// Decodes a zlib stream, in any number of steps. It is safe to use: it checks that it writes only
/// `count` bytes of output, and reads only those before them.
@safe package final class Inflate {
  /// The maximum number of bytes that one byte of a Deflate stream can encode: 258 per 2 bits.
  private static let bestRatio = 1032

  /// The maximum number of bytes that a step produces, without the last symbol, and more than it reads.
  private static let stepOutput = 1 << 16
  private static let stepInput = 1 << 18
  /// The work of the beginning of a block, and of one with tables of codes.
  private static let blockSteps = 1 << 8
  private static let tableSteps = 1 << 12
  /// The maximum number of bytes of a stream in parts that are loaded.
  static let inputBytes = 3 * stepInput
  /// The maximum distance of a match.
  private static let window = 1 << 15

  /// The stream, or as much of it as is loaded.
  private(set) var stream: [UInt8]
  /// The parts of `file` that are not loaded, the last first.
  private let file: [UInt8]
  private var parts: [Range<Int>]
  /// The number of bytes of output that have been dropped, and of all others.
  private(set) var dropped = 0
  private(set) var count: Int
  private let capacity: Int
  private let work: DecodingWork
  /// The output that has not been dropped; valid during the lifetime of this object.
  let output: UnsafeMutablePointer<UInt8>
  var produced = 0
  var reader = BitReader(position: 2)
  /// The checksum of what has been dropped.
  private var checksum: UInt32 = 1
  /// The codes of the current block; `nil` between blocks.
  private var codes: BlockCodes?
  private var isLastBlock = false

  /// Decompresses the zlib stream at the start of `stream`, which must encode `count` bytes.
  package static func zlib(_ stream: [UInt8], count: Int) throws(InflateError) -> [UInt8] {
    let work = DecodingWork(byteCount: stream.count, .serial)
    work.allow(samples: Int64(count))
    let inflate = try Inflate(stream, count: count, work)
    _ = try inflate.inflate(until: count)
    try inflate.end()
    // Without an error, all bytes have been produced.
    return unsafe Array(UnsafeBufferPointer(start: inflate.output, count: count))
  }

  /// Decompresses a Deflate stream without zlib's header and checksum, which must encode `count` bytes.
  package static func raw(_ stream: [UInt8], count: Int) throws(InflateError) -> [UInt8] {
    let work = DecodingWork(byteCount: stream.count, .serial)
    work.allow(samples: Int64(count))
    let inflate = try Inflate([0x78, 0x9C] + stream, count: count, work)
    _ = try inflate.inflate(until: count)
    return unsafe Array(UnsafeBufferPointer(start: inflate.output, count: count))
  }

  /// Decompresses the zlib stream at the start of `stream`, which must encode at most `limit` bytes.
  static func zlib(
    _ stream: [UInt8], limit: Int, _ work: DecodingWork
  ) throws(InflateError) -> [UInt8] {
    let inflate = try Inflate(stream, count: limit, isWhole: false, work)
    do throws(InflateError) { _ = try inflate.inflate(until: limit) } catch .tooShort {}
    try inflate.end()
    // Without an error, all bytes of the stream have been produced.
    return unsafe Array(UnsafeBufferPointer(start: inflate.output, count: inflate.produced))
  }

  /// A decoder of the zlib stream at the start of `stream`, which must encode `count` bytes. If
  /// `isWhole` is false, the stream may be too short for them.
  convenience init(
    _ stream: [UInt8], count: Int, isWhole: Bool = true, _ work: DecodingWork
  ) throws(InflateError) {
    try self.init(
      stream, [stream.indices], count: count, isWhole: isWhole, capacity: count, work)
  }

  /// A decoder of the zlib stream in parts of `file`, which must encode `count` bytes, with memory for
  /// `capacity` of them.
  init(
    _ file: [UInt8], _ parts: [Range<Int>], count: Int, isWhole: Bool, capacity: Int,
    _ work: DecodingWork
  ) throws(InflateError) {
    try Self.checkHeader(Array(parts.lazy.flatMap { file[$0] }.prefix(2)))
    guard !isWhole || count / Self.bestRatio <= parts.reduce(0, { $0 + $1.count }) else {
      throw .tooShort(produced: 0, expected: count)
    }
    (self.file, self.count, self.work) = (file, count, work)
    self.capacity = min(capacity, count)
    unsafe output = .allocate(capacity: max(self.capacity, 1))
    let isLoaded = parts == [file.indices]
    stream = isLoaded ? file : []
    self.parts = isLoaded ? [] : parts.reversed()
  }

  deinit { unsafe output.deallocate() }

  private static func checkHeader(_ stream: [UInt8]) throws(InflateError) {
    guard let header = stream.uint16(at: 0, .big) else { throw .truncated(count: stream.count) }
    guard header >> 8 & 15 == 8, header >> 12 <= 7, header % 31 == 0 else {
      throw .badHeader(UInt16(header))
    }
    guard header & 0x20 == 0 else { throw .presetDictionary }
  }

  /// The number of bytes that the output has room for.
  var outputEnd: Int { min(count, capacity) }

  /// Continues until at least `limit` bytes, or all, have been produced; returns how many. Fewer than
  /// `overrun` more may be produced, for which the output must have room.
  func inflate(until limit: Int) throws(InflateError) -> Int {
    while produced < min(limit, count) {
      guard codes != nil || !isLastBlock else {
        throw .tooShort(produced: dropped + produced, expected: dropped + count)
      }
      try step(limit: min(limit, count, produced + Self.stepOutput))
    }
    return produced
  }

  /// The maximum number of bytes that are produced beyond a limit.
  static let overrun = 1 << 16

  /// Drops bytes at the start of the output, up to `position` at most, unless there is room for
  /// `room` more bytes; returns their number. All positions decrease by it.
  func drop(before position: Int, room: Int) -> Int {
    let number = min(position, produced - Self.window)
    guard number > 0, produced < count, outputEnd - produced < min(room, count - produced) else {
      return 0
    }
    // At least as many bytes have been produced.
    checksum = unsafe Adler32.checksum(Span(_unsafeStart: output, count: number), after: checksum)
    unsafe output.update(from: output + number, count: produced - number)
    produced -= number
    count -= number
    dropped += number
    return number
  }

  /// Loads more of the stream if less is left than a step may read.
  private func load() {
    guard !parts.isEmpty, reader.rest(of: stream) < Self.stepInput else { return }
    stream.removeFirst(reader.forget())
    while stream.count < 2 * Self.stepInput, let part = parts.popLast() {
      let loaded = part.prefix(2 * Self.stepInput)
      stream += file[loaded]
      if loaded.count < part.count { parts.append(loaded.upperBound..<part.upperBound) }
    }
  }

  /// Reads to the end of the stream, which must follow the bytes produced, and compares checksums.
  func end() throws(InflateError) {
    while codes != nil || !isLastBlock { try step(limit: .max) }
    load()
    let stream = stream
    let end = try reader.alignToByte(stream.span)
    guard let stored = stream.uint32(at: end, .big) else {
      throw .truncated(count: reader.offset + stream.count - end)
    }
    // The last block has ended, and `step` throws if it ends before `count` bytes.
    let rest = unsafe Span(_unsafeStart: output, count: produced)
    let computed = Adler32.checksum(rest, after: checksum)
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

  /// Begins a block, or continues the current one.
  private func step(limit: Int) throws(InflateError) {
    load()
    let before = produced
    guard let current = codes else {
      try work.charge(try beginBlock(), InflateError.stopped)
      return try work.charge(produced - before, InflateError.stopped)
    }
    if try decode(current, limit: limit) { codes = nil }
    try work.charge(produced - before, InflateError.stopped)
  }

  /// Reads the beginning of a block; returns the work of that.
  private func beginBlock() throws(InflateError) -> Int {
    let stream = stream
    let bytes = stream.span
    try reader.refill(from: bytes)
    isLastBlock = reader.take(1) == 1
    switch reader.take(2) {
    case 0: try copyStored(bytes)
    case 1: codes = .fixed
    case 2:
      codes = try BlockCodes(bytes, &reader)
      return Self.tableSteps
    default: throw reader.cause(.reservedBlockType(offset: reader.offset), bytes)
    }
    return Self.blockSteps
  }

  private func copyStored(_ bytes: Span<UInt8>) throws(InflateError) {
    let start = try reader.alignToByte(bytes)
    let offset = reader.offset
    try reader.refill(from: bytes)
    let (length, complement) = (reader.take(16), reader.take(16))
    try reader.checkNotOverrun(bytes)
    guard length ^ complement == 0xFFFF else {
      throw .storedLengthMismatch(offset: offset, length: length, complement: complement)
    }
    let available = min(length, bytes.count - start - 4)
    let fitting = min(available, outputEnd - produced)
    // At least as many bytes are left in the stream and in the output.
    unsafe stream.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe (output + produced).update(from: base + (start + 4), count: fitting)
    }
    produced += fitting
    guard available == length else { throw .truncated(count: offset + bytes.count - start) }
    guard fitting == length else { throw .tooLong(offset: offset, expected: dropped + count) }
    reader.moveTo(start + 4 + length)
  }
}
