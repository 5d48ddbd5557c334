//===--- BitWriter.swift - bits, lowest first -----------------------------===//

/// Appends bits to an array of bytes.
struct BitWriter {
  /// The complete bytes so far.
  private(set) var bytes: [UInt8]
  private var bits: UInt64 = 0
  private var count = 0

  /// A writer that appends to `bytes`.
  init(after bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Appends the low `length` bits of `value`, at most 32; the bits above must be zero.
  @inline(__always)
  mutating func write(_ value: Int, _ length: Int) {
    bits |= UInt64(truncatingIfNeeded: value) &<< UInt64(truncatingIfNeeded: count)
    count &+= length
    while count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits &>>= 8
      count &-= 8
    }
  }

  /// Fills the last byte with zero bits.
  mutating func alignToByte() {
    if count > 0 { write(0, 8 - count) }
  }

  /// Appends whole bytes; `alignToByte` must come first.
  mutating func append(_ more: ArraySlice<UInt8>) {
    bytes += more
  }
}
