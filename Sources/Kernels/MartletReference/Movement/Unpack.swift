//===--- Unpack.swift - integers of less than a byte ----------------------===//
//
// Files pack two or four integers into a byte, lowest bits first; memory has one per byte.
//
// Contract  int4, int2 and uint4 of the TensorFlow Lite schema. The bits after the last element are
//           ignored.
// Cost      One pass.
//===----------------------------------------------------------------------===//

import MartletBase

extension Reference {
  /// Stores as many elements of `type`, which is narrow, as `y` has bytes.
  package static func unpack(
    _ packed: UnsafeRawBufferPointer, _ type: ElementType, into y: UnsafeMutableRawBufferPointer
  ) {
    let width = type.bitWidth
    let inByte = 8 / width
    let down = UInt8(8 - width)
    let isSigned = type.unpacked == .int8
    for i in 0..<y.count {
      // To the top of the byte, and down again with the sign or without.
      let top = packed[i / inByte] << UInt8((inByte - 1 - i % inByte) * width)
      y[i] = isSigned ? UInt8(bitPattern: Int8(bitPattern: top) >> Int8(down)) : top >> down
    }
  }
}
