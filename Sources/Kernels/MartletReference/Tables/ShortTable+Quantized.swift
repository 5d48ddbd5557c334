//===--- ShortTable+Quantized.swift - functions between quantized shorts --===//
//
// The samples of a table whose argument and result are quantized.
//
// Contract  Bit for bit LiteRT 2.3.0's `LUTPopulate<int16_t>`: samples in single precision, rounded
//           ties away from zero, shifted by half of the interpolation error in the middle.
//===----------------------------------------------------------------------===//

import MartletBase

extension ShortTable {
  /// The table of `function`, a function of real numbers.
  package init(input: Quantization, output: Quantization, _ function: (Float) -> Float) {
    func real(_ element: Int, _ map: Quantization) -> Float {
      map.scale * Float(element - map.zeroPoint)
    }
    let lowest = real(-32768, input)
    let highest = real(32767, input)
    let step = (highest - lowest) / 512
    let inverse = 65536 / (real(32767, output) - real(-32768, output))
    func stored(_ value: Float) -> Int16 {
      value > -32768 ? Int16(Swift.min(value, 32767)) : -32768
    }
    var samples: [Int16] = []
    for i in 0..<512 {
      let argument = lowest + Float(i) * step
      let sample = VectorMath.round(function(argument) * inverse)
      let next = function(lowest + Float(i + 1) * step) * inverse
      let middle = VectorMath.round(function(argument + step / 2) * inverse)
      let bias = VectorMath.round((VectorMath.round((next + sample) / 2) - middle) / 2)
      samples.append(stored(sample - bias))
    }
    samples.append(stored(VectorMath.round(function(highest) * inverse)))
    self.samples = samples
  }
}
