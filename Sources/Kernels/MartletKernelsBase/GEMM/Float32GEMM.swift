//===--- Float32GEMM.swift - float matrix product -------------------------===//
//
// y[i][j] = clamp(bias[j] + Σ over k of x[i][k] * w[k][j])
//
// A row consists of runs of adjacent elements: one run, or one per row of taps of a window, so that
// images are read without packing. Accumulators stay in registers for all of k.
//
// Order     k ascending, starting from the bias, for any tile: output bits do not depend on how
//           rows are split.
// Cost      2 · rows · depth · width operations; each row of x is read once per panel. The last
//           tile may compute some previous rows a second time.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

extension Level {
  package static func float32GEMM(_ product: Float32GEMM) {
    let tiles = Float32Tiles(product)
    guard product.runs.count > 0 && product.runs.length > 0 else {
      return tiles.writeBiases(product.rows)
    }
    let (rows, x, y) = (product.rows, product.x.start, product.y.start)
    if product.weights.width == Lanes.scalarCount {
      tiles.forEachTile(
        of: rows, leastRest: float32TileRows / 2 &+ 1, x, y, full: tiles.full, four: tiles.four,
        one: tiles.one)
    } else {
      tiles.forEachTile(
        of: rows, leastRest: (float32TileRows &* 3 &+ 3) / 4, x, y, full: tiles.wideFull,
        four: tiles.wideFour, one: tiles.wideOne)
    }
  }
}

// The accumulators of a full tile, with one and with two vectors per row.
#if MARTLET_V4
  private typealias Tile = Registers12<Lanes>
  private typealias WideTile = Registers24<Lanes>
#elseif arch(arm64)
  private typealias Tile = Registers8<Lanes>
  private typealias WideTile = Registers16<Lanes>
#elseif MARTLET_V3
  private typealias Tile = Registers6<Lanes>
  private typealias WideTile = Registers12<Lanes>
#else
  private typealias Tile = Registers5<Lanes>
  private typealias WideTile = Registers10<Lanes>
#endif

/// The values of a product that its tiles keep in registers.
private struct Float32Tiles {
  let xStride: Int
  #if arch(arm64)
    /// The distances of the rows of a tile from the first. They are in memory, because the compiler
    /// would otherwise add `xStride` before each load of a row.
    let rowStarts: Registers8<Int>
  #endif
  let runs: Int
  let length: Int
  let runStride: Int
  let bias: UnsafePointer<Float>
  let weights: UnsafePointer<Float>
  let weightStride: Int
  let y: UnsafeMutablePointer<Float>
  let yStride: Int
  let columns: Int
  let low: Lanes
  let high: Lanes

  @inline(__always)
  init(_ product: Float32GEMM) {
    xStride = product.x.rowStride
    #if arch(arm64)
      var starts = Registers8<Int>(repeating: 0)
      for i in 0..<8 { starts[i] = i &* product.x.rowStride }
      rowStarts = starts
    #endif
    runs = product.runs.count
    length = product.runs.length
    runStride = product.runs.stride
    bias = product.weights.bias
    weights = product.weights.start
    weightStride = product.weights.runStride
    y = product.y.start
    yStride = product.y.rowStride
    columns = product.columns
    low = Lanes(repeating: product.range.lowerBound)
    high = Lanes(repeating: product.range.upperBound)
  }

  /// Writes rows of products with depth zero.
  @inline(never)
  func writeBiases(_ rows: Int) {
    for row in 0..<rows {
      for column in 0..<columns {
        let bias = Lanes(repeating: bias[column])
        store(clamp(bias, low, high), to: y + (row &* yStride &+ column), 1)
      }
    }
  }

  /// Calls `full` for the rows of all full tiles, then `four` for each tile of four rows. The last
  /// tile may overlap the previous one. It is a full tile if at least `leastRest` rows remain,
  /// because small tiles have too few sums to keep the multipliers busy. Rows are computed one by
  /// one only if there are fewer than four in total.
  @inline(__always)
  func forEachTile(
    of rows: Int, leastRest: Int, _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>,
    full: (UnsafePointer<Float>, UnsafeMutablePointer<Float>, Int) -> Void,
    four: (UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void,
    one: (UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void
  ) {
    var row = rows / Level.float32TileRows &* Level.float32TileRows
    full(x, y, row)
    if row > 0, rows &- row >= leastRest {
      let first = rows &- Level.float32TileRows
      return full(x + first &* xStride, y + first &* yStride, Level.float32TileRows)
    }
    while row < rows {
      if rows >= 4 {
        let first = min(row, rows &- 4)
        four(x + first &* xStride, y + first &* yStride)
        row &+= 4
      } else {
        one(x + row &* xStride, y + row &* yStride)
        row &+= 1
      }
    }
  }

  // One function per tile, because the compiler stops inlining in functions that are too long.

  @inline(never)
  func full(_ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ rows: Int) {
    var row = 0
    while row < rows {
      tile(Tile.self, 1, x + row &* xStride, y + row &* yStride)
      row &+= Level.float32TileRows
    }
  }

  @inline(never)
  func four(_ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>) {
    tile(Registers4<Lanes>.self, 1, x, y)
  }

  @inline(never)
  func one(_ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>) {
    tile(Registers1<Lanes>.self, 1, x, y)
  }

  @inline(never)
  func wideFull(_ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ rows: Int) {
    var row = 0
    while row < rows {
      tile(WideTile.self, 2, x + row &* xStride, y + row &* yStride)
      row &+= Level.float32TileRows
    }
  }

  @inline(never)
  func wideFour(_ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>) {
    tile(Registers8<Lanes>.self, 2, x, y)
  }

  @inline(never)
  func wideOne(_ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>) {
    tile(Registers2<Lanes>.self, 2, x, y)
  }

  /// Computes one tile, with one row per `vectors` accumulators. They are one array created here;
  /// the compiler keeps neither two arrays nor one that is passed in in registers.
  @inline(__always)
  private func tile<Sums: Registers<Lanes>>(
    _: Sums.Type, _ vectors: Int, _ x: UnsafePointer<Float>,
    _ y: UnsafeMutablePointer<Float>
  ) {
    let lanes = Lanes.scalarCount
    let (length, xStride) = (length, xStride)
    #if arch(arm64)
      var rowStarts = rowStarts
    #endif
    let count = Sums.count
    var sums = Sums(repeating: load(bias))
    if vectors == 2 { for i in 0..<count / 2 { sums[2 &* i &+ 1] = load(bias + lanes) } }
    var (x, w) = (x, weights)
    var run = 0
    repeat {
      var v = w
      var k = 0
      #if arch(arm64)
        // The instruction takes a factor from any lane, so that one load provides four.
        while k &+ 4 <= length {
          var rows = Registers8<Lanes>(repeating: .zero)
          for i in 0..<count / vectors { rows[i] = load(x + (rowStarts[i] &+ k)) }
          add(&rows, 0, v, &sums, vectors)
          add(&rows, 1, v + vectors &* lanes, &sums, vectors)
          add(&rows, 2, v + 2 &* vectors &* lanes, &sums, vectors)
          add(&rows, 3, v + 3 &* vectors &* lanes, &sums, vectors)
          v += 4 &* vectors &* lanes
          k &+= 4
        }
      #endif
      while k < length {
        for i in 0..<count / vectors {
          #if arch(arm64)
            let start = rowStarts[i]
          #else
            let start = i &* xStride
          #endif
          let x = Lanes(repeating: x[start &+ k])
          sums[vectors &* i] = multiplyAdd(sums[vectors &* i], x, load(v))
          if vectors == 2 { sums[2 &* i &+ 1] = multiplyAdd(sums[2 &* i &+ 1], x, load(v + lanes)) }
        }
        v += vectors &* lanes
        k &+= 1
      }
      x += runStride
      w += weightStride
      run &+= 1
    } while run < runs
    if columns == vectors &* lanes {
      write(&sums, vectors, to: y, yStride)
    } else {
      #if MARTLET_V4
        for i in 0..<count / vectors {
          let y = y + i &* yStride
          store(clamp(sums[vectors &* i], low, high), to: y, min(columns, lanes))
          if vectors == 2 {
            store(clamp(sums[2 &* i &+ 1], low, high), to: y + lanes, columns &- lanes)
          }
        }
      #else
        // Rows are stored whole and then copied: otherwise the compiler would keep a loop over the
        // sums, and the sums in memory.
        var staged = Sums(repeating: .zero)
        withUnsafeMutablePointer(to: &staged) { staged in
          let start = UnsafeMutableRawPointer(staged).assumingMemoryBound(to: Float.self)
          write(&sums, vectors, to: start, vectors &* lanes)
          copyColumns(start, vectors &* lanes, count / vectors, to: y)
        }
      #endif
    }
  }

  /// Writes all columns of a tile.
  @inline(__always)
  private func write<Sums: Registers<Lanes>>(
    _ sums: inout Sums, _ vectors: Int, to y: UnsafeMutablePointer<Float>, _ yStride: Int
  ) {
    for i in 0..<Sums.count / vectors {
      let y = y + i &* yStride
      store(clamp(sums[vectors &* i], low, high), to: y)
      if vectors == 2 { store(clamp(sums[2 &* i &+ 1], low, high), to: y + Lanes.scalarCount) }
    }
  }

  #if !MARTLET_V4
    /// Copies the columns that exist.
    @inline(never)
    private func copyColumns(
      _ rows: UnsafePointer<Float>, _ width: Int, _ count: Int, to y: UnsafeMutablePointer<Float>
    ) {
      for row in 0..<count {
        for column in 0..<columns { y[row &* yStride &+ column] = rows[row &* width &+ column] }
      }
    }
  #endif

  #if arch(arm64)
    /// Adds the products of one lane of each row. The instruction takes a factor from any lane, so
    /// that one load provides four.
    @inline(__always)
    private func add<Tile: Registers<Lanes>>(
      _ rows: inout Registers8<Lanes>, _ lane: Int, _ w: UnsafePointer<Float>, _ sums: inout Tile,
      _ vectors: Int
    ) {
      for i in 0..<Tile.count / vectors {
        let x = Lanes(repeating: rows[i][lane])
        sums[vectors &* i] = multiplyAdd(sums[vectors &* i], x, load(w))
        if vectors == 2 {
          sums[2 &* i &+ 1] = multiplyAdd(sums[2 &* i &+ 1], x, load(w + Lanes.scalarCount))
        }
      }
    }
  #endif
}
