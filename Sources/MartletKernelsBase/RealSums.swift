//===--- RealSums.swift - sums of steps to floats -------------------------===//
//
// y[r][c] = clamp(factor[c] · scale[r] · (sum[r][c] - zero[r] · zeroSum[c]) + bias[c])
//
// What becomes of sums of products of bytes where floats were quantised on the way: each row has a
// scale and a zero point of its own, or all the same.
//
// Contract  Bit for bit the reference kernels: one operation after the other, none fused. Factor and
//           scale are multiplied with each other first, or the sum with the factor. The columns'
//           numbers fill whole vectors, and so do rows of sums.
// Cost      One pass.
// Checked   Tests/MartletKernelsTests/HybridConvolutionTests.swift
//===----------------------------------------------------------------------===//

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#endif

extension Loops {
  /// Scales rows of `width` sums. Each row's scale and zero point are `rowStep` behind the one's
  /// before.
  package static func realSums(
    _ sums: UnsafePointer<Int32>, width: Int, rows: Int,
    zeroSums: UnsafePointer<Int32>, factors: UnsafePointer<Float>, biases: UnsafePointer<Float>,
    scales: UnsafePointer<Float>, zeros: UnsafePointer<Int32>, rowStep: Int, factorsFirst: Bool,
    _ y: UnsafeMutablePointer<Float>, yStride: Int, columns: Int, low: Float, high: Float
  ) {
    let lanes = Lanes.scalarCount
    let (lows, highs) = (Lanes(repeating: low), Lanes(repeating: high))
    var column = 0
    while column < columns {
      let zeroSum: Sums = load(zeroSums + column)
      let factor: Lanes = load(factors + column)
      let bias: Lanes = load(biases + column)
      let left = columns &- column
      for row in 0..<rows {
        let scale = Lanes(repeating: scales[row &* rowStep])
        let shift = zeroSum &* Sums(repeating: zeros[row &* rowStep])
        let sum = realNumbers(load(sums + (row &* width &+ column)) &- shift)
        let value = factorsFirst ? sum * factor * scale : sum * (factor * scale)
        let result = clamp(value + bias, lows, highs)
        let dest = y + (row &* yStride &+ column)
        if left >= lanes {
          store(result, to: dest)
        } else {
          store(result, to: dest, left)
        }
      }
      column &+= lanes
    }
  }

  /// Scales, in place, rows of sums that are floats already.
  package static func scaleSums(
    _ y: UnsafeMutablePointer<Float>, columns: Int, rows: Int, factors: UnsafePointer<Float>,
    biases: UnsafePointer<Float>, scale: Float, low: Float, high: Float
  ) {
    let lanes = Lanes.scalarCount
    let (lows, highs) = (Lanes(repeating: low), Lanes(repeating: high))
    for row in 0..<rows {
      let y = y + row &* columns
      var column = 0
      while column &+ lanes <= columns {
        let factor: Lanes = load(factors + column)
        let value: Lanes = load(y + column) * (factor * Lanes(repeating: scale))
        store(clamp(value + load(biases + column), lows, highs), to: y + column)
        column &+= lanes
      }
      while column < columns {
        let value = y[column] * (factors[column] * scale) + biases[column]
        let raised = low > value ? low : value
        y[column] = high < raised ? high : raised
        column &+= 1
      }
    }
  }
}

/// The nearest floats.
@inline(__always)
private func realNumbers(_ sums: Sums) -> Lanes {
  #if arch(x86_64) && canImport(_Builtin_intrinsics)
    #if MARTLET_V4
      return _mm512_cvtepi32_ps(unsafeBitCast(sums, to: __m512i.self))
    #elseif MARTLET_V3
      return _mm256_cvtepi32_ps(unsafeBitCast(sums, to: __m256i.self))
    #else
      return _mm_cvtepi32_ps(unsafeBitCast(sums, to: __m128i.self))
    #endif
  #else
    return Lanes(sums)
  #endif
}
