//===--- InverseDCT.swift - arguments of the inverse cosine transform -----===//
//
// Blocks of 8 by 8 coefficients that lie one after the other, as image files have them; their samples
// lie side by side.
//
// Checked   Tests/MartletKernelsTests/Int16InverseDCTTests.swift
//===----------------------------------------------------------------------===//

/// A line of blocks of quantized coefficients, which become samples.
@usableFromInline
package struct Int16InverseDCT {
  /// The coefficients, 64 of each block in natural order.
  @usableFromInline package let coefficients: UnsafePointer<Int16>
  /// For each block, a bit for each coefficient but the first, in zigzag order, that is not zero.
  @usableFromInline package let occupied: UnsafePointer<UInt64>
  /// The blocks.
  @usableFromInline package let count: Int
  /// What each coefficient is multiplied by, 64 in natural order.
  @usableFromInline package let quantization: UnsafePointer<Int16>
  /// 8 rows of 8 samples a block, `stride` apart.
  @usableFromInline package let samples: UnsafeMutablePointer<UInt8>
  @usableFromInline package let stride: Int

  /// The bits of the coefficients in a block's first row (ITU-T T.81, figure A.6).
  @inlinable @inline(__always)
  package static var firstRow: UInt64 {
    1 << 1 | 1 << 5 | 1 << 6 | 1 << 14 | 1 << 15 | 1 << 27 | 1 << 28
  }

  @inlinable @inline(__always)
  package init(
    coefficients: UnsafePointer<Int16>, occupied: UnsafePointer<UInt64>, count: Int,
    quantization: UnsafePointer<Int16>, samples: UnsafeMutablePointer<UInt8>, stride: Int
  ) {
    self.coefficients = coefficients
    self.occupied = occupied
    self.count = count
    self.quantization = quantization
    self.samples = samples
    self.stride = stride
  }
}
