//===--- Int8GEMMSums.swift - sums of byte products -----------------------===//
//
// As `VNNIInt8GEMM.swift`, for results that are not bytes.
//
// Contract  Exact; sums wrap.
// Cost      2 · rows · depth · width operations.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

extension Level {
  package static func int8GEMMSums(_ arguments: Int8GEMMSums) {
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
    _ arguments: Int8GEMMSums, _ tile: Tile.Type, _ width: Width.Type
  ) {
    let vectors = width.value
    let lanes = Sums.scalarCount
    let product = Int8Product(
      x: arguments.x, quads: arguments.quads, panel: arguments.panel, flip: 0)
    let (rows, y) = (arguments.rows, arguments.sums)
    let count = Tile.count
    let height = count / vectors
    var row = 0
    if rows >= height {
      while row < rows {
        let first = row &+ height > rows ? rows &- height : row
        var sums = product.tile(tile, vectors, first, height)
        let dest = y + first &* vectors &* lanes
        for i in 0..<count { store(sums[i], to: dest + lanes &* i) }
        row &+= height
      }
    } else {
      while row < rows {
        var sums = product.tile(Registers4<Sums>.self, vectors, row, 1)
        let dest = y + row &* vectors &* lanes
        for i in 0..<vectors { store(sums[i], to: dest + lanes &* i) }
        row &+= 1
      }
    }
  }
}
