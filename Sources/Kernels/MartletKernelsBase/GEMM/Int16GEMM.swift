//===--- Int16GEMM.swift - integer matrix product -------------------------===//
//
// y[i][j] = bias[j] + Σ over k of x[i][k] * w[k][j]
//
// Rows and weights are 16-bit integers with their zero points subtracted, so that signed, unsigned
// and per-channel tensors share the same code and padding is zeros. A panel has some columns in the
// order in which they are read: [width] each of biases, left factors, mantissas, right exponents
// and masks, as 32-bit integers; then the weights as [depth / 2][width][2].
//
// Contract  Exact if the two products of a pair and their sum fit in 32 bits; other sums wrap. y has
//           room for the panel's whole width.
// Cost      2 · rows · depth · width operations; each row of x is read once per panel.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

/// The number of 32-bit integers per column before a panel's weights.
let panelHeaderFields = 5

extension Level {
  package static func int16GEMM(_ arguments: Int16GEMM) {
    let product = Int16Product(
      xStride: arguments.x.rowStride, pairs: arguments.pairs, panel: arguments.panel,
      yStride: arguments.sums.rowStride)
    let (rows, x, y) = (arguments.rows, arguments.x.start, arguments.sums.start)
    let (xStride, yStride) = (product.xStride, product.yStride)
    let tileRows = int16TileRows
    var row = 0
    if arguments.width == Sums.scalarCount {
      while row &+ tileRows <= rows {
        product.tile(Tile.self, 1, x + row &* xStride, y + row &* yStride)
        row &+= tileRows
      }
      while row &+ 4 <= rows {
        product.tile(Registers4<Sums>.self, 1, x + row &* xStride, y + row &* yStride)
        row &+= 4
      }
      while row < rows {
        product.tile(Registers1<Sums>.self, 1, x + row &* xStride, y + row &* yStride)
        row &+= 1
      }
    } else {
      while row &+ tileRows <= rows {
        product.tile(WideTile.self, 2, x + row &* xStride, y + row &* yStride)
        row &+= tileRows
      }
      while row &+ 4 <= rows {
        product.tile(Registers8<Sums>.self, 2, x + row &* xStride, y + row &* yStride)
        row &+= 4
      }
      while row < rows {
        product.tile(Registers2<Sums>.self, 2, x + row &* xStride, y + row &* yStride)
        row &+= 1
      }
    }
  }
}

// The accumulators of a full tile, with one and with two vectors per row.
#if MARTLET_V4
  private typealias Tile = Registers10<Sums>
  private typealias WideTile = Registers20<Sums>
#elseif arch(arm64)
  private typealias Tile = Registers8<Sums>
  private typealias WideTile = Registers16<Sums>
#elseif MARTLET_V3
  private typealias Tile = Registers6<Sums>
  private typealias WideTile = Registers12<Sums>
#elseif arch(x86_64)
  private typealias Tile = Registers5<Sums>
  private typealias WideTile = Registers10<Sums>
#else
  private typealias Tile = Registers4<Sums>
  private typealias WideTile = Registers8<Sums>
#endif

/// A panel, with the strides of its rows and results.
private struct Int16Product {
  let xStride: Int
  let pairs: Int
  let panel: UnsafePointer<Int32>
  let yStride: Int

  /// Computes one tile, with one row per `vectors` accumulators.
  @inline(__always)
  func tile<Tile: Registers<Sums>>(
    _: Tile.Type, _ vectors: Int, _ x: UnsafePointer<Int32>,
    _ y: UnsafeMutablePointer<Int32>
  ) {
    let lanes = Sums.scalarCount
    let count = Tile.count
    var sums = Tile(repeating: .zero)
    // A loop up to zero needs no comparison.
    let x = x + pairs
    var pair = 0 &- pairs
    var w = panel + vectors &* lanes &* panelHeaderFields
    if vectors == 1 {
      for i in 0..<count { sums[i] = load(panel) }
      while pair < 0 {
        let w0: Sums = load(w)
        for i in 0..<count {
          sums[i] = addPairs(sums[i], Sums(repeating: x[i &* xStride &+ pair]), w0)
        }
        w += lanes
        pair &+= 1
      }
    } else {
      for i in 0..<count / 2 {
        sums[2 &* i] = load(panel)
        sums[2 &* i &+ 1] = load(panel + lanes)
      }
      while pair < 0 {
        let w0: Sums = load(w)
        let w1: Sums = load(w + lanes)
        for i in 0..<count / 2 {
          let x = Sums(repeating: x[i &* xStride &+ pair])
          sums[2 &* i] = addPairs(sums[2 &* i], x, w0)
          sums[2 &* i &+ 1] = addPairs(sums[2 &* i &+ 1], x, w1)
        }
        w += 2 &* lanes
        pair &+= 1
      }
    }
    for i in 0..<count {
      store(sums[i], to: y + (i / vectors &* yStride &+ i % vectors &* lanes))
    }
  }
}
