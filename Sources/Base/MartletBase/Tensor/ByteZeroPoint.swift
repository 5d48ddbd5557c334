//===--- ByteZeroPoint.swift - zero points of bytes -----------------------===//
//
// Kernels compute with unsigned bytes only. Signed bytes are converted by flipping the top bit,
// which adds 128 to their zero point.
//===----------------------------------------------------------------------===//

/// The zero point of a byte tensor, and the mask that makes its bytes unsigned.
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

  /// The zero point as stored in the tensor.
  @inlinable @inline(__always)
  package var byte: UInt8 { UInt8(truncatingIfNeeded: value) ^ flip }
}
