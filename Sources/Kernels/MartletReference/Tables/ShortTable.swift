//===--- ShortTable.swift - 16-bit function tables ------------------------===//
//
// A function sampled at 513 arguments and interpolated linearly between them. The samples are
// shifted by half the interpolation error in the middle, which spreads the error.
//
// Contract  LiteRT's table with 9 bits of index and 7 of interpolation, samples taken in double
//           precision.
//===----------------------------------------------------------------------===//

import MartletBase

/// A function from -1 ..< 1 in steps of 2⁻¹⁵ to the same, by table.
@usableFromInline
package struct ShortTable: Sendable {
  @usableFromInline
  package let samples: [Int16]

  /// The table of `function` over `range`, the range of the arguments.
  package init(of range: ClosedRange<Double>, _ function: (Double) -> Double) {
    let step = (range.upperBound - range.lowerBound) / 512
    // 65535 steps span the results from -1 to 1.
    let scale = 65536.0 / (2.0 / 65535.0 * 65535.0)
    func steps(_ argument: Double) -> Double { function(argument) * scale }
    func stored(_ value: Double) -> Int16 { Int16(min(max(value, -32768), 32767)) }
    var samples: [Int16] = []
    for i in 0..<512 {
      let left = range.lowerBound + Double(i) * step
      let sample = VectorMath.round(steps(left))
      let line = VectorMath.round(
        (steps(range.lowerBound + Double(i + 1) * step) + sample) / 2)
      let middle = VectorMath.round(steps(left + step / 2))
      samples.append(stored(sample - VectorMath.round((line - middle) / 2)))
    }
    samples.append(stored(VectorMath.round(steps(range.upperBound))))
    self.samples = samples
  }

  @export(implementation) @inline(__always)
  package subscript(argument: Int16) -> Int16 {
    let index = 256 &+ Int(argument >> 7)
    let base = Int32(samples[index])
    let slope = Int32(samples[index &+ 1]) &- base
    let delta = (slope &* Int32(argument & 0x7f) &+ 64) >> 7
    return Int16(truncatingIfNeeded: base &+ delta)
  }
}
