//===--- Int8Product+NEON.swift - products without DotProd ----------------===//
//
// Weights are [depth / 4][columns][4]. Instructions multiply eight bytes by eight others. Products
// of two groups of four are added in 16 bits, then in pairs to 32-bit lanes. Each lane of a tile
// thus has half of a sum until the end.
//
// Contract  Exact; sums wrap. Weights are at least -127. Reads whole groups of four bytes of each
//           row.
// Cost      2 · rows · depth · columns operations, 16 per instruction that multiplies.
//===----------------------------------------------------------------------===//

#if arch(arm64) && MARTLET_NEON
  import MartletMicrokernels
  import _Builtin_intrinsics.arm.neon

  extension Int8Product {
    /// Computes the sums of two rows, four vectors each.
    @inline(__always)
    func tile(_ first: Int) -> Registers8<Sums> {
      var halves = Registers16<Sums>(repeating: .zero)
      var place = x + first &* xStride
      var w = panel + byteHeaderCount
      for _ in 0..<quads / 4 {
        var rows = Registers2<Sums>(repeating: .zero)
        for r in 0..<2 {
          rows[r] = Byte.signed((place + r &* xStride).loadUnaligned(as: Sums.self))
        }
        addPairs(&rows, 0, w, &halves)
        addPairs(&rows, 2, w + 32, &halves)
        w += 64
        place += 16
      }
      if quads & 2 != 0 {
        var rows = Registers2<Sums>(repeating: .zero)
        for r in 0..<2 {
          let pair = (place + r &* xStride).loadUnaligned(as: SIMD2<Int32>.self)
          rows[r] = Byte.signed(Sums(lowHalf: pair, highHalf: .zero))
        }
        addPairs(&rows, 0, w, &halves)
        w += 32
        place += 8
      }
      var sums = Registers8<Sums>(repeating: .zero)
      for i in 0..<8 {
        sums[i] =
          vpaddq_s32(halves[2 &* i], halves[2 &* i &+ 1]) &+ load(panel + i % 4 &* 4)
      }
      if quads & 1 != 0 {
        for i in 0..<8 {
          let four = (place + i / 4 &* xStride).loadUnaligned(as: Int32.self)
          let x = Byte.signed(Sums(repeating: four))
          sums[i] = addQuads(sums[i], x, load(w + i % 4 &* 4))
        }
      }
      return sums
    }

    /// Adds the products of two groups of each row, from `lane` on. Unrolled, because the compiler
    /// would keep a loop over the vectors and store the sums in memory.
    @inline(__always)
    private func addPairs(
      _ rows: inout Registers2<Sums>, _ lane: Int, _ w: UnsafePointer<Int32>,
      _ halves: inout Registers16<Sums>
    ) {
      addPairs(&rows, lane, w, &halves, 0)
      addPairs(&rows, lane, w + 4, &halves, 1)
      addPairs(&rows, lane, w + 8, &halves, 2)
      addPairs(&rows, lane, w + 12, &halves, 3)
    }

    /// Adds to the vector `v` of each row.
    @inline(__always)
    private func addPairs(
      _ rows: inout Registers2<Sums>, _ lane: Int, _ w: UnsafePointer<Int32>,
      _ halves: inout Registers16<Sums>, _ v: Int
    ) {
      let (first, second) = (bytes(load(w)), bytes(load(w + 16)))
      for r in 0..<2 {
        let x = bytes(Sums(repeating: rows[r][lane]))
        let next = bytes(Sums(repeating: rows[r][lane &+ 1]))
        let low = vmlal_s8(
          vmull_s8(vget_low_s8(x), vget_low_s8(first)), vget_low_s8(next), vget_low_s8(second))
        let high = vmlal_high_s8(vmull_high_s8(x, first), next, second)
        let i = 8 &* r &+ 2 &* v
        halves[i] = vpadalq_s16(halves[i], low)
        halves[i &+ 1] = vpadalq_s16(halves[i &+ 1], high)
      }
    }

    /// Computes the sums of one row.
    @inline(__always)
    func row<Row: Registers<Sums>>(_: Row.Type, _ row: Int) -> Row {
      let vectors = Row.count
      var sums = Row(repeating: .zero)
      for v in 0..<vectors { sums[v] = load(panel + (v / 4 &* byteHeaderCount &+ v % 4 &* 4)) }
      let start = x + row &* xStride
      var w = panel + vectors / 4 &* byteHeaderCount
      for quad in 0..<quads {
        let four = (start + 4 &* quad).loadUnaligned(as: Int32.self)
        let x = Byte.signed(Sums(repeating: four))
        for v in 0..<vectors { sums[v] = addQuads(sums[v], x, load(w + 4 &* v)) }
        w += 4 &* vectors
      }
      return sums
    }

    @inline(__always)
    private func bytes(_ lanes: Sums) -> int8x16_t { unsafeBitCast(lanes, to: int8x16_t.self) }
  }
#endif
