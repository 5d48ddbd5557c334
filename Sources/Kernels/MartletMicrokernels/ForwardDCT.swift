//===--- ForwardDCT.swift - forward cosine transform ----------------------===//
//
// Arguments of the transform of adjacent blocks of 8x8 samples to quantized coefficients, as stored
// in image files.
//===----------------------------------------------------------------------===//

/// A line of blocks of samples to convert to quantized coefficients.
@usableFromInline
package struct Int16ForwardDCT {
  /// Eight rows of `8 * count` samples; rows are `stride` apart.
  @usableFromInline package let samples: UnsafePointer<UInt8>
  @usableFromInline package let stride: Int
  /// The number of blocks.
  @usableFromInline package let count: Int
  /// Half of each divisor, and 2^20 / divisor rounded up: 64 each, in columns as the coefficients. A
  /// divisor is 1 to 255.
  @usableFromInline package let halves: UnsafePointer<Int16>
  @usableFromInline package let reciprocals: UnsafePointer<Int32>
  /// The coefficients: 64 for each block, in columns.
  @usableFromInline package let coefficients: UnsafeMutablePointer<Int16>

  @inlinable @inline(__always)
  package init(
    samples: UnsafePointer<UInt8>, stride: Int, count: Int, halves: UnsafePointer<Int16>,
    reciprocals: UnsafePointer<Int32>, coefficients: UnsafeMutablePointer<Int16>
  ) {
    self.samples = samples
    self.stride = stride
    self.count = count
    self.halves = halves
    self.reciprocals = reciprocals
    self.coefficients = coefficients
  }
}
