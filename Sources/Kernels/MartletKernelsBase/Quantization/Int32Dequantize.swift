//===--- Int32Dequantize.swift - byte sums to floats ----------------------===//
//
// y[i][j] = clamp(factor[j] · scale[i] · (sum[i][j] - zeroPoint[i] · zeroSum[j]) + bias[j])
//
// For floats that were quantized at run time: each row has its own scale and zero point, or all
// rows share one.
//
// Contract  Bit-exact with the reference kernels: operations are not fused. Either factor and scale
//           are multiplied first, or the sum and the factor. Column parameters and rows of sums are
//           padded to whole vectors.
// Cost      One pass.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#endif

extension Level {
  package static func int32Dequantize(_ arguments: Int32Dequantize) {
    let lanes = Lanes.scalarCount
    let (sums, y) = (arguments.sums, arguments.y)
    let (column, row) = (arguments.columnScales, arguments.rowScales)
    let lows = Lanes(repeating: arguments.range.lowerBound)
    let highs = Lanes(repeating: arguments.range.upperBound)
    var j = 0
    while j < arguments.columns {
      let zeroSum: Sums = load(column.zeroSums + j)
      let factor: Lanes = load(column.factors + j)
      let bias: Lanes = load(column.biases + j)
      let left = arguments.columns &- j
      for i in 0..<arguments.rows {
        let scale = Lanes(repeating: row.scales[i &* row.stride])
        let shift = zeroSum &* Sums(repeating: row.zeroPoints[i &* row.stride])
        let sum = realNumbers(load(sums.start + (i &* sums.rowStride &+ j)) &- shift)
        let value =
          arguments.multipliesFactorFirst ? sum * factor * scale : sum * (factor * scale)
        let result = clamp(value + bias, lows, highs)
        let dest = y.start + (i &* y.rowStride &+ j)
        if left >= lanes {
          store(result, to: dest)
        } else {
          store(result, to: dest, left)
        }
      }
      j &+= lanes
    }
  }

  package static func float32ScaleColumns(_ arguments: Float32ScaleColumns) {
    let lanes = Lanes.scalarCount
    let (columns, scale) = (arguments.columns, arguments.scale)
    let (factors, biases) = (arguments.factors, arguments.biases)
    let (low, high) = (arguments.range.lowerBound, arguments.range.upperBound)
    let (lows, highs) = (Lanes(repeating: low), Lanes(repeating: high))
    for row in 0..<arguments.rows {
      let y = arguments.y + row &* columns
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

/// Converts integers to the nearest floats.
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
