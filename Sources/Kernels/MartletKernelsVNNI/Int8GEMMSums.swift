//===--- Int8GEMMSums.swift - sums of byte products -----------------------===//
//
// As `Int8GEMM.swift`, for results that are not bytes.
//
// Contract  Exact; sums wrap. Columns are in order.
// Cost      2 · rows · depth · width operations.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

extension Level {
  package static func int8GEMMSums(_ arguments: Int8GEMMSums) {
    let product = Int8Product(
      x: arguments.x, quads: arguments.quads, panel: arguments.panel, flip: 0)
    let (rows, y) = (arguments.rows, arguments.sums)
    switch arguments.vectors {
    case 4: multiply(product, rows, Static<4>(), InlineArray<24, Sums>(repeating: .zero), y)
    case 2: multiply(product, rows, Static<2>(), InlineArray<20, Sums>(repeating: .zero), y)
    default: multiply(product, rows, Static<1>(), InlineArray<12, Sums>(repeating: .zero), y)
    }
  }

  /// Multiplies tiles, of which the last may overlap the previous one, or single rows if there are
  /// too few.
  @inline(__always)
  private static func multiply<let count: Int, let vectors: Int>(
    _ product: Int8Product, _ rows: Int, _ width: Static<vectors>,
    _ zero: InlineArray<count, Sums>, _ y: UnsafeMutablePointer<Int32>
  ) {
    let height = count / vectors
    var row = 0
    if rows >= height {
      while row < rows {
        let first = row &+ height > rows ? rows &- height : row
        let sums = product.tile(zero, width, first, height)
        let dest = y + first &* vectors &* 16
        for i in 0..<count { store(sums[i], to: dest + 16 &* i) }
        row &+= height
      }
    } else {
      let zero = InlineArray<4, Sums>(repeating: .zero)
      while row < rows {
        let sums = product.tile(zero, width, row, 1)
        let dest = y + row &* vectors &* 16
        for i in 0..<vectors { store(sums[i], to: dest + 16 &* i) }
        row &+= 1
      }
    }
  }
}
