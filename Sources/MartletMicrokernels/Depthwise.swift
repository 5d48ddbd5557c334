//===--- Depthwise.swift - arguments of depthwise convolutions ------------===//
//
// Each channel by its own filter, for outputs beside or below each other that see the same taps.
//
// Checked   Tests/MartletKernelsTests/Float32DepthwiseTests.swift, QuantizedDepthwiseTests.swift
//===----------------------------------------------------------------------===//

/// The taps of a window, or their weights.
@usableFromInline
package struct Taps<Element> {
  /// The first tap of the first output.
  @usableFromInline package let start: UnsafePointer<Element>
  /// From a tap to the one below it.
  @usableFromInline package let rowStride: Int
  /// From a tap to the one beside it.
  @usableFromInline package let columnStride: Int

  @inlinable @inline(__always)
  package init(start: UnsafePointer<Element>, rowStride: Int, columnStride: Int) {
    self.start = start
    self.rowStride = rowStride
    self.columnStride = columnStride
  }
}

/// y[p][c] = clamp(bias[c] + Σ over taps t of x[p + t][c] * w[t][c]), floats.
@usableFromInline
package struct Float32Depthwise {
  @usableFromInline package let x: Taps<Float>
  /// From an output's first tap to the next output's.
  @usableFromInline package let pixelStride: Int
  /// The outputs.
  @usableFromInline package let pixels: Int
  @usableFromInline package let weights: Taps<Float>
  @usableFromInline package let bias: UnsafePointer<Float>
  @usableFromInline package let channels: Int
  @usableFromInline package let tapRows, tapColumns: Int
  /// A row for each output.
  @usableFromInline package let y: MutableMatrix<Float>
  /// What a fused activation leaves.
  @usableFromInline package let range: ClosedRange<Float>

  @inlinable @inline(__always)
  package init(
    x: Taps<Float>, pixelStride: Int, pixels: Int, weights: Taps<Float>, bias: UnsafePointer<Float>,
    channels: Int, tapRows: Int, tapColumns: Int, y: MutableMatrix<Float>, range: ClosedRange<Float>
  ) {
    self.x = x
    self.pixelStride = pixelStride
    self.pixels = pixels
    self.weights = weights
    self.bias = bias
    self.channels = channels
    self.tapRows = tapRows
    self.tapColumns = tapColumns
    self.y = y
    self.range = range
  }
}

/// The same of 16-bit integers, requantized: taps in pairs, outputs one after the other.
@usableFromInline
package struct Int16Depthwise {
  /// The first output's first tap.
  @usableFromInline package let x: UnsafePointer<Int16>
  /// The distance of each tap from it; an even number of them.
  @usableFromInline package let tapOffsets: UnsafePointer<Int>
  /// The pairs of taps.
  @usableFromInline package let pairs: Int
  /// From an output's first tap to the next output's.
  @usableFromInline package let pixelStride: Int
  /// The outputs.
  @usableFromInline package let pixels: Int
  /// For each vector of channels the fields of a panel (see `Int16GEMM`), then a vector for each
  /// pair of taps.
  @usableFromInline package let weights: UnsafePointer<Int32>
  @usableFromInline package let channels: Int
  @usableFromInline package let y: UnsafeMutablePointer<UInt8>
  @usableFromInline package let output: OutputQuantization

  @inlinable @inline(__always)
  package init(
    x: UnsafePointer<Int16>, tapOffsets: UnsafePointer<Int>, pairs: Int, pixelStride: Int,
    pixels: Int, weights: UnsafePointer<Int32>, channels: Int, y: UnsafeMutablePointer<UInt8>,
    output: OutputQuantization
  ) {
    self.x = x
    self.tapOffsets = tapOffsets
    self.pairs = pairs
    self.pixelStride = pixelStride
    self.pixels = pixels
    self.weights = weights
    self.channels = channels
    self.y = y
    self.output = output
  }
}
