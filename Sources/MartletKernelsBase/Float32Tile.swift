//===--- Float32Tile.swift - rows times a panel, floats -------------------===//
//
// y[i][j] = clamp(bias[j] + Σ over k of x[i][k] * w[k][j])
//
// A panel holds the weights of some columns as they are read: [width] biases, then [depth][width].
// Accumulators stay in registers for all of k.
//
// Order     k ascending, starting from the bias, whatever the tile: each output has the same bits
//           however rows are split.
// Cost      2 · rows · depth · width operations; each row of x is read once for each panel.
// Checked   Tests/MartletKernelsTests/Float32ConvolutionTests.swift
//===----------------------------------------------------------------------===//

extension Loops {
  /// Multiplies `rows` rows of `depth` elements, `xStride` apart, by a panel `width` wide, and
  /// writes the first `columns` columns to rows `yStride` apart.
  package static func float32Multiply(
    _ x: UnsafePointer<Float>, _ xStride: Int, rows: Int, depth: Int,
    panel: UnsafePointer<Float>, width: Int,
    _ y: UnsafeMutablePointer<Float>, _ yStride: Int, columns: Int, low: Float, high: Float
  ) {
    let product = Float32Product(
      xStride: xStride, depth: depth, panel: panel, yStride: yStride, columns: columns,
      low: Lanes(repeating: low), high: Lanes(repeating: high))
    var row = 0
    if width == Lanes.scalarCount {
      while row &+ tileRows <= rows {
        product.tile(Tile(repeating: .zero), 1, x + row &* xStride, y + row &* yStride)
        row &+= tileRows
      }
      while row &+ 4 <= rows {
        product.tile(
          InlineArray<4, Lanes>(repeating: .zero), 1, x + row &* xStride, y + row &* yStride)
        row &+= 4
      }
      while row < rows {
        product.tile(
          InlineArray<1, Lanes>(repeating: .zero), 1, x + row &* xStride, y + row &* yStride)
        row &+= 1
      }
    } else {
      while row &+ tileRows <= rows {
        product.tile(WideTile(repeating: .zero), 2, x + row &* xStride, y + row &* yStride)
        row &+= tileRows
      }
      while row &+ 4 <= rows {
        product.tile(
          InlineArray<8, Lanes>(repeating: .zero), 2, x + row &* xStride, y + row &* yStride)
        row &+= 4
      }
      while row < rows {
        product.tile(
          InlineArray<2, Lanes>(repeating: .zero), 2, x + row &* xStride, y + row &* yStride)
        row &+= 1
      }
    }
  }
}

// The accumulators of a full tile, one vector a row and two.
#if MARTLET_V4
  private typealias Tile = InlineArray<12, Lanes>
  private typealias WideTile = InlineArray<24, Lanes>
#elseif arch(arm64)
  private typealias Tile = InlineArray<8, Lanes>
  private typealias WideTile = InlineArray<16, Lanes>
#elseif MARTLET_V3
  private typealias Tile = InlineArray<6, Lanes>
  private typealias WideTile = InlineArray<12, Lanes>
#else
  private typealias Tile = InlineArray<5, Lanes>
  private typealias WideTile = InlineArray<10, Lanes>
#endif

/// A panel and where its rows and results are.
private struct Float32Product {
  let xStride: Int
  let depth: Int
  let panel: UnsafePointer<Float>
  let yStride: Int
  let columns: Int
  let low: Lanes
  let high: Lanes

  /// Computes one tile of `count` accumulators, `vectors` a row. They are one array: of two, the
  /// compiler keeps neither in registers.
  @inline(__always)
  func tile<let count: Int>(
    _ zero: InlineArray<count, Lanes>, _ vectors: Int, _ x: UnsafePointer<Float>,
    _ y: UnsafeMutablePointer<Float>
  ) {
    let lanes = Lanes.scalarCount
    var sums = zero
    var w = panel + vectors &* lanes
    if vectors == 1 {
      for i in 0..<count { sums[i] = load(panel) }
      for k in 0..<depth {
        let w0: Lanes = load(w)
        for i in 0..<count {
          sums[i] = multiplyAdd(sums[i], Lanes(repeating: x[i &* xStride &+ k]), w0)
        }
        w += lanes
      }
    } else {
      for i in 0..<count / 2 {
        sums[2 &* i] = load(panel)
        sums[2 &* i &+ 1] = load(panel + lanes)
      }
      for k in 0..<depth {
        let w0: Lanes = load(w)
        let w1: Lanes = load(w + lanes)
        for i in 0..<count / 2 {
          let x = Lanes(repeating: x[i &* xStride &+ k])
          sums[2 &* i] = multiplyAdd(sums[2 &* i], x, w0)
          sums[2 &* i &+ 1] = multiplyAdd(sums[2 &* i &+ 1], x, w1)
        }
        w += 2 &* lanes
      }
    }
    for i in 0..<count {
      write(
        clamp(sums[i], low, high), to: y + i / vectors &* yStride, from: i % vectors &* lanes)
    }
  }

  /// Writes those lanes of a row, of which the first is column `first`, that are asked for.
  @inline(__always)
  private func write(_ lanes: Lanes, to y: UnsafeMutablePointer<Float>, from first: Int) {
    if first &+ Lanes.scalarCount <= columns {
      store(lanes, to: y + first)
    } else {
      var lane = 0
      while first &+ lane < columns {
        y[first &+ lane] = lanes[lane]
        lane &+= 1
      }
    }
  }
}
