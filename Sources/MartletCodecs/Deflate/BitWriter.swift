//===--- BitWriter.swift - bits into a byte stream, lowest first ----------===//
//
// Checked   Tests/MartletCodecsTests/DeflateTests.swift
//===----------------------------------------------------------------------===//

/// A byte stream that grows by bits.
struct BitWriter {
  /// The whole bytes so far.
  private(set) var bytes: [UInt8]
  private var bits: UInt64 = 0
  private var count = 0

  /// Begins after the given bytes.
  init(after bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Appends the low `length` bits of `value`, at most 32; those above must be zero.
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

  /// Fills the last byte with zeros.
  mutating func alignToByte() {
    if count > 0 { write(0, 8 - count) }
  }

  /// Appends whole bytes after an `alignToByte`.
  mutating func append(_ more: ArraySlice<UInt8>) {
    bytes += more
  }
}
