//===--- ByteZero.swift - what stands for zero among bytes ----------------===//
//
// Signed bytes become unsigned by a flip of the top bit, and so does their zero point: kernels know
// unsigned bytes alone.
//===----------------------------------------------------------------------===//

/// The zero point of an image's bytes, and how they are stored.
package struct ByteZero: Sendable, Hashable {
  let flip: UInt8
  let zeroPoint: Int16

  package init(isSigned: Bool, zeroPoint: Int32) {
    flip = isSigned ? 0x80 : 0
    self.zeroPoint = Int16(truncatingIfNeeded: isSigned ? zeroPoint + 128 : zeroPoint)
  }

  /// The zero point as it is stored.
  var byte: UInt8 { UInt8(truncatingIfNeeded: zeroPoint) ^ flip }
}
