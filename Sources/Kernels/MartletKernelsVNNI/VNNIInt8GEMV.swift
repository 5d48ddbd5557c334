//===--- VNNIInt8GEMV.swift - byte matrix-vector product ------------------===//
//
// y[j] = clamp(zeroPoint + round(factor[j] · (bias[j] + term + Σ over k of x[k] * w[k][j])))
//
// As `VNNIInt8GEMM.swift`, for one row and with the scaling of fully connected layers, in double
// precision. A panel is 64 columns wide. A header has 16 biases, a gap of the same size, and 16
// factors.
//
// Contract  Bit-exact with `RealRequantizer`: ties away from zero.
// Cost      2 · depth · 64 operations, limited by the memory bandwidth of the weights.
//===----------------------------------------------------------------------===//

import MartletMicrokernels
import _Builtin_intrinsics.intel

extension Level {
  package static func int8GEMV(_ arguments: Int8GEMV) {
    let product = Int8Product(
      x: Matrix(arguments.x, rowStride: 0), quads: arguments.quads, panel: arguments.panel,
      flip: arguments.flip)
    var sums = product.tile(Row.self, Row.count, 0, 1)
    let term = Sums(repeating: arguments.term)
    for v in 0..<Row.count {
      let lanes = Sums.scalarCount &* v
      let factors = arguments.panel + (lanes / 16 &* byteHeaderCount &+ 32 &+ lanes % 16 &* 2)
      sums[v] = scaled(sums[v] &+ term, by: factors)
    }
    let flip = Int32(arguments.flip)
    let packing = BytePacking(
      ByteOutput(
        zeroPoint: Int16(truncatingIfNeeded: arguments.zeroPoint &+ flip),
        low: UInt8(truncatingIfNeeded: arguments.low &+ flip),
        high: UInt8(truncatingIfNeeded: arguments.high &+ flip), flip: arguments.flip,
        isRectified: false, largestExponent: -1))
    var left = arguments.columns
    var y = UnsafeMutableRawPointer(arguments.y)
    for i in 0..<Row.count / 4 where left > 0 {
      let bytes = inOrder(
        packing.pack(sums[4 &* i], sums[4 &* i &+ 1], sums[4 &* i &+ 2], sums[4 &* i &+ 3]))
      store(bytes, to: y, min(left, 4 &* Sums.scalarCount))
      left &-= 4 &* Sums.scalarCount
      y += 4 &* Sums.scalarCount
    }
  }
}

#if MARTLET_V4
  private typealias Row = Registers4<Sums>
#else
  private typealias Row = Registers8<Sums>
#endif

/// Scales and rounds sums, limited to ±2^20, which exceeds all bytes.
@inline(__always)
private func scaled(_ sums: Sums, by factors: UnsafePointer<Int32>) -> Sums {
  let factors = UnsafeRawPointer(factors)
  let half = MemoryLayout<Reals>.size
  return Sums(
    lowHalf: rounded(reals(sums.lowHalf) * factors.loadUnaligned(as: Reals.self)),
    highHalf: rounded(
      reals(sums.highHalf) * factors.loadUnaligned(fromByteOffset: half, as: Reals.self)))
}

@inline(__always)
private func rounded(_ exact: Reals) -> HalfSums {
  let real = clamp(exact, to: 0x1p20)
  let whole = truncated(real)
  let rest = real - reals(whole)
  // Twice the remainder, which is exact, truncated: -1, 0 or 1.
  return whole &+ truncated(rest + rest)
}
