//===--- Motion.swift - comparison of frames ------------------------------===//
//
// Arguments of the comparison of a row with an earlier frame, which detects independent motion.
//
// Checked   Tests/MartletKernelsTests/Uint8ColorVotesTests.swift
//===----------------------------------------------------------------------===//

/// Votes for the pixels of a row: 1 if the color in an earlier frame is outside a pixel's range, -1
/// if it is inside, none if the pixel is outside the frame. Pixels have four bytes, all of which
/// are compared.
@usableFromInline
package struct Uint8ColorVotes {
  /// The earlier frame, with four extra pixels before the first and after the last.
  @usableFromInline package let earlier: UnsafePointer<UInt8>
  @usableFromInline package let width, height: Int
  /// The lowest and highest levels of the row's pixels, padded to a multiple of four.
  @usableFromInline package let low, high: UnsafePointer<UInt8>
  /// The center of the first four pixels in the earlier frame, relative to the frame's center, and
  /// the step to the next pixel.
  @usableFromInline package let start, step: SIMD2<Float>
  /// The counters that votes are added to.
  @usableFromInline package let votes: UnsafeMutablePointer<Int8>

  @inlinable @inline(__always)
  package init(
    earlier: UnsafePointer<UInt8>, width: Int, height: Int, low: UnsafePointer<UInt8>,
    high: UnsafePointer<UInt8>, start: SIMD2<Float>, step: SIMD2<Float>,
    votes: UnsafeMutablePointer<Int8>
  ) {
    self.earlier = earlier
    self.width = width
    self.height = height
    self.low = low
    self.high = high
    self.start = start
    self.step = step
    self.votes = votes
  }
}
