//===--- Resample.swift - image resampling --------------------------------===//
//
// Arguments of weighted sums of bytes of images, two taps at a time. A weight w is split into
// 16-bit h and l with w = 2^15 h + l. Two taps are stored as two numbers: the pair of their h and
// the pair of their l, the first tap's in the lower half. An odd last tap is paired with zeros.
//===----------------------------------------------------------------------===//

/// The inputs and weights of an output.
@usableFromInline
package struct ResampleWindow {
  /// The number of pairs of weights that may be read together: shorter windows are followed by
  /// zeros.
  @inlinable @inline(__always) package static var group: Int { 4 }

  /// The index of the first input.
  @usableFromInline package let start: Int
  /// The number of inputs.
  @usableFromInline package let count: Int
  /// The index of its first pair of weights.
  @usableFromInline package let firstWeight: Int

  @inlinable @inline(__always)
  package init(start: Int, count: Int, firstWeight: Int) {
    self.start = start
    self.count = count
    self.firstWeight = firstWeight
  }

  /// The number of pairs of inputs.
  @inlinable @inline(__always) package var pairCount: Int { (count &+ 1) &>> 1 }
}

/// Arguments that compute output pixels of a row of packed RGB.
@usableFromInline
package struct Uint8ResampleRow {
  @usableFromInline package let row: UnsafePointer<UInt8>
  /// The number of readable bytes.
  @usableFromInline package let byteCount: Int
  /// One window per output pixel.
  @usableFromInline package let windows: UnsafePointer<ResampleWindow>
  /// The pairs of weights of all windows.
  @usableFromInline package let weights: UnsafePointer<Int32>
  /// The largest number of pairs of a window.
  @usableFromInline package let mostPairs: Int
  /// The number of output pixels.
  @usableFromInline package let columns: Int
  /// Whether each output is the mean of two consecutive inputs: the first two, the next two, and so
  /// on.
  @usableFromInline package let isHalving: Bool
  /// The number of fraction bits of a weight.
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

/// Arguments that compute one row as the weighted sum of others.
@usableFromInline
package struct Uint8ResampleColumns {
  /// The first row; the others follow it.
  @usableFromInline package let rows: UnsafePointer<UInt8>
  /// The bytes of a row, at least eight.
  @usableFromInline package let rowBytes: Int
  /// The number of rows.
  @usableFromInline package let count: Int
  /// The weights, in pairs.
  @usableFromInline package let weights: UnsafePointer<Int32>
  /// The number of fraction bits of a weight.
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
