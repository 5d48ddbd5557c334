//===--- DynamicQuantization.swift - floats to bytes while a graph runs ---===//
//
// Hybrid operators have float images and int8 weights: each image (or row) is quantised to int8 with
// a scale of its own, the products are summed as integers, and the sum is scaled back.
//
// Contract  LiteRT's scales: the largest magnitude over 127, or asymmetrically the range including
//           zero over 255 with a rounded zero point. Values are stored less the zero point, so that
//           a kernel only multiplies.
// Cost      Two passes.
// Checked   Tests/MartletTensorTests/DynamicQuantizationTests.swift, operator cases
//===----------------------------------------------------------------------===//

extension Reference {
  /// Quantises runs of `run` floats; `scales` receives one scale for each. The runs of steps lie
  /// `pitch` apart, with zeros between them.
  package static func quantizeRows(
    _ input: UnsafeMutableBufferPointer<Float>, run: Int, pitch: Int? = nil, isAsymmetric: Bool,
    into steps: UnsafeMutableBufferPointer<Int16>, scales: UnsafeMutableBufferPointer<Float>
  ) {
    let pitch = pitch ?? run
    for row in scales.indices {
      for i in run..<pitch { steps[row * pitch + i] = 0 }
      let shift = row * (pitch - run)
      let range = row * run..<(row + 1) * run
      var low: Float = 0
      var high: Float = 0
      for i in range {
        low = min(low, input[i])
        high = max(high, input[i])
      }
      let (scale, zeroPoint) = isAsymmetric ? affine(low, high) : (max(-low, high) / 127, 0)
      let inverse = isAsymmetric ? 1 / scale : 127 / max(-low, high)
      scales[row] = low == high ? 1 : scale
      for i in range {
        guard low != high else {
          steps[i + shift] = 0
          continue
        }
        let value = VectorMath.round(input[i] * inverse + zeroPoint)
        // NaN and what is out of range by rounding.
        let limited = value >= -128 ? min(value, 127) : -128
        steps[i + shift] = Int16(limited) - Int16(zeroPoint)
      }
    }
  }

  /// The scale and zero point of an interval that holds zero.
  private static func affine(_ low: Float, _ high: Float) -> (scale: Float, zeroPoint: Float) {
    let scale = (Double(high) - Double(low)) / 255
    let below = Double(low) / scale
    let above = Double(high) / scale
    // From whichever end is closer to its bound.
    let zeroPoint = 128 + below.magnitude < 127 + above.magnitude ? -128 - below : 127 - above
    let nearest = VectorMath.round(zeroPoint)
    return (Float(scale), Float(nearest > -128 ? min(nearest, 127) : -128))
  }
}
