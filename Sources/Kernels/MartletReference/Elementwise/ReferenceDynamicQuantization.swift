//===--- ReferenceDynamicQuantization.swift - quantization at run time ----===//
//
// Hybrid operators have float images and int8 weights. Each image (or row) is quantized to int8
// with its own scale, the products are summed as integers, and the sum is scaled back.
//
// Contract  LiteRT's scales: the largest magnitude over 127, or, if asymmetric, the range including
//           zero over 255 with a rounded zero point. Values are stored minus the zero point, so
//           that kernels only multiply.
// Cost      Two passes.
//===----------------------------------------------------------------------===//

import MartletBase

extension Reference {
  /// Quantizes runs of `run` floats; `scales` receives one scale for each. Runs of values have the
  /// distance `pitch`, with zeros between them.
  package static func quantizeRows(
    _ input: UnsafeMutableBufferPointer<Float>, run: Int, pitch: Int? = nil, isAsymmetric: Bool,
    into values: UnsafeMutableBufferPointer<Int16>, scales: UnsafeMutableBufferPointer<Float>
  ) {
    let pitch = pitch ?? run
    for row in scales.indices {
      for i in run..<pitch { values[row * pitch + i] = 0 }
      let shift = row * (pitch - run)
      let range = row * run..<(row + 1) * run
      var low: Float = 0
      var high: Float = 0
      for i in range {
        low = min(low, input[i])
        high = max(high, input[i])
      }
      let map = DynamicScale(low: low, high: high, isAsymmetric: isAsymmetric)
      scales[row] = map.scale
      for i in range {
        guard low != high else {
          values[i + shift] = 0
          continue
        }
        let value = VectorMath.round(input[i] * map.inverse + map.zeroPoint)
        // NaN, and values that rounding puts out of range.
        let limited = value >= -128 ? min(value, 127) : -128
        values[i + shift] = Int16(limited) - Int16(map.zeroPoint)
      }
    }
  }
}
