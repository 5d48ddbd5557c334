//===--- Int16Sums.swift - rows times a panel, sums as they are -----------===//
//
// y[i][j] = bias[j] + Σ over k of x[i][k] * w[k][j]
//
// The product of `int16Multiply` for those who scale in another way: the panel is the same, of the
// fields before its weights the biases alone are read.
//
// Contract  Sums wrap. y has room for the panel's whole width.
// Checked   Tests/MartletKernelsTests/QuantizedFullyConnectedTests.swift
//===----------------------------------------------------------------------===//

extension Loops {
  package static func int16Sums(
    _ x: UnsafePointer<Int32>, _ xStride: Int, rows: Int, pairs: Int,
    panel: UnsafePointer<Int32>, width: Int, _ y: UnsafeMutablePointer<Int32>, _ yStride: Int
  ) {
    #if MARTLET_V4
      if width == 32 {
        return storeSums(SIMD16<Int32>.zero, x, xStride, rows, pairs, panel, y, yStride)
      }
    #endif
    #if MARTLET_V4 || MARTLET_V3
      if width == 16 {
        return storeSums(SIMD8<Int32>.zero, x, xStride, rows, pairs, panel, y, yStride)
      }
    #endif
    storeSums(SIMD4<Int32>.zero, x, xStride, rows, pairs, panel, y, yStride)
  }
}

@inline(__always)
private func storeSums<V: Int32Lanes>(
  _ zero: V, _ x: UnsafePointer<Int32>, _ xStride: Int, _ rows: Int, _ pairs: Int,
  _ panel: UnsafePointer<Int32>, _ y: UnsafeMutablePointer<Int32>, _ yStride: Int
) {
  var row = 0
  while row &+ 4 <= rows {
    let four = InlineArray<4, V>(repeating: zero)
    tile(four, x + row &* xStride, xStride, pairs, panel, y + row &* yStride, yStride)
    row &+= 4
  }
  while row < rows {
    let one = InlineArray<1, V>(repeating: zero)
    tile(one, x + row &* xStride, xStride, pairs, panel, y + row &* yStride, yStride)
    row &+= 1
  }
}

@inline(__always)
private func tile<let rows: Int, V: Int32Lanes>(
  _ zero: InlineArray<rows, V>, _ x: UnsafePointer<Int32>, _ xStride: Int, _ pairs: Int,
  _ panel: UnsafePointer<Int32>, _ y: UnsafeMutablePointer<Int32>, _ yStride: Int
) {
  let (left, right) = sums(zero, x, xStride, pairs, panel)
  for i in 0..<rows {
    store(left[i], to: y + i &* yStride)
    store(right[i], to: y + (i &* yStride &+ V.scalarCount))
  }
}
