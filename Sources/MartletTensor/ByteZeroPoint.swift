//===--- ByteZeroPoint.swift - zero point of bytes ------------------------===//
//
// Signed bytes become unsigned by a flip of the top bit, and so does their zero point: kernels know
// unsigned bytes alone.
//
// Checked   Tests/MartletKernelsTests/QuantizedConvolutionTests.swift
//===----------------------------------------------------------------------===//

/// The zero point of bytes, and how they are stored.
@usableFromInline
package struct ByteZeroPoint: Sendable, Hashable {
  @usableFromInline package let flip: UInt8
  /// The zero point of the unsigned bytes.
  @usableFromInline package let value: Int16

  @inlinable @inline(__always)
  package init(flip: UInt8, value: Int16) {
    self.flip = flip
    self.value = value
  }

  package init(isSigned: Bool, zeroPoint: Int32) {
    self.init(
      flip: isSigned ? 0x80 : 0,
      value: Int16(truncatingIfNeeded: isSigned ? zeroPoint + 128 : zeroPoint))
  }

  /// The zero point as it is stored.
  @inlinable @inline(__always)
  package var byte: UInt8 { UInt8(truncatingIfNeeded: value) ^ flip }
}
