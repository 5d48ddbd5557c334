//===--- Float32Tile.swift - rows times a panel, floats -------------------===//
//
// y[i][j] = clamp(bias[j] + Σ over k of x[i][k] * w[k][j])
//
// A row is some runs of neighbouring elements: one, or what a window sees of an image, a run for
// each row of taps, so that an image is read where it lies. Accumulators stay in registers for all
// of k.
//
// Order     k ascending, starting from the bias, whatever the tile: each output has the same bits
//           however rows are split.
// Cost      2 · rows · depth · width operations; each row of x is read once for each panel. The
//           last rows are computed together with some of those before, a second time.
// Checked   Tests/MartletKernelsTests/Float32ConvolutionTests.swift
//===----------------------------------------------------------------------===//

extension Loops {
  /// Multiplies `rows` rows, `xStride` apart, by a panel `width` wide, and writes the first `columns`
  /// columns to rows `yStride` apart.
  ///
  /// A row is `runs` runs of `length` elements, `runStride` apart; the weights of a run lie
  /// `weightStride` after those of the one before, each row of them as wide as the panel.
  package static func float32Multiply(
    _ x: UnsafePointer<Float>, _ xStride: Int, rows: Int,
    runs: Int, length: Int, runStride: Int,
    bias: UnsafePointer<Float>, weights: UnsafePointer<Float>, weightStride: Int, width: Int,
    _ y: UnsafeMutablePointer<Float>, _ yStride: Int, columns: Int, low: Float, high: Float
  ) {
    let product = Float32Product(
      xStride: xStride, runs: runs, length: length, runStride: runStride, bias: bias,
      weights: weights, weightStride: weightStride, yStride: yStride, columns: columns,
      low: Lanes(repeating: low), high: Lanes(repeating: high))
    guard runs > 0 && length > 0 else { return product.writeBiases(rows, y) }
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
  let runs: Int
  let length: Int
  let runStride: Int
  let bias: UnsafePointer<Float>
  let weights: UnsafePointer<Float>
  let weightStride: Int
  let yStride: Int
  let columns: Int
  let low: Lanes
  let high: Lanes

  // Two functions, since the compiler stops inlining where a function has grown too long.

  @inline(never)
  func multiplyNarrow(
    _ x: UnsafePointer<Float>, _ rows: Int, _ y: UnsafeMutablePointer<Float>
  ) {
    forEachTile(of: rows) { row in
      tile(Tile(repeating: .zero), 1, x + row &* xStride, y + row &* yStride)
    } four: { row in
      tile(InlineArray<4, Lanes>(repeating: .zero), 1, x + row &* xStride, y + row &* yStride)
    } one: { row in
      tile(InlineArray<1, Lanes>(repeating: .zero), 1, x + row &* xStride, y + row &* yStride)
    }
  }

  @inline(never)
  func multiplyWide(
    _ x: UnsafePointer<Float>, _ rows: Int, _ y: UnsafeMutablePointer<Float>
  ) {
    forEachTile(of: rows) { row in
      tile(WideTile(repeating: .zero), 2, x + row &* xStride, y + row &* yStride)
    } four: { row in
      tile(InlineArray<8, Lanes>(repeating: .zero), 2, x + row &* xStride, y + row &* yStride)
    } one: { row in
      tile(InlineArray<2, Lanes>(repeating: .zero), 2, x + row &* xStride, y + row &* yStride)
    }
  }

  /// Writes rows of products of nothing.
  @inline(never)
  func writeBiases(_ rows: Int, _ y: UnsafeMutablePointer<Float>) {
    for row in 0..<rows {
      for column in 0..<columns {
        let bias = Lanes(repeating: bias[column])
        store(clamp(bias, low, high), to: y + (row &* yStride &+ column), 1)
      }
    }
  }

  /// Calls back with the first row of each tile: full ones, then tiles of four rows, the last of which
  /// may overlap the one before. Only fewer than four rows in all are computed one by one.
  @inline(__always)
  private func forEachTile(
    of rows: Int, full: (Int) -> Void, four: (Int) -> Void, one: (Int) -> Void
  ) {
    var row = 0
    while row &+ Loops.tileRows <= rows {
      full(row)
      row &+= Loops.tileRows
    }
    while row < rows {
      if rows >= 4 {
        four(min(row, rows &- 4))
        row &+= 4
      } else {
        one(row)
        row &+= 1
      }
    }
  }

  /// Computes one tile, a row for every `vectors` of `count` accumulators. They are one array, made
  /// here: of two, or of one that is passed in, the compiler keeps none in registers.
  @inline(__always)
  private func tile<let count: Int>(
    _ shape: InlineArray<count, Lanes>, _ vectors: Int, _ x: UnsafePointer<Float>,
    _ y: UnsafeMutablePointer<Float>
  ) {
    let lanes = Lanes.scalarCount
    let (length, xStride) = (length, xStride)
    var sums = InlineArray<count, Lanes>(repeating: load(bias))
    if vectors == 2 { for i in 0..<count / 2 { sums[2 &* i &+ 1] = load(bias + lanes) } }
    var (x, w) = (x, weights)
    var run = 0
    repeat {
      var v = w
      var k = 0
      repeat {
        for i in 0..<count / vectors {
          let x = Lanes(repeating: x[i &* xStride &+ k])
          sums[vectors &* i] = multiplyAdd(sums[vectors &* i], x, load(v))
          if vectors == 2 { sums[2 &* i &+ 1] = multiplyAdd(sums[2 &* i &+ 1], x, load(v + lanes)) }
        }
        v += vectors &* lanes
        k &+= 1
      } while k < length
      x += runStride
      w += weightStride
      run &+= 1
    } while run < runs
    if columns == vectors &* lanes {
      for i in 0..<count / vectors {
        let y = y + i &* yStride
        store(clamp(sums[vectors &* i], low, high), to: y)
        if vectors == 2 { store(clamp(sums[2 &* i &+ 1], low, high), to: y + lanes) }
      }
    } else {
      for i in 0..<count / vectors {
        let y = y + i &* yStride
        store(clamp(sums[vectors &* i], low, high), to: y, min(columns, lanes))
        if vectors == 2 {
          store(clamp(sums[2 &* i &+ 1], low, high), to: y + lanes, columns &- lanes)
        }
      }
    }
  }
}
