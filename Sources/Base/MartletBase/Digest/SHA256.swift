//===--- SHA256.swift - SHA-256 of a stream -------------------------------===//
//
// SHA-256 of FIPS 180-4. Each block of 64 bytes is mixed into eight state words in 64 rounds. The
// last block has a one bit after the message, and the message's length.
//
// Contract  Any number of `update`s of any size; the digest depends only on their concatenation.
//           Messages must be shorter than 2^61 bytes.
// Cost      Constant memory; allocates nothing.
//===----------------------------------------------------------------------===//

/// Computes a SHA-256 digest incrementally.
package struct SHA256 {
  private static let blockSize = 64

  private var state = SIMD8<UInt32>(
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19)
  /// The bytes after the last whole block; the first `count % 64` are valid.
  private var pending = SIMD64<UInt8>.zero
  private var count: UInt64 = 0

  package init() {}

  /// The digest of `bytes`.
  package static func digest(of bytes: [UInt8]) -> Digest {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  /// Appends bytes to the message.
  package mutating func update(_ bytes: [UInt8]) { update(bytes.span) }

  /// Appends bytes to the message.
  package mutating func update(_ bytes: Span<UInt8>) {
    let held = Int(count % UInt64(SHA256.blockSize))
    count &+= UInt64(bytes.count)
    var position = 0
    if held > 0 {
      position = min(SHA256.blockSize - held, bytes.count)
      keep(bytes.extracting(first: position), at: held)
      guard held + position == SHA256.blockSize else { return }
      mixPending()
    }
    while bytes.count - position >= SHA256.blockSize {
      // Any bytes are a valid vector, and the span checks its bounds.
      unsafe mix(bytes.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: Block.self))
      position += SHA256.blockSize
    }
    keep(bytes.extracting(position...), at: 0)
  }

  /// Stores `bytes` after the last whole block.
  private mutating func keep(_ bytes: Span<UInt8>, at start: Int) {
    for index in bytes.indices { pending[start + index] = bytes[index] }
  }

  /// Returns the digest of the message.
  package consuming func finish() -> Digest {
    let bits = count &* 8
    var index = Int(count % UInt64(SHA256.blockSize))
    pending[index] = 0x80
    index += 1
    if index > SHA256.blockSize - 8 {
      while index < SHA256.blockSize {
        pending[index] = 0
        index += 1
      }
      mixPending()
      index = 0
    }
    while index < SHA256.blockSize - 8 {
      pending[index] = 0
      index += 1
    }
    for byte in 0..<8 {
      pending[index + byte] = UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * byte))
    }
    mixPending()
    return Digest(words: state)
  }

  private mutating func mixPending() {
    // The two vectors have the same size, and any bytes are valid.
    unsafe mix(unsafeBitCast(pending, to: Block.self))
  }

  /// The big-endian words of a block.
  private typealias Block = SIMD16<UInt32>

  /// Mixes a block into the state.
  private mutating func mix(_ block: Block) {
    // The temporary memory has room for 64 words, which are written in order before they are read.
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
      for index in 0..<16 { unsafe words[index] = UInt32(bigEndian: block[index]) }
      unsafe SHA256.extend(words)
      unsafe state &+= SHA256.rounds(state, words)
    }
  }

  /// Computes the words after the first 16.
  private static func extend(_ words: UnsafeMutableBufferPointer<UInt32>) {
    for index in 16..<64 {
      let (early, late) = unsafe (words[index &- 15], words[index &- 2])
      unsafe words[index] =
        words[index &- 16] &+ words[index &- 7]
        &+ (rotated(early, 7) ^ rotated(early, 18) ^ (early >> 3))
        &+ (rotated(late, 17) ^ rotated(late, 19) ^ (late >> 10))
    }
  }

  /// The state after 64 rounds. A round rotates the names of the words instead of moving them.
  /// After eight rounds each word has its own name again.
  private static func rounds(
    _ state: SIMD8<UInt32>, _ words: UnsafeMutableBufferPointer<UInt32>
  ) -> SIMD8<UInt32> {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in stride(from: 0, to: 64, by: 8) {
      unsafe round(a, b, c, &d, e, f, g, &h, words[index], constants[index])
      unsafe round(h, a, b, &c, d, e, f, &g, words[index | 1], constants[index | 1])
      unsafe round(g, h, a, &b, c, d, e, &f, words[index | 2], constants[index | 2])
      unsafe round(f, g, h, &a, b, c, d, &e, words[index | 3], constants[index | 3])
      unsafe round(e, f, g, &h, a, b, c, &d, words[index | 4], constants[index | 4])
      unsafe round(d, e, f, &g, h, a, b, &c, words[index | 5], constants[index | 5])
      unsafe round(c, d, e, &f, g, h, a, &b, words[index | 6], constants[index | 6])
      unsafe round(b, c, d, &e, f, g, h, &a, words[index | 7], constants[index | 7])
    }
    return SIMD8(a, b, c, d, e, f, g, h)
  }

  @inline(__always)
  private static func round(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32,
    _ g: UInt32, _ h: inout UInt32, _ word: UInt32, _ constant: UInt32
  ) {
    let choice = g ^ (e & (f ^ g))
    let majority = (a & b) | (c & (a | b))
    h = h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ constant &+ word
    d = d &+ h
    h = h &+ (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}

/// Rotates `word` to the right.
@inline(__always)
private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
  (word &>> count) | (word &<< (32 &- count))
}
