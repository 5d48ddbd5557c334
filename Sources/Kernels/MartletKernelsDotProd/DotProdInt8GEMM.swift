//===--- DotProdInt8GEMM.swift - byte matrix product ----------------------===//
//
// sum[i][j] = bias[j] + Σ over k of (x[i][k] - 128) * w[k][j]
//
// Rows are read without packing: signed bytes, which are unsigned ones minus 128, or unsigned ones
// whose top bits are flipped when they are loaded. The contribution of zero points and of the 128
// is constant for a column and part of its bias, or constant for a row and its term.
//
// A panel is 16 columns wide: a header (see `Int8GEMM`), then the weights.
// `Int8Product+NEON.swift`, `Int8Product+DotProd.swift` or `Int8Product+I8MM.swift`, one of which is
// compiled, multiplies by them.
//
// Contract  Exact; sums wrap. Reads whole groups of each row.
// Cost      2 · rows · depth · width operations; each row of x is read once per panel.
//===----------------------------------------------------------------------===//

#if arch(arm64)
  import MartletMicrokernels
  import _Builtin_intrinsics.arm.neon

  extension Level {
    @export(interface) @inline(never)
    package static func int8GEMM(_ arguments: Int8GEMM) {
      if arguments.output.flip == 0 {
        multiply(arguments, UnsignedByte.self)
      } else {
        multiply(arguments, SignedByte.self)
      }
    }

    private static func multiply<Byte: ByteType>(_ arguments: Int8GEMM, _: Byte.Type) {
      let product = Int8Product<Byte>(
        x: arguments.x, quads: arguments.quads, panel: arguments.panel)
      product.multiply(arguments.rows, into: ByteRows<Byte>(arguments))
    }

    @export(interface) @inline(never)
    package static func int8GEMMSums(_ arguments: Int8GEMMSums) {
      let product = Int8Product<UnsignedByte>(
        x: arguments.x, quads: arguments.quads, panel: arguments.panel)
      product.multiply(arguments.rows, into: SumRows(start: arguments.sums))
    }
  }

  /// The rows and the panel of a product.
  struct Int8Product<Byte: ByteType> {
    let x: UnsafeRawPointer
    let xStride: Int
    /// The distances of the rows of a tile from the first.
    let rowStarts: Registers6<Int>
    let quads: Int
    let panel: UnsafePointer<Int32>

    @inline(__always)
    init(x: Matrix<UInt8>, quads: Int, panel: UnsafePointer<Int32>) {
      self.x = UnsafeRawPointer(x.start)
      xStride = x.rowStride
      rowStarts = multiples(of: x.rowStride)
      self.quads = quads
      self.panel = panel
    }

    /// Multiplies tiles, of which the last may overlap the previous one, or single rows if there
    /// are too few.
    @inline(__always)
    func multiply<Output: RowOutput>(_ rows: Int, into output: Output) {
      var row = 0
      if rows >= Level.int8TileRows {
        while row < rows {
          let first = min(row, rows &- Level.int8TileRows)
          var sums = tile(first)
          output.write(&sums, first)
          row &+= Level.int8TileRows
        }
      } else {
        while row < rows {
          var sums = self.row(Registers4<Sums>.self, row)
          output.write(&sums, row)
          row &+= 1
        }
      }
    }
  }

  /// The multiples of a number. Not inlined, because the compiler would otherwise add the distance
  /// of two rows before each load of a row.
  @inline(never)
  private func multiples(of number: Int) -> Registers6<Int> {
    var multiples = Registers6<Int>(repeating: 0)
    for i in 0..<6 { multiples[i] = i &* number }
    return multiples
  }

  /// The output of a product.
  protocol RowOutput {
    /// Writes rows of four vectors, from the row `first` on.
    func write<Tile: Registers<Sums>>(_ sums: inout Tile, _ first: Int)
  }

  private struct SumRows: RowOutput {
    let start: UnsafeMutablePointer<Int32>

    @inline(__always)
    func write<Tile: Registers<Sums>>(_ sums: inout Tile, _ first: Int) {
      for i in 0..<Tile.count { store(sums[i], to: start + (16 &* first &+ 4 &* i)) }
    }
  }

  /// Rows of sums that are converted to bytes.
  private struct ByteRows<Byte: ByteType>: RowOutput {
    private let terms: RowTerms
    private let factors: ByteFactors
    private let output: ByteOutput
    private let packing: BytePacking<Byte>
    private let y: MutableMatrix<UInt8>
    private let columns: Int

    @inline(__always)
    init(_ product: Int8GEMM) {
      terms = product.terms
      factors = ByteFactors(product.panel, lane: 0, stride: 4)
      output = product.output
      packing = BytePacking(product.output)
      y = product.y
      columns = product.columns
    }

    @inline(__always)
    func write<Tile: Registers<Sums>>(_ sums: inout Tile, _ first: Int) {
      let rows = Tile.count / 4
      if terms.stride != 0 {
        for r in 0..<rows {
          let term = Sums(repeating: terms.start[(first &+ r) &* terms.stride])
          for i in 0..<4 { sums[4 &* r &+ i] = sums[4 &* r &+ i] &+ term }
        }
      }
      factors.scale(&sums, for: output)
      var bytes = Registers6<Bytes>(repeating: .zero)
      for r in 0..<rows {
        bytes[r] = packing.pack(
          sums[4 &* r], sums[4 &* r &+ 1], sums[4 &* r &+ 2], sums[4 &* r &+ 3])
      }
      if packing.isClamped { for r in 0..<rows { bytes[r] = packing.clamp(bytes[r]) } }
      let dest = y.start + first &* y.rowStride
      if columns == 16 {
        for r in 0..<rows {
          UnsafeMutableRawPointer(dest + r &* y.rowStride).storeBytes(
            of: bytes[r], as: Bytes.self)
        }
      } else {
        for r in 0..<rows { storePart(bytes[r], to: dest + r &* y.rowStride, columns) }
      }
    }
  }
#endif
