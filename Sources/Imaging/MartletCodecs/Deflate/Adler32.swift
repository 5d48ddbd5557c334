//===--- Adler32.swift - checksum of a zlib stream ------------------------===//
//
// a = 1 + Σ x[i],  b = Σ of a after each byte, both modulo 65521.
//
// Sixteen lanes run in parallel: lane j sums the bytes j, j + 16, …, and those running sums. In n
// vectors of 16 bytes, byte (k, j) counts 16·(n − k) − j times in b, and 16·(n − k) is 16 times the
// sum of the running sums.
//
// Cost      One pass, 16 bytes per step, one reduction per 4 KiB, so that no lane overflows (256 ·
//           255 · 257 / 2 < 2^32).
// Source    RFC 1950 section 8.2
//===----------------------------------------------------------------------===//

/// The Adler-32 checksum.
enum Adler32 {
  private static let modulus: UInt32 = 65521
  private static let vectorsInBlock = 256

  /// The checksum of `bytes` after others, whose checksum is `first`.
  static func checksum(_ bytes: Span<UInt8>, after first: UInt32 = 1) -> UInt32 {
    var (sum, sumOfSums) = (first & 0xFFFF, first >> 16)
    var position = 0
    while bytes.count - position >= 16 {
      let vectors = min((bytes.count - position) / 16, vectorsInBlock)
      add(bytes, at: position, vectors: vectors, to: &sum, &sumOfSums)
      position += vectors * 16
    }
    while position < bytes.count {
      sum = (sum + UInt32(bytes[position])) % modulus
      sumOfSums = (sumOfSums + sum) % modulus
      position += 1
    }
    return sumOfSums << 16 | sum
  }

  /// Adds `vectors` vectors of 16 bytes, which must be in `bytes` from `start` on.
  private static func add(
    _ bytes: Span<UInt8>, at start: Int, vectors: Int,
    to sum: inout UInt32, _ sumOfSums: inout UInt32
  ) {
    var lanes = SIMD16<UInt32>.zero
    var lanesOfLanes = SIMD16<UInt32>.zero
    for index in 0..<vectors {
      let vector = unsafe bytes.bytes.unsafeLoadUnaligned(
        fromByteOffset: start + index * 16, as: SIMD16<UInt8>.self)
      lanes &+= SIMD16<UInt32>(truncatingIfNeeded: vector)
      lanesOfLanes &+= lanes
    }
    var weighted: UInt64 = UInt64(sumOfSums) + UInt64(sum) * UInt64(vectors * 16)
    var total = UInt64(sum)
    for lane in 0..<16 {
      weighted += 16 * UInt64(lanesOfLanes[lane]) - UInt64(lane) * UInt64(lanes[lane])
      total += UInt64(lanes[lane])
    }
    sum = UInt32(total % UInt64(modulus))
    sumOfSums = UInt32(weighted % UInt64(modulus))
  }
}
