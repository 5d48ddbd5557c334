//===--- JPEGBitWriter.swift - writing the bits of a scan -----------------===//
//
// Contract  The highest bit first; a zero byte follows each 0xFF. The caller provides room: at most
//           `JPEGWaitingBits.largestBlock` bytes for a block.
//===----------------------------------------------------------------------===//

/// The bits that do not fill a byte yet; they pass from one writer to the next.
struct JPEGWaitingBits {
  /// The most bytes of a block: 64 codes of 16 bits with 11 bits each, and a zero after each byte.
  static let largestBlock = 2 * 64 * 27 / 8

  var bits: UInt64 = 0
  var count = 0
}

/// Writes bits into memory. The pointer is valid while the writer is used.
@unsafe
struct JPEGBitWriter {
  private let start: UnsafeMutablePointer<UInt8>
  private var next: UnsafeMutablePointer<UInt8>
  private(set) var waiting: JPEGWaitingBits

  init(_ start: UnsafeMutablePointer<UInt8>, after waiting: JPEGWaitingBits) {
    unsafe self.start = unsafe start
    unsafe next = unsafe start
    unsafe self.waiting = waiting
  }

  /// The number of bytes written.
  var count: Int { unsafe next - start }

  /// Appends a code, then the lowest `count` bits, at most 11; higher ones are zero.
  @inline(__always)
  mutating func append(_ code: JPEGEncoderCodes.Code, _ bits: UInt32 = 0, count: Int = 0) {
    unsafe append(
      (code &>> 8) &<< UInt32(count) | bits, count: Int(truncatingIfNeeded: code & 0xFF) &+ count)
  }

  /// Appends the lowest `count` bits, at most 32; higher ones are zero.
  @inline(__always)
  mutating func append(_ bits: UInt32, count: Int) {
    unsafe waiting.bits = unsafe waiting.bits &<< UInt64(count) | UInt64(bits)
    unsafe waiting.count &+= count
    guard unsafe waiting.count >= 32 else { return }
    unsafe waiting.count &-= 32
    let word = unsafe UInt32(truncatingIfNeeded: waiting.bits &>> UInt64(waiting.count))
    // A byte of ones is where the complement has a zero byte.
    guard (~word &- 0x0101_0101) & word & 0x8080_8080 == 0 else {
      unsafe next = unsafe JPEGBitWriter.append(bytesOf: word, at: next)
      return
    }
    unsafe UnsafeMutableRawPointer(next).storeBytes(of: word.bigEndian, as: UInt32.self)
    unsafe next += 4
  }

  /// Writes four bytes and returns the place after them. Takes no writer, whose fields can therefore
  /// stay in registers.
  @inline(never)
  private static func append(
    bytesOf word: UInt32, at place: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var next = unsafe place
    var shift: UInt32 = 32
    while shift > 0 {
      shift &-= 8
      unsafe next = unsafe append(byte: UInt8(truncatingIfNeeded: word &>> shift), at: next)
    }
    return unsafe next
  }

  private static func append(
    byte: UInt8, at place: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    unsafe place[0] = byte
    guard byte == 0xFF else { return unsafe place + 1 }
    unsafe place[1] = 0
    return unsafe place + 2
  }

  /// Writes the waiting bits; ones fill the last byte.
  mutating func finish() {
    let missing = unsafe (8 - waiting.count % 8) % 8
    unsafe append((1 << UInt32(missing)) - 1, count: missing)
    while unsafe waiting.count > 0 {
      unsafe waiting.count -= 8
      let byte = unsafe UInt8(truncatingIfNeeded: waiting.bits >> UInt64(waiting.count))
      unsafe next = unsafe JPEGBitWriter.append(byte: byte, at: next)
    }
  }
}
