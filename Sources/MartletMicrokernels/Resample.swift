//===--- Resample.swift - arguments of resized images ---------------------===//
//
// Weighted sums of bytes of images, two taps at a time. A weight w is h and l with w = 2^15 h + l, both
// of 16 bits. Two taps have two numbers: their h and their l, the first tap's in the lower half; an odd last
// tap is beside zeros.
//
// Checked   Tests/MartletImageTests/ResizeTests.swift
//===----------------------------------------------------------------------===//

/// What makes an output.
@usableFromInline
package struct ResampleWindow {
  /// How many pairs of weights may be read together: zeros follow where a window has fewer.
  @inlinable @inline(__always) package static var group: Int { 4 }

  /// The first input.
  @usableFromInline package let start: Int
  /// How many inputs.
  @usableFromInline package let count: Int
  /// Where its pairs of weights begin.
  @usableFromInline package let firstWeight: Int

  @inlinable @inline(__always)
  package init(start: Int, count: Int, firstWeight: Int) {
    self.start = start
    self.count = count
    self.firstWeight = firstWeight
  }

  /// The pairs of inputs.
  @inlinable @inline(__always) package var pairCount: Int { (count &+ 1) &>> 1 }
}

/// Output pixels of a row of packed RGB.
@usableFromInline
package struct Uint8ResampleRow {
  @usableFromInline package let row: UnsafePointer<UInt8>
  /// How many bytes may be read.
  @usableFromInline package let byteCount: Int
  /// One for each output pixel.
  @usableFromInline package let windows: UnsafePointer<ResampleWindow>
  /// The pairs of weights of all windows.
  @usableFromInline package let weights: UnsafePointer<Int32>
  /// The most pairs that a window has.
  @usableFromInline package let mostPairs: Int
  /// The output pixels.
  @usableFromInline package let columns: Int
  /// Whether each output is the mean of two inputs: the first two, the next two, and so on.
  @usableFromInline package let isHalving: Bool
  /// The bits of a weight behind the point.
  @usableFromInline package let precision: Int32
  @usableFromInline package let y: UnsafeMutablePointer<UInt8>

  @inlinable @inline(__always)
  package init(
    row: UnsafePointer<UInt8>, byteCount: Int, windows: UnsafePointer<ResampleWindow>,
    weights: UnsafePointer<Int32>, mostPairs: Int, columns: Int, isHalving: Bool,
    precision: Int32, y: UnsafeMutablePointer<UInt8>
  ) {
    self.row = row
    self.byteCount = byteCount
    self.windows = windows
    self.weights = weights
    self.mostPairs = mostPairs
    self.columns = columns
    self.isHalving = isHalving
    self.precision = precision
    self.y = y
  }
}

/// One row as the weighted sum of some.
@usableFromInline
package struct Uint8ResampleColumns {
  /// The first, behind which the others lie.
  @usableFromInline package let rows: UnsafePointer<UInt8>
  /// The bytes of a row, at least eight.
  @usableFromInline package let rowBytes: Int
  /// How many rows there are.
  @usableFromInline package let count: Int
  /// In pairs.
  @usableFromInline package let weights: UnsafePointer<Int32>
  /// The bits of a weight behind the point.
  @usableFromInline package let precision: Int32
  @usableFromInline package let y: UnsafeMutablePointer<UInt8>

  @inlinable @inline(__always)
  package init(
    rows: UnsafePointer<UInt8>, rowBytes: Int, count: Int, weights: UnsafePointer<Int32>,
    precision: Int32, y: UnsafeMutablePointer<UInt8>
  ) {
    self.rows = rows
    self.rowBytes = rowBytes
    self.count = count
    self.weights = weights
    self.precision = precision
    self.y = y
  }
}
