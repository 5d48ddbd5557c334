//===--- Int8Widen.swift - bytes to 16 bits -------------------------------===//
//
// y[i] = x[i] - zero point, for unsigned bytes, or signed ones with their top bit flipped.
//
// Cost      One pass; a plain loop that the compiler vectorizes.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

extension Level {
  package static func int8Widen(
    _ x: UnsafePointer<UInt8>, count: Int, _ zeroPoint: ByteZeroPoint,
    into y: UnsafeMutablePointer<Int16>
  ) {
    let (flip, value) = (zeroPoint.flip, zeroPoint.value)
    for i in 0..<count { y[i] = Int16(truncatingIfNeeded: x[i] ^ flip) &- value }
  }
}
