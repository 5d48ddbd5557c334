//===--- InverseDCT.swift - inverse cosine transform ----------------------===//
//
// Arguments of the transform of consecutive blocks of 8x8 coefficients, as stored in image files,
// to adjacent blocks of 8x8 samples, or of 4x4, 2x2 or 1x1 for a reduced image.
//===----------------------------------------------------------------------===//

/// A line of blocks of quantized coefficients to convert to samples.
@usableFromInline
package struct Int16InverseDCT {
  /// The coefficients in natural order, `coefficientCount(side)` per block.
  @usableFromInline package let coefficients: UnsafePointer<Int16>
  /// A bit mask per block: the bits, in zigzag order, of the nonzero coefficients except the first.
  @usableFromInline package let occupied: UnsafePointer<UInt64>
  /// The number of blocks.
  @usableFromInline package let count: Int
  /// The quantization factors of the coefficients, 64 in natural order.
  @usableFromInline package let quantization: UnsafePointer<Int16>
  /// `side` rows of `side` samples per block; rows are `stride` apart.
  @usableFromInline package let samples: UnsafeMutablePointer<UInt8>
  @usableFromInline package let stride: Int
  /// The side of a block of samples: 8, 4, 2 or 1.
  @usableFromInline package let side: Int

  /// The bits of the coefficients in the first row of a block (ITU-T T.81, figure A.6).
  @inlinable @inline(__always)
  package static var firstRow: UInt64 {
    1 << 1 | 1 << 5 | 1 << 6 | 1 << 14 | 1 << 15 | 1 << 27 | 1 << 28
  }

  /// The number of coefficients of a block in memory: all, those in the five rows that 2x2 samples
  /// depend on, or the first and one that is ignored.
  package static func coefficientCount(side: Int) -> Int {
    switch side {
    case 1: 2
    case 2: 40
    default: 64
    }
  }

  @inlinable @inline(__always)
  package init(
    coefficients: UnsafePointer<Int16>, occupied: UnsafePointer<UInt64>, count: Int,
    quantization: UnsafePointer<Int16>, samples: UnsafeMutablePointer<UInt8>, stride: Int,
    side: Int = 8
  ) {
    self.coefficients = coefficients
    self.occupied = occupied
    self.count = count
    self.quantization = quantization
    self.samples = samples
    self.stride = stride
    self.side = side
  }
}
