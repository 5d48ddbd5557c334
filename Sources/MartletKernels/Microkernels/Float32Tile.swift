//===--- Float32Tile.swift - rows times a panel, floats -------------------===//
//
// y[i][j] = clamp(bias[j] + Σ over k of x[i][k] * w[k][j])
//
// A panel holds the weights of some columns as they are read: [width] biases, then [depth][width].
// Accumulators stay in registers for all of k: a tile is up to 12 rows by one panel.
//
// Order     k ascending, starting from the bias, whatever the tile: each output has the same bits
//           in each tile, however rows are split.
// Cost      2 · rows · depth · width operations; each row of x is read once for each panel.
// Checked   Tests/MartletKernelsTests/Float32ConvolutionTests.swift
//===----------------------------------------------------------------------===//

extension Loops {
  /// Multiplies `rows` rows of `depth` elements, `xStride` apart, by a panel `width` wide, and writes
  /// the first `columns` columns to rows `yStride` apart.
  package static func float32Multiply(
    _ x: UnsafePointer<Float>, _ xStride: Int, rows: Int, depth: Int,
    panel: UnsafePointer<Float>, width: Int,
    _ y: UnsafeMutablePointer<Float>, _ yStride: Int, columns: Int, low: Float, high: Float
  ) {
    #if MARTLET_V4
      if width == 32 {
        return multiply(
          SIMD16<Float>.zero, x, xStride, rows, depth, panel, y, yStride, columns, low, high)
      }
    #endif
    #if MARTLET_V4 || MARTLET_V3
      if width == 16 {
        return multiply(
          SIMD8<Float>.zero, x, xStride, rows, depth, panel, y, yStride, columns, low, high)
      }
    #endif
    multiply(SIMD4<Float>.zero, x, xStride, rows, depth, panel, y, yStride, columns, low, high)
  }
}

@inline(__always)
private func multiply<V: SIMD>(
  _ zero: V, _ x: UnsafePointer<Float>, _ xStride: Int, _ rows: Int, _ depth: Int,
  _ panel: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ yStride: Int,
  _ columns: Int, _ low: Float, _ high: Float
) where V.Scalar == Float {
  var x = x
  var y = y
  var rows = rows
  #if MARTLET_V4
    let most = InlineArray<12, V>(repeating: zero)
  #elseif MARTLET_V3
    let most = InlineArray<6, V>(repeating: zero)
  #elseif arch(arm64)
    let most = InlineArray<8, V>(repeating: zero)
  #else
    let most = InlineArray<5, V>(repeating: zero)
  #endif
  while rows >= most.count {
    tile(most, x, xStride, depth, panel, y, yStride, columns, low, high)
    x += most.count &* xStride
    y += most.count &* yStride
    rows &-= most.count
  }
  while rows >= 4 {
    let four = InlineArray<4, V>(repeating: zero)
    tile(four, x, xStride, depth, panel, y, yStride, columns, low, high)
    x += 4 &* xStride
    y += 4 &* yStride
    rows &-= 4
  }
  while rows > 0 {
    let one = InlineArray<1, V>(repeating: zero)
    tile(one, x, xStride, depth, panel, y, yStride, columns, low, high)
    x += xStride
    y += yStride
    rows &-= 1
  }
}

@inline(__always)
private func tile<let rows: Int, V: SIMD>(
  _ zero: InlineArray<rows, V>, _ x: UnsafePointer<Float>, _ xStride: Int, _ depth: Int,
  _ panel: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ yStride: Int,
  _ columns: Int, _ low: Float, _ high: Float
) where V.Scalar == Float {
  let lanes = V.scalarCount
  var left = InlineArray<rows, V>(repeating: load(panel))
  var right = InlineArray<rows, V>(repeating: load(panel + lanes))
  var w = panel + 2 &* lanes
  for k in 0..<depth {
    let w0: V = load(w)
    let w1: V = load(w + lanes)
    for i in 0..<rows {
      let x = V(repeating: x[i &* xStride &+ k])
      left[i] = multiplyAdd(left[i], x, w0)
      right[i] = multiplyAdd(right[i], x, w1)
    }
    w += 2 &* lanes
  }
  let low = V(repeating: low)
  let high = V(repeating: high)
  for i in 0..<rows {
    let y = y + i &* yStride
    left[i] = clamp(left[i], low, high)
    right[i] = clamp(right[i], low, high)
    if columns == 2 &* lanes {
      store(left[i], to: y)
      store(right[i], to: y + lanes)
    } else {
      for j in 0..<columns { y[j] = j < lanes ? left[i][j] : right[i][j &- lanes] }
    }
  }
}
