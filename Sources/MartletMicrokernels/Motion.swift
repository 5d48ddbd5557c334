//===--- Motion.swift - arguments of comparing frames ---------------------===//
//
// A row of a frame, of which an earlier frame tells whether it moved by itself.
//
// Checked   Tests/MartletKernelsTests/Uint8ColorVotesTests.swift
//===----------------------------------------------------------------------===//

/// Votes on the pixels of a row: 1 where an earlier frame shows a color outside a pixel's range, -1 where
/// it shows one within, none where it does not show the pixel. Pixels are four bytes, which all count.
@usableFromInline
package struct Uint8ColorVotes {
  /// The earlier frame, with four pixels more before the first and behind the last.
  @usableFromInline package let earlier: UnsafePointer<UInt8>
  @usableFromInline package let width, height: Int
  /// The least and the highest levels of the row's pixels, filled up to a multiple of four.
  @usableFromInline package let low, high: UnsafePointer<UInt8>
  /// Where the first four pixels' middle was in the earlier frame, from the middle of that, and how much
  /// further the next pixel was.
  @usableFromInline package let start, step: SIMD2<Float>
  /// What is added to.
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
