//===--- ByteZero.swift - zero point of bytes -----------------------------===//
//
// Signed bytes become unsigned by a flip of the top bit, and so does their zero point: kernels know
// unsigned bytes alone.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

/// The zero point of an image's bytes, and how they are stored.
package typealias ByteZero = ByteZeroPoint

extension ByteZeroPoint {
  package init(isSigned: Bool, zeroPoint: Int32) {
    self.init(
      flip: isSigned ? 0x80 : 0,
      value: Int16(truncatingIfNeeded: isSigned ? zeroPoint + 128 : zeroPoint))
  }

  /// The zero point as it is stored.
  var byte: UInt8 { UInt8(truncatingIfNeeded: value) ^ flip }
}
