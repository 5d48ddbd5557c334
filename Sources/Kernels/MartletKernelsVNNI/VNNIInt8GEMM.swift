//===--- VNNIInt8GEMM.swift - byte matrix product -------------------------===//
//
// sum[i][j] = bias[j] + Σ over k of x[i][k] * w[k][j]
//
// Rows are read without packing: unsigned bytes, or signed ones whose top bits are flipped when
// they are loaded. The instruction multiplies four of them by four signed weights and adds all
// products to a sum. The contribution of zero points is constant for a column and part of its bias,
// or constant for a row and its term.
//
// A panel is 64, 32 or 16 columns wide, with 256-bit vectors at most 32: a header for each 16
// columns (see `Int8GEMM`), then the weights as [depth / 4][width][4].
//
// Contract  Exact; sums wrap. Reads whole groups of four bytes of each row.
// Cost      2 · rows · depth · width operations; each row of x is read once per panel.
//===----------------------------------------------------------------------===//

import MartletMicrokernels
import _Builtin_intrinsics.intel

extension Level {
  package static func int8GEMM(_ arguments: Int8GEMM) {
    switch arguments.vectors {
    #if MARTLET_V4
      case 4: multiply(arguments, Registers24<Sums>.self, Static4.self)
      case 2: multiply(arguments, Registers20<Sums>.self, Static2.self)
      default: multiply(arguments, Registers12<Sums>.self, Static1.self)
    #else
      case 2: multiply(arguments, Registers12<Sums>.self, Static4.self)
      default: multiply(arguments, Registers12<Sums>.self, Static2.self)
    #endif
    }
  }

  /// Multiplies tiles, of which the last may overlap the previous one, or single rows if there are
  /// too few. Compiled separately for each width, because the compiler stops inlining in functions
  /// that are too long.
  @inline(never)
  private static func multiply<Tile: Registers<Sums>, Width: Static>(
    _ arguments: Int8GEMM, _ tile: Tile.Type, _ width: Width.Type
  ) {
    let vectors = width.value
    let product = Int8Product(
      x: arguments.x, quads: arguments.quads, panel: arguments.panel, flip: arguments.output.flip)
    let results = Int8Results(arguments)
    let rows = arguments.rows
    let height = Tile.count / vectors
    var row = 0
    if rows >= height {
      while row < rows {
        let first = row &+ height > rows ? rows &- height : row
        let sums = product.tile(tile, vectors, first, height)
        results.write(sums, vectors, first, height)
        row &+= height
      }
    } else {
      while row < rows {
        let sums = product.tile(Registers4<Sums>.self, vectors, row, 1)
        results.write(sums, vectors, row, 1)
        row &+= 1
      }
    }
  }
}

/// The rows and the panel of a product.
struct Int8Product {
  let x: UnsafePointer<UInt8>
  let xStride: Int
  let quads: Int
  let panel: UnsafePointer<Int32>
  let flip: UInt8

  @inline(__always)
  init(x: Matrix<UInt8>, quads: Int, panel: UnsafePointer<Int32>, flip: UInt8) {
    self.x = x.start
    xStride = x.rowStride
    self.quads = quads
    self.panel = panel
    self.flip = flip
  }

  /// The header's fields for a vector of the panel.
  @inline(__always)
  static func lanes(_ panel: UnsafePointer<Int32>, _ vector: Int) -> UnsafePointer<Int32> {
    let lane = vector &* Sums.scalarCount
    return panel + (lane / 16 &* byteHeaderCount &+ lane % 16)
  }

  /// Computes the sums of `rows` rows of `vectors` vectors.
  @inline(__always)
  func tile<Tile: Registers<Sums>>(
    _: Tile.Type, _ vectors: Int, _ first: Int, _ rows: Int
  ) -> Tile {
    let flips = sums(flips(flip))
    let lanes = Sums.scalarCount
    var sums = Tile(repeating: .zero)
    for v in 0..<vectors {
      let biases: Sums = load(Int8Product.lanes(panel, v))
      for r in 0..<rows { sums[r &* vectors &+ v] = biases }
    }
    var place = UnsafeRawPointer(x) + first &* xStride
    var w = panel + vectors &* lanes / 16 &* byteHeaderCount
    for _ in 0..<quads {
      // Whichever are fewer stay in registers, the others are read one by one.
      if vectors <= rows {
        var weights = Registers4<Sums>(repeating: .zero)
        for v in 0..<vectors { weights[v] = load(w + lanes &* v) }
        for r in 0..<rows {
          let bytes = quad(place, r) ^ flips
          for v in 0..<vectors {
            sums[r &* vectors &+ v] = addQuads(sums[r &* vectors &+ v], bytes, weights[v])
          }
        }
      } else {
        var bytes = Registers4<Sums>(repeating: .zero)
        for r in 0..<rows { bytes[r] = quad(place, r) ^ flips }
        for v in 0..<vectors {
          let weights: Sums = load(w + lanes &* v)
          for r in 0..<rows {
            sums[r &* vectors &+ v] = addQuads(sums[r &* vectors &+ v], bytes[r], weights)
          }
        }
      }
      w += lanes &* vectors
      place += 4
    }
    return sums
  }

  @inline(__always)
  private func quad(_ place: UnsafeRawPointer, _ row: Int) -> Sums {
    Sums(repeating: (place + row &* xStride).loadUnaligned(as: Int32.self))
  }
}

/// The output of a panel's sums, and their conversion.
private struct Int8Results {
  let terms: RowTerms
  let panel: UnsafePointer<Int32>
  let y: UnsafeMutablePointer<UInt8>
  let yStride: Int
  let columns: Int
  let output: ByteOutput
  let packing: BytePacking

  @inline(__always)
  init(_ product: Int8GEMM) {
    terms = product.terms
    panel = product.panel
    y = product.y.start
    yStride = product.y.rowStride
    columns = product.columns
    output = product.output
    packing = BytePacking(product.output)
  }

  /// Writes `rows` rows of `vectors` vectors.
  @inline(__always)
  func write<Tile: Registers<Sums>>(
    _ sums: Tile, _ vectors: Int, _ first: Int, _ rows: Int
  ) {
    switch ScalingVariant(output) {
    case .rectified: write(sums, vectors, first, rows, .rectified)
    case .right: write(sums, vectors, first, rows, .right)
    case .any: writeAny(sums, vectors, first, rows)
    }
  }

  /// Not inlined, because the compiler would no longer inline the others.
  @inline(never)
  private func writeAny<Tile: Registers<Sums>>(
    _ sums: Tile, _ vectors: Int, _ first: Int, _ rows: Int
  ) {
    write(sums, vectors, first, rows, .any)
  }

  @inline(__always)
  private func write<Tile: Registers<Sums>>(
    _ sums: Tile, _ vectors: Int, _ first: Int, _ rows: Int, _ scaling: ScalingVariant
  ) {
    var sums = sums
    for group in 0..<Tile.count / 4 {
      let row = first &+ group &* 4 / vectors
      let bytes = inOrder(
        packing.pack(
          scaled(sums[4 &* group], 0, vectors, row, rows, scaling),
          scaled(sums[4 &* group &+ 1], 1, vectors, row, rows, scaling),
          scaled(sums[4 &* group &+ 2], 2, vectors, row, rows, scaling),
          scaled(sums[4 &* group &+ 3], 3, vectors, row, rows, scaling)))
      put(bytes, row, 0, vectors)
      if rows > 1 {
        for part in 1..<max(4 / vectors, 1) { put(bytes, row &+ part, part, vectors) }
      }
    }
  }

  /// Scales one of four vectors, of `4 / vectors` rows.
  @inline(__always)
  private func scaled(
    _ sum: Sums, _ index: Int, _ vectors: Int, _ row: Int, _ rows: Int, _ scaling: ScalingVariant
  ) -> Sums {
    let further = rows > 1 ? index / vectors : 0
    let term = Sums(repeating: terms.start[(row &+ further) &* terms.stride])
    return ByteFactor(Int8Product.lanes(panel, index % vectors)).scaled(sum &+ term, scaling)
  }

  /// Writes the existing columns of a row, which is one of the parts of a vector.
  @inline(__always)
  private func put(_ bytes: Bits, _ row: Int, _ part: Int, _ vectors: Int) {
    let dest = UnsafeMutableRawPointer(y + row &* yStride)
    store(bytes, part, vectors &* Sums.scalarCount, to: dest, columns)
  }
}
