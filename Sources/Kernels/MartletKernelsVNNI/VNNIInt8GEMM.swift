//===--- VNNIInt8GEMM.swift - byte matrix product -------------------------===//
//
// sum[i][j] = bias[j] + Σ over k of x[i][k] * w[k][j]
//
// Rows are read without packing: unsigned bytes, or signed ones whose top bits are flipped when
// they are loaded. The instruction multiplies four of them by four signed weights and adds all
// products to a sum. The contribution of zero points is constant for a column and part of its bias,
// or constant for a row and its term.
//
// A panel is 64, 32 or 16 columns wide: a header for each vector of 16 (see
// `Int8Requantize.swift`), then the weights as [depth / 4][width][4]. If results are bytes, columns
// are permuted so that packing restores their order: with v vectors, lane 4q + i of vector n is
// column 4 · (v · q + n) + i.
//
// Contract  Exact; sums wrap. Reads whole groups of four bytes of each row.
// Cost      2 · rows · depth · width operations; each row of x is read once per panel.
//===----------------------------------------------------------------------===//

import MartletMicrokernels
import _Builtin_intrinsics.intel

extension Level {
  package static func int8GEMM(_ arguments: Int8GEMM) {
    switch arguments.vectors {
    case 4: multiply(arguments, Registers24<Sums>.self, Static4.self)
    case 2: multiply(arguments, Registers20<Sums>.self, Static2.self)
    default: multiply(arguments, Registers12<Sums>.self, Static1.self)
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
        results.write(product.tile(tile, vectors, first, height), vectors, first, height)
        row &+= height
      }
    } else {
      while row < rows {
        results.write(product.tile(Registers4<Sums>.self, vectors, row, 1), vectors, row, 1)
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

  /// Computes the sums of `rows` rows of `vectors` vectors.
  @inline(__always)
  func tile<Tile: Registers<Sums>>(
    _: Tile.Type, _ vectors: Int, _ first: Int, _ rows: Int
  ) -> Tile {
    let flips = Sums(repeating: Int32(truncatingIfNeeded: UInt32(flip) &* 0x0101_0101))
    var sums = Tile(repeating: .zero)
    for v in 0..<vectors {
      let biases: Sums = load(panel + v &* byteHeaderCount)
      for r in 0..<rows { sums[r &* vectors &+ v] = biases }
    }
    let start = UnsafeRawPointer(x) + first &* xStride
    var w = UnsafeRawPointer(panel + vectors &* byteHeaderCount)
    for quad in 0..<quads {
      var weights = Registers4<Sums>(repeating: .zero)
      for v in 0..<vectors {
        weights[v] = w.loadUnaligned(fromByteOffset: 64 &* v, as: Sums.self)
      }
      for r in 0..<rows {
        let place = start + (r &* xStride &+ 4 &* quad)
        let bytes = Sums(repeating: place.loadUnaligned(as: Int32.self)) ^ flips
        for v in 0..<vectors {
          sums[r &* vectors &+ v] = addQuads(sums[r &* vectors &+ v], bytes, weights[v])
        }
      }
      w += 64 &* vectors
    }
    return sums
  }
}

/// The output of a panel's sums, and their conversion.
private struct Int8Results {
  let terms: UnsafePointer<Int32>
  let termStride: Int
  let panel: UnsafePointer<Int32>
  let y: UnsafeMutablePointer<UInt8>
  let yStride: Int
  let columns: Int
  let packing: BytePacking
  let isRectified: Bool

  @inline(__always)
  init(_ product: Int8GEMM) {
    terms = product.terms.start
    termStride = product.terms.stride
    panel = product.panel
    y = product.y.start
    yStride = product.y.rowStride
    columns = product.columns
    packing = BytePacking(product.output)
    isRectified = product.output.isRectified
  }

  /// Writes `rows` rows of `vectors` vectors.
  @inline(__always)
  func write<Tile: Registers<Sums>>(
    _ sums: Tile, _ vectors: Int, _ first: Int, _ rows: Int
  ) {
    if isRectified {
      write(sums, vectors, first, rows, isRectified: true)
    } else {
      write(sums, vectors, first, rows, isRectified: false)
    }
  }

  @inline(__always)
  private func write<Tile: Registers<Sums>>(
    _ sums: Tile, _ vectors: Int, _ first: Int, _ rows: Int, isRectified: Bool
  ) {
    var sums = sums
    let f0 = ByteFactor(panel)
    let f1 = ByteFactor(panel + 1 % vectors &* byteHeaderCount)
    let f2 = ByteFactor(panel + 2 % vectors &* byteHeaderCount)
    let f3 = ByteFactor(panel + 3 % vectors &* byteHeaderCount)
    let rowsAtOnce = 4 / vectors
    for group in 0..<Tile.count / 4 {
      let row = first &+ group &* rowsAtOnce
      let bytes = packing.pack(
        f0.scale(sums[4 &* group] &+ term(row, 0, rows), isRectified),
        f1.scale(sums[4 &* group &+ 1] &+ term(row, 1 / vectors, rows), isRectified),
        f2.scale(sums[4 &* group &+ 2] &+ term(row, 2 / vectors, rows), isRectified),
        f3.scale(sums[4 &* group &+ 3] &+ term(row, 3 / vectors, rows), isRectified))
      switch vectors {
      case 4:
        put(bytes, row, 0, 64)
      case 2:
        let halves = _mm512_permutexvar_epi64(__m512i(0, 2, 4, 6, 1, 3, 5, 7), bytes)
        put(halves, row, 0, 32)
        if rows > 1 { put(halves, row &+ 1, 1, 32) }
      default:
        let order = Sums(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
        let quarters = _mm512_permutexvar_epi32(unsafeBitCast(order, to: __m512i.self), bytes)
        put(quarters, row, 0, 16)
        if rows > 1 {
          put(quarters, row &+ 1, 1, 16)
          put(quarters, row &+ 2, 2, 16)
          put(quarters, row &+ 3, 3, 16)
        }
      }
    }
  }

  @inline(__always)
  private func term(_ row: Int, _ further: Int, _ rows: Int) -> Sums {
    Sums(repeating: terms[(row &+ (rows > 1 ? further : 0)) &* termStride])
  }

  /// Writes the existing columns of one of the parts, which have `width` bytes each.
  @inline(__always)
  private func put(_ bytes: __m512i, _ row: Int, _ part: Int, _ width: Int) {
    let dest = UnsafeMutableRawPointer(y + row &* yStride)
    guard columns == width else {
      return _mm512_mask_storeu_epi8(
        dest - part &* width,
        byteMask(columns) &<< UInt64(truncatingIfNeeded: part &* width), bytes)
    }
    if width == 64 { return dest.storeBytes(of: bytes, as: __m512i.self) }
    let half = (part &* width) & 32 == 0 ? bytes.lowHalf : bytes.highHalf
    if width == 32 { return dest.storeBytes(of: half, as: SIMD4<Int64>.self) }
    dest.storeBytes(of: part & 1 == 0 ? half.lowHalf : half.highHalf, as: SIMD2<Int64>.self)
  }
}

/// Adds the products of four unsigned bytes and four signed ones to each lane.
@inline(__always)
func addQuads(_ sum: Sums, _ x: Sums, _ w: Sums) -> Sums {
  let result = _mm512_dpbusd_epi32(
    unsafeBitCast(sum, to: __m512i.self), unsafeBitCast(x, to: __m512i.self),
    unsafeBitCast(w, to: __m512i.self))
  return unsafeBitCast(result, to: Sums.self)
}
