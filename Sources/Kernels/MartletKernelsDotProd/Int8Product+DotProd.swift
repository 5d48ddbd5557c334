//===--- Int8Product+DotProd.swift - DotProd products ---------------------===//
//
// Weights are [depth / 4][columns][4]. One load of a row provides four groups of four, because the
// instruction takes a group from any lane; the last load may provide fewer.
//
// Contract  Exact; sums wrap. Reads whole groups of four bytes of each row.
// Cost      2 · rows · depth · columns operations, 32 per instruction.
//===----------------------------------------------------------------------===//

#if arch(arm64) && !MARTLET_I8MM && !MARTLET_NEON
  import MartletMicrokernels

  extension Int8Product {
    /// Computes the sums of six rows, four vectors each.
    @inline(__always)
    func tile(_ first: Int) -> Registers24<Sums> {
      sums(Registers24<Sums>.self, 4, first)
    }

    /// Computes the sums of one row.
    @inline(__always)
    func row<Row: Registers<Sums>>(_: Row.Type, _ row: Int) -> Row {
      sums(Row.self, Row.count, row)
    }

    /// Computes the sums of rows of `vectors` vectors of four columns.
    @inline(__always)
    private func sums<Tile: Registers<Sums>>(
      _: Tile.Type, _ vectors: Int, _ first: Int
    ) -> Tile {
      let count = Tile.count
      var sums = Tile(repeating: .zero)
      for i in 0..<count {
        let v = i % vectors
        sums[i] = load(panel + (v / 4 &* byteHeaderCount &+ v % 4 &* 4))
      }
      var place = x + first &* xStride
      var w = panel + vectors / 4 &* byteHeaderCount
      var left = quads
      while left >= 4 {
        var rows = Registers6<Sums>(repeating: .zero)
        for r in 0..<count / vectors {
          rows[r] = Byte.signed((place + r &* xStride).loadUnaligned(as: Sums.self))
        }
        add(&rows, 0, w, &sums, vectors)
        add(&rows, 1, w + 4 &* vectors, &sums, vectors)
        add(&rows, 2, w + 8 &* vectors, &sums, vectors)
        add(&rows, 3, w + 12 &* vectors, &sums, vectors)
        w += 16 &* vectors
        place += 16
        left &-= 4
      }
      if quads & 2 != 0 {
        var rows = Registers6<Sums>(repeating: .zero)
        for r in 0..<count / vectors {
          let pair = (place + r &* xStride).loadUnaligned(as: SIMD2<Int32>.self)
          rows[r] = Byte.signed(Sums(lowHalf: pair, highHalf: .zero))
        }
        add(&rows, 0, w, &sums, vectors)
        add(&rows, 1, w + 4 &* vectors, &sums, vectors)
        w += 8 &* vectors
        place += 8
      }
      if quads & 1 != 0 {
        var rows = Registers6<Sums>(repeating: .zero)
        for r in 0..<count / vectors {
          let four = (place + r &* xStride).loadUnaligned(as: Int32.self)
          rows[r] = Byte.signed(Sums(repeating: four))
        }
        add(&rows, 0, w, &sums, vectors)
      }
      return sums
    }

    /// Adds the products of one lane of each row.
    @inline(__always)
    private func add<Tile: Registers<Sums>>(
      _ rows: inout Registers6<Sums>, _ lane: Int, _ w: UnsafePointer<Int32>,
      _ sums: inout Tile, _ vectors: Int
    ) {
      for v in 0..<vectors {
        let weights: Sums = load(w + 4 &* v)
        for r in 0..<Tile.count / vectors {
          let i = r &* vectors &+ v
          sums[i] = addQuads(sums[i], Sums(repeating: rows[r][lane]), weights)
        }
      }
    }
  }
#endif
