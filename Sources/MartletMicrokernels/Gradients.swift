//===--- Gradients.swift - arguments of gradients -------------------------===//
//
// A row of an image of floats, and what its samples say about their directions.
//
// Checked   Tests/MartletKernelsTests/Float32GradientsTests.swift
//===----------------------------------------------------------------------===//

/// The gradients of samples of four floats (red, green, blue and one without a meaning), each in its
/// steepest channel: how steep they are, shared by the two nearest of 18 directions.
///
/// Memory has room for `count` filled up to a multiple of 16.
@usableFromInline
package struct Float32Gradients {
  /// The first sample, which has neighbors on all sides, as the last one has.
  @usableFromInline package let samples: UnsafePointer<Float>
  /// From a sample to the one below.
  @usableFromInline package let stride: Int
  /// The samples.
  @usableFromInline package let count: Int
  /// The nearer direction below, 0 to 17, and the shares of that and of the next one.
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
