//===--- Widen.swift - bytes to 16-bit integers ---------------------------===//
//
// dest[i] = source[i] - zero point, for unsigned bytes, or signed ones with their top bit flipped.
//
// Cost      One pass; a plain loop that the compiler turns into vectors.
//===----------------------------------------------------------------------===//

extension Loops {
  /// Writes `count` bytes, less the zero point, as 16-bit integers. Signed bytes become unsigned by a
  /// `flip` of the top bit, and so does their zero point.
  package static func widen(
    _ source: UnsafePointer<UInt8>, _ count: Int, flip: UInt8, zeroPoint: Int16,
    to dest: UnsafeMutablePointer<Int16>
  ) {
    for i in 0..<count {
      dest[i] = Int16(truncatingIfNeeded: source[i] ^ flip) &- zeroPoint
    }
  }
}
