//===--- Gradients.swift - gradients --------------------------------------===//
//
// Arguments of the gradients of a row of a float image.
//===----------------------------------------------------------------------===//

/// The gradients of samples of four floats (red, green, blue and an unused one), each of its
/// steepest channel. The magnitude is shared by the two nearest of 18 directions.
///
/// Memory has room for `count` rounded up to a multiple of 16.
@usableFromInline
package struct Float32Gradients {
  /// The first sample. The first and the last sample have neighbors on all sides.
  @usableFromInline package let samples: UnsafePointer<Float>
  /// The distance from a sample to the one below.
  @usableFromInline package let stride: Int
  /// The number of samples.
  @usableFromInline package let count: Int
  /// The nearest direction at or below, 0 to 17, and the shares of that and of the next one.
  @usableFromInline package let directions: UnsafeMutablePointer<Int32>
  @usableFromInline package let shares, nextShares: UnsafeMutablePointer<Float>

  @inlinable @inline(__always)
  package init(
    samples: UnsafePointer<Float>, stride: Int, count: Int,
    directions: UnsafeMutablePointer<Int32>, shares: UnsafeMutablePointer<Float>,
    nextShares: UnsafeMutablePointer<Float>
  ) {
    self.samples = samples
    self.stride = stride
    self.count = count
    self.directions = directions
    self.shares = shares
    self.nextShares = nextShares
  }
}
