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
    if width == Lanes.scalarCount {
      product.multiplyNarrow(x, rows, y)
    } else {
      product.multiplyWide(x, rows, y)
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

  // Two functions, since the compiler stops inlining where a function has grown too long.

  @inline(never)
  func multiplyNarrow(
    _ x: UnsafePointer<Float>, _ rows: Int, _ y: UnsafeMutablePointer<Float>
  ) {
    var row = 0
    while row &+ Loops.tileRows <= rows {
      narrowTile(Tile(repeating: .zero), x + row &* xStride, y + row &* yStride)
      row &+= Loops.tileRows
    }
    while row < rows {
      narrowTile(InlineArray<1, Lanes>(repeating: .zero), x + row &* xStride, y + row &* yStride)
      row &+= 1
    }
  }

  @inline(never)
  func multiplyWide(
    _ x: UnsafePointer<Float>, _ rows: Int, _ y: UnsafeMutablePointer<Float>
  ) {
    var row = 0
    while row &+ Loops.tileRows <= rows {
      wideTile(WideTile(repeating: .zero), x + row &* xStride, y + row &* yStride)
      row &+= Loops.tileRows
    }
    while row &+ 4 <= rows {
      wideTile(InlineArray<8, Lanes>(repeating: .zero), x + row &* xStride, y + row &* yStride)
      row &+= 4
    }
    while row < rows {
      wideTile(InlineArray<2, Lanes>(repeating: .zero), x + row &* xStride, y + row &* yStride)
      row &+= 1
    }
  }

  /// Computes one tile of a row for each of `count` accumulators.
  @inline(__always)
  private func narrowTile<let count: Int>(
    _ zero: InlineArray<count, Lanes>, _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>
  ) {
    var sums = zero
    var w = panel + Lanes.scalarCount
    for i in 0..<count { sums[i] = load(panel) }
    for k in 0..<depth {
      let w0: Lanes = load(w)
      for i in 0..<count {
        sums[i] = multiplyAdd(sums[i], Lanes(repeating: x[i &* xStride &+ k]), w0)
      }
      w += Lanes.scalarCount
    }
    for i in 0..<count { write(clamp(sums[i], low, high), to: y + i &* yStride, from: 0) }
  }

  /// Computes one tile of a row for every two of `count` accumulators. They are one array, made here:
  /// of two, or of one that is passed in, the compiler keeps none in registers.
  @inline(__always)
  private func wideTile<let count: Int>(
    _ shape: InlineArray<count, Lanes>, _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>
  ) {
    let lanes = Lanes.scalarCount
    let (depth, xStride) = (depth, xStride)
    var sums = InlineArray<count, Lanes>(repeating: load(panel))
    for i in 0..<count / 2 { sums[2 &* i &+ 1] = load(panel + lanes) }
    var w = panel + 2 &* lanes
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
    for i in 0..<count / 2 {
      write(clamp(sums[2 &* i], low, high), to: y + i &* yStride, from: 0)
      write(clamp(sums[2 &* i &+ 1], low, high), to: y + i &* yStride, from: lanes)
    }
  }

  /// Writes those lanes of a row, of which the first is column `first`, that are asked for.
  @inline(__always)
  private func write(_ lanes: Lanes, to y: UnsafeMutablePointer<Float>, from first: Int) {
    if first &+ Lanes.scalarCount <= columns {
      store(lanes, to: y + first)
    } else {
      writePart(lanes, to: y + first, columns &- first)
    }
  }

  @inline(never)
  private func writePart(_ lanes: Lanes, to y: UnsafeMutablePointer<Float>, _ count: Int) {
    var lane = 0
    while lane < count {
      y[lane] = lanes[lane]
      lane &+= 1
    }
  }
}
