//===--- DotProdInt8GEMM.swift - byte matrix product ----------------------===//
//
// sum[i][j] = bias[j] + Σ over k of (x[i][k] - 128) * w[k][j]
//
// Rows are read without packing: signed bytes, which are unsigned ones minus 128, or unsigned ones
// whose top bits are flipped when they are loaded. The contribution of zero points and of the 128
// is constant for a column and part of its bias, or constant for a row and its term.
//
// A panel is 16 columns wide: a header (see `Int8GEMM`), then the weights.
// `Int8Product+DotProd.swift` or `Int8Product+I8MM.swift`, one of which is compiled, multiplies by
// them.
//
// Contract  Exact; sums wrap. Reads whole groups of each row.
// Cost      2 · rows · depth · width operations; each row of x is read once per panel.
//===----------------------------------------------------------------------===//

#if arch(arm64)
  import MartletMicrokernels
  import _Builtin_intrinsics.arm.neon

  extension Level {
    @export(interface) package static func int8GEMM(_ arguments: Int8GEMM) {
      let (panel, terms, columns) = (arguments.panel, arguments.terms, arguments.columns)
      let y = arguments.y
      let product = Int8Product(
        x: arguments.x, quads: arguments.quads, panel: panel, flip: arguments.output.flip)
      let packing = BytePacking(arguments.output)
      let factors = (
        ByteFactor(panel, lane: 0), ByteFactor(panel, lane: 4), ByteFactor(panel, lane: 8),
        ByteFactor(panel, lane: 12)
      )
      product.forEachRow(of: arguments.rows) { row, sums in
        let term = Sums(repeating: terms.start[row &* terms.stride])
        let bytes = packing.pack(
          factors.0.scale(sums.0 &+ term), factors.1.scale(sums.1 &+ term),
          factors.2.scale(sums.2 &+ term), factors.3.scale(sums.3 &+ term))
        store(bytes, to: y.start + row &* y.rowStride, columns)
      }
    }

    @export(interface) package static func int8GEMMSums(_ arguments: Int8GEMMSums) {
      let y = arguments.sums
      let product = Int8Product(
        x: arguments.x, quads: arguments.quads, panel: arguments.panel, flip: 0)
      product.forEachRow(of: arguments.rows) { row, sums in
        let dest = y + 16 &* row
        store(sums.0, to: dest)
        store(sums.1, to: dest + 4)
        store(sums.2, to: dest + 8)
        store(sums.3, to: dest + 12)
      }
    }
  }

  /// The rows and the panel of a product.
  struct Int8Product {
    let x: UnsafeRawPointer
    let xStride: Int
    let quads: Int
    let panel: UnsafePointer<Int32>
    let flips: Sums

    /// `flip` is 0x80 if bytes are signed.
    @inline(__always)
    init(x: Matrix<UInt8>, quads: Int, panel: UnsafePointer<Int32>, flip: UInt8) {
      self.x = UnsafeRawPointer(x.start)
      xStride = x.rowStride
      self.quads = quads
      self.panel = panel
      flips = unsafeBitCast(signing(flip), to: Sums.self)
    }

    /// Calls `write` with the sums of each row, tile by tile, or row by row if there are too few.
    /// The last tile may overlap the previous one.
    @inline(__always)
    func forEachRow(of rows: Int, _ write: (_ row: Int, (Sums, Sums, Sums, Sums)) -> Void) {
      var row = 0
      if rows >= Level.int8TileRows {
        while row < rows {
          let first = min(row, rows &- Level.int8TileRows)
          var sums = tile(first)
          // Unrolled, because the compiler would keep a loop and copy all sums.
          write(first, (sums[0], sums[1], sums[2], sums[3]))
          write(first &+ 1, (sums[4], sums[5], sums[6], sums[7]))
          write(first &+ 2, (sums[8], sums[9], sums[10], sums[11]))
          write(first &+ 3, (sums[12], sums[13], sums[14], sums[15]))
          write(first &+ 4, (sums[16], sums[17], sums[18], sums[19]))
          write(first &+ 5, (sums[20], sums[21], sums[22], sums[23]))
          row &+= Level.int8TileRows
        }
      } else {
        while row < rows {
          var sums = self.row(Registers4<Sums>.self, row)
          write(row, (sums[0], sums[1], sums[2], sums[3]))
          row &+= 1
        }
      }
    }
  }
#endif
