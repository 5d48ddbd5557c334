//===--- Float32Reduce.swift - float reduction loops ----------------------===//
//
// y[r] = x[r][0] ∘ x[r][1] ∘ x[r][2] ...
//
// Processes as many rows at a time as a vector has lanes, or four: four of their columns are loaded
// as rows and transposed.
//
// Contract  Bit-exact with the reference kernel: elements of a row are processed in order.
// Cost      One pass. If the last rows do not fill a vector, some rows are processed again.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#endif

extension Level {
  package static func float32Reduce(_ rows: Float32Reduce) {
    let all = FloatRows(
      x: rows.x, rows: rows.rows, depth: rows.depth, initial: rows.reduction.initial, y: rows.y)
    switch rows.reduction {
    case .sum: all.reduce(Plus())
    case .product: all.reduce(Times())
    case .minimum: all.reduce(Least())
    case .maximum: all.reduce(Greatest())
    }
  }
}

private typealias Four = SIMD4<Float>

/// A combination of two elements. It is a type, because a closure would be called for each vector.
private protocol Combination {
  func callAsFunction(_ result: Lanes, _ x: Lanes) -> Lanes
  func four(_ result: Four, _ x: Four) -> Four
}

private struct Plus: Combination {
  @inline(__always) func callAsFunction(_ result: Lanes, _ x: Lanes) -> Lanes { result + x }
  @inline(__always) func four(_ result: Four, _ x: Four) -> Four { result + x }
}

private struct Times: Combination {
  @inline(__always) func callAsFunction(_ result: Lanes, _ x: Lanes) -> Lanes { result * x }
  @inline(__always) func four(_ result: Four, _ x: Four) -> Four { result * x }
}

private struct Least: Combination {
  @inline(__always) func callAsFunction(_ result: Lanes, _ x: Lanes) -> Lanes { least(x, result) }
  @inline(__always) func four(_ result: Four, _ x: Four) -> Four {
    result.replacing(with: x, where: x .< result)
  }
}

private struct Greatest: Combination {
  @inline(__always) func callAsFunction(_ result: Lanes, _ x: Lanes) -> Lanes {
    greatest(x, result)
  }
  @inline(__always) func four(_ result: Four, _ x: Four) -> Four {
    result.replacing(with: x, where: x .> result)
  }
}

private struct FloatRows {
  let x: UnsafePointer<Float>
  let rows: Int
  let depth: Int
  let initial: Float
  let y: UnsafeMutablePointer<Float>

  @inline(__always)
  func reduce<C: Combination>(_ combine: C) {
    if rows >= 2 &* Lanes.scalarCount {
      wide(combine)
    } else if rows >= 4 {
      narrow(combine)
    } else {
      singly(combine)
    }
  }

  /// Processes two vectors of rows at a time.
  @inline(never)
  private func wide<C: Combination>(_ combine: C) {
    let lanes = Lanes.scalarCount
    var row = 0
    while row < rows {
      let first = min(row, rows &- 2 &* lanes)
      let (x, next) = (x + first &* depth, x + (first &+ lanes) &* depth)
      var (here, there) = (Lanes(repeating: initial), Lanes(repeating: initial))
      var i = 0
      while i &+ 4 <= depth {
        let (a, b) = (columns(x + i, depth), columns(next + i, depth))
        here = combine(combine(combine(combine(here, a.0), a.1), a.2), a.3)
        there = combine(combine(combine(combine(there, b.0), b.1), b.2), b.3)
        i &+= 4
      }
      store(here, to: y + first)
      store(there, to: y + (first &+ lanes))
      finish(first..<first &+ 2 &* lanes, from: i, combine)
      row &+= 2 &* lanes
    }
  }

  /// Processes four rows at a time.
  @inline(never)
  private func narrow<C: Combination>(_ combine: C) {
    var row = 0
    while row < rows {
      let first = min(row, rows &- 4)
      let x = x + first &* depth
      var result = Four(repeating: initial)
      var i = 0
      while i &+ 4 <= depth {
        let (a, b, c, d) = columnsOfFour(x + i, depth)
        result = combine.four(
          combine.four(combine.four(combine.four(result, a), b), c), d)
        i &+= 4
      }
      store(result, to: y + first)
      finish(first..<first &+ 4, from: i, combine)
      row &+= 4
    }
  }

  /// Processes the remaining columns.
  @inline(__always)
  private func finish<C: Combination>(_ rows: Range<Int>, from column: Int, _ combine: C) {
    guard column < depth else { return }
    for row in rows {
      var result = Four(repeating: y[row])
      for i in column..<depth {
        result = combine.four(result, Four(repeating: x[row &* depth &+ i]))
      }
      y[row] = result[0]
    }
  }

  @inline(never)
  private func singly<C: Combination>(_ combine: C) {
    for row in 0..<rows { y[row] = initial }
    finish(0..<rows, from: 0, combine)
  }
}

/// Loads four adjacent columns of four rows that are `stride` elements apart.
@inline(__always)
private func columnsOfFour(_ x: UnsafePointer<Float>, _ stride: Int) -> (Four, Four, Four, Four) {
  let (a, b): (Four, Four) = (load(x), load(x + stride))
  let (c, d): (Four, Four) = (load(x + 2 &* stride), load(x + 3 &* stride))
  #if arch(x86_64) && canImport(_Builtin_intrinsics)
    let (low, high) = (_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b))
    let (lower, upper) = (_mm_unpacklo_ps(c, d), _mm_unpackhi_ps(c, d))
    return (
      _mm_movelh_ps(low, lower), _mm_movehl_ps(lower, low), _mm_movelh_ps(high, upper),
      _mm_movehl_ps(upper, high)
    )
  #else
    return (
      Four(a[0], b[0], c[0], d[0]), Four(a[1], b[1], c[1], d[1]), Four(a[2], b[2], c[2], d[2]),
      Four(a[3], b[3], c[3], d[3])
    )
  #endif
}

#if MARTLET_V4 && canImport(_Builtin_intrinsics)
  /// Loads four adjacent columns of one vector of rows.
  @inline(__always)
  private func columns(
    _ x: UnsafePointer<Float>, _ stride: Int
  ) -> (Lanes, Lanes, Lanes, Lanes) {
    // Each quarter of a vector has the four elements of a row.
    let (a, b) = (quarters(x, stride), quarters(x + stride, stride))
    let (c, d) = (quarters(x + 2 &* stride, stride), quarters(x + 3 &* stride, stride))
    let (low, high) = (_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b))
    let (lower, upper) = (_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d))
    return (
      joinLow(low, lower), joinHigh(low, lower), joinLow(high, upper), joinHigh(high, upper)
    )
  }

  /// Loads four elements of every fourth row.
  @inline(__always)
  private func quarters(_ x: UnsafePointer<Float>, _ stride: Int) -> Lanes {
    Lanes(
      lowHalf: SIMD8(lowHalf: load(x), highHalf: load(x + 4 &* stride)),
      highHalf: SIMD8(lowHalf: load(x + 8 &* stride), highHalf: load(x + 12 &* stride)))
  }

  @inline(__always)
  private func joinLow(_ a: Lanes, _ b: Lanes) -> Lanes {
    unsafeBitCast(
      _mm512_unpacklo_pd(
        unsafeBitCast(a, to: SIMD8<Double>.self), unsafeBitCast(b, to: SIMD8<Double>.self)),
      to: Lanes.self)
  }

  @inline(__always)
  private func joinHigh(_ a: Lanes, _ b: Lanes) -> Lanes {
    unsafeBitCast(
      _mm512_unpackhi_pd(
        unsafeBitCast(a, to: SIMD8<Double>.self), unsafeBitCast(b, to: SIMD8<Double>.self)),
      to: Lanes.self)
  }
#elseif MARTLET_V3 && canImport(_Builtin_intrinsics)
  /// Loads four adjacent columns of one vector of rows.
  @inline(__always)
  private func columns(
    _ x: UnsafePointer<Float>, _ stride: Int
  ) -> (Lanes, Lanes, Lanes, Lanes) {
    // Each half of a vector has the four elements of a row.
    let (a, b) = (halves(x, stride), halves(x + stride, stride))
    let (c, d) = (halves(x + 2 &* stride, stride), halves(x + 3 &* stride, stride))
    let (low, high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b))
    let (lower, upper) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d))
    return (
      joinLow(low, lower), joinHigh(low, lower), joinLow(high, upper), joinHigh(high, upper)
    )
  }

  /// Loads four elements of every fourth row.
  @inline(__always)
  private func halves(_ x: UnsafePointer<Float>, _ stride: Int) -> Lanes {
    Lanes(lowHalf: load(x), highHalf: load(x + 4 &* stride))
  }

  @inline(__always)
  private func joinLow(_ a: Lanes, _ b: Lanes) -> Lanes {
    unsafeBitCast(
      _mm256_unpacklo_pd(
        unsafeBitCast(a, to: SIMD4<Double>.self), unsafeBitCast(b, to: SIMD4<Double>.self)),
      to: Lanes.self)
  }

  @inline(__always)
  private func joinHigh(_ a: Lanes, _ b: Lanes) -> Lanes {
    unsafeBitCast(
      _mm256_unpackhi_pd(
        unsafeBitCast(a, to: SIMD4<Double>.self), unsafeBitCast(b, to: SIMD4<Double>.self)),
      to: Lanes.self)
  }
#else
  /// Loads four adjacent columns of one vector of rows.
  @inline(__always)
  private func columns(
    _ x: UnsafePointer<Float>, _ stride: Int
  ) -> (Lanes, Lanes, Lanes, Lanes) {
    columnsOfFour(x, stride)
  }
#endif
