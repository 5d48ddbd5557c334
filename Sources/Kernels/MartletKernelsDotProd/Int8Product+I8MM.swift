//===--- Int8Product+I8MM.swift - I8MM products ---------------------------===//
//
// Weights are [depth / 8][columns][8]. The instruction multiplies two rows by two columns. A vector
// of a tile therefore has the sums of rows 2p and 2p + 1 and columns 2n and 2n + 1, row by row.
//
// Contract  Exact; sums wrap. Reads whole groups of eight bytes of each row.
// Cost      2 · rows · depth · columns operations, 64 per instruction; for a single row 32, and
//           pairs of columns are separated.
//===----------------------------------------------------------------------===//

#if arch(arm64) && MARTLET_I8MM
  import MartletMicrokernels
  import _Builtin_intrinsics.arm.neon

  extension Int8Product {
    /// Computes the sums of six rows, four vectors each.
    @inline(__always)
    func tile(_ first: Int) -> Registers24<Sums> {
      var pairs = Registers24<Sums>(repeating: .zero)
      for i in 0..<24 {
        let biases = UnsafeRawPointer(panel + i % 8 &* 2).loadUnaligned(as: SIMD2<Int32>.self)
        pairs[i] = Sums(lowHalf: biases, highHalf: biases)
      }
      var place = x + first &* xStride
      var w = panel + byteHeaderCount
      var rowStarts = rowStarts
      var left = quads
      while left > 0 {
        var rows = Registers3<Sums>(repeating: .zero)
        for p in 0..<3 {
          rows[p] = Byte.signed(
            Sums(
              lowHalf: eight(place + rowStarts[2 &* p]),
              highHalf: eight(place + rowStarts[2 &* p &+ 1])))
        }
        for n in 0..<8 {
          let columns: Sums = load(w + 4 &* n)
          for p in 0..<3 {
            pairs[8 &* p &+ n] = addEights(pairs[8 &* p &+ n], rows[p], columns)
          }
        }
        w += 32
        place += 8
        left &-= 2
      }
      var sums = Registers24<Sums>(repeating: .zero)
      for p in 0..<3 {
        for v in 0..<4 {
          let (a, b) = (pairs[8 &* p &+ 2 &* v], pairs[8 &* p &+ 2 &* v &+ 1])
          sums[8 &* p &+ v] = Sums(lowHalf: a.lowHalf, highHalf: b.lowHalf)
          sums[8 &* p &+ 4 &+ v] = Sums(lowHalf: a.highHalf, highHalf: b.highHalf)
        }
      }
      return sums
    }

    /// Computes the sums of one row.
    @inline(__always)
    func row<Row: Registers<Sums>>(_: Row.Type, _ row: Int) -> Row {
      let vectors = Row.count
      var sums = Row(repeating: .zero)
      for v in 0..<vectors { sums[v] = load(panel + (v / 4 &* byteHeaderCount &+ v % 4 &* 4)) }
      let start = x + row &* xStride
      var w = panel + vectors / 4 &* byteHeaderCount
      for group in 0..<quads / 2 {
        let bytes = eight(start + 8 &* group)
        let (first, second) = (
          Byte.signed(Sums(repeating: bytes[0])), Byte.signed(Sums(repeating: bytes[1]))
        )
        for v in 0..<vectors {
          let (a, b): (Sums, Sums) = (load(w + 8 &* v), load(w + (8 &* v &+ 4)))
          sums[v] = addQuads(sums[v], first, vuzp1q_s32(a, b))
          sums[v] = addQuads(sums[v], second, vuzp2q_s32(a, b))
        }
        w += 8 &* vectors
      }
      return sums
    }

    @inline(__always)
    private func eight(_ place: UnsafeRawPointer) -> SIMD2<Int32> {
      place.loadUnaligned(as: SIMD2<Int32>.self)
    }
  }
#endif
