//===--- Resample.swift - arguments of resized pictures -------------------===//
//
// Weighted sums of bytes of pictures, two taps at a time. A weight w is h and l with w = 2^15 h + l, both
// of 16 bits.
//
// Checked   Tests/MartletImageTests/ResizeTests.swift
//===----------------------------------------------------------------------===//

/// What makes an output.
@usableFromInline
package struct ResampleWindow {
  /// The first input.
  @usableFromInline package let start: Int
  /// The pairs of inputs from there on.
  @usableFromInline package let pairCount: Int
  /// For each pair the higher parts, then the lower parts of two weights, the first tap's lowest.
  @usableFromInline package let weights: UnsafePointer<Int32>

  @inlinable @inline(__always)
  package init(start: Int, pairCount: Int, weights: UnsafePointer<Int32>) {
    self.start = start
    self.pairCount = pairCount
    self.weights = weights
  }
}

/// Output pixels of a row of packed RGB.
@usableFromInline
package struct Uint8ResampleRow {
  @usableFromInline package let row: UnsafePointer<UInt8>
  /// How many bytes may be read.
  @usableFromInline package let byteCount: Int
  /// One for each output pixel.
  @usableFromInline package let windows: UnsafePointer<ResampleWindow>
  /// The output pixels.
  @usableFromInline package let columns: Int
  /// The bits of a weight behind the point.
  @usableFromInline package let precision: Int32
  @usableFromInline package let y: UnsafeMutablePointer<UInt8>

  @inlinable @inline(__always)
  package init(
    row: UnsafePointer<UInt8>, byteCount: Int, windows: UnsafePointer<ResampleWindow>, columns: Int,
    precision: Int32, y: UnsafeMutablePointer<UInt8>
  ) {
    self.row = row
    self.byteCount = byteCount
    self.windows = windows
    self.columns = columns
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
  /// As a window has them.
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
