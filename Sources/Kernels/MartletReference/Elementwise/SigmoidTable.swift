//===--- SigmoidTable.swift - LOGISTIC and TANH on 16 bits ----------------===//
//
// Both functions use one table of 2¹⁶ / (1 + e^(-i/24)), i in 0...255, with linear interpolation:
// tanh x = 2 logistic(2x) - 1.
//
// Contract  Bit for bit LiteRT. Entries are shifted by half the interpolation error at the middle,
//           which spreads the error. Results have steps of 2⁻¹⁵.
//===----------------------------------------------------------------------===//

import MartletBase

/// The logistic function and the hyperbolic tangent of 16-bit integers.
@usableFromInline
package struct SigmoidTable: Sendable {
  @usableFromInline
  let entries: [Int32]
  /// The factor from the argument to steps of 1/12288, as an integer and a right shift.
  @usableFromInline
  let factor: Int64
  @usableFromInline
  let shift: Int64

  /// - Parameter scale: The argument's scale, positive.
  /// - Parameter exponents: The powers of two, times 2⁻¹², that are used without rounding.
  package init(scale: Float, exponents: ClosedRange<Double>) {
    func value(_ i: Double) -> Double { 65536 / (1 + VectorMath.exp(-i / 24)) }
    entries =
      (0..<255).map { index in
        let i = Double(index)
        let midpointError = value(i + 0.5) - (value(i) + value(i + 1)) / 2
        return Int32(VectorMath.round(value(i) + midpointError / 2))
      } + [65535]

    // Scales such as 8 / 32767 count as powers of two.
    let logarithm = VectorMath.log(Double(scale)) * 0x1.71547652b82fep+0
    let exponent = VectorMath.round(logarithm) + 12
    if (logarithm + 12 - exponent).magnitude < 1e-3, exponents.contains(exponent) {
      factor = 3 << Int64(exponent)
      shift = 0
    } else {
      var factor = Double(scale) * 12288
      var shift: Int64 = 0
      while factor <= 32767.0 / 2, shift <= 30 {
        shift += 1
        factor *= 2
      }
      // Above 2²⁰, every argument except zero is at the limit.
      self.factor = Int64(min(factor, 0x1p20))
      self.shift = shift
    }
  }

  @export(implementation)
  package func logistic(_ argument: Int16) -> Int16 {
    let x = scaled(argument)
    let result = value(at: x.magnitude, bits: 9, limit: 65534)
    let half = x >= 0 ? result + 1 << 9 : 1 << 25 - result + 1 << 9 - 1
    return Int16(half >> 10)
  }

  @export(implementation)
  package func tanh(_ argument: Int16) -> Int16 {
    let x = scaled(argument)
    let result = value(at: x.magnitude, bits: 8, limit: 65535) - 1 << 23
    return Int16((x >= 0 ? result + 1 << 7 : -result + 1 << 7 - 1) >> 8)
  }

  /// The argument in steps of 1/12288, rounded to nearest, ties upward.
  @export(implementation)
  func scaled(_ argument: Int16) -> Int64 {
    (Int64(argument) * factor + (shift > 0 ? 1 << (shift - 1) : 0)) >> shift
  }

  /// Interpolates between the two entries around `position`, whose lowest `bits` bits are the
  /// fraction; the result is scaled by 2 to the power of `bits`.
  @export(implementation)
  func value(at position: UInt64, bits: Int, limit: Int32) -> Int32 {
    let index = Int(position >> UInt64(bits))
    guard index < 255 else { return limit << bits }
    let place = Int32(position & (1 << UInt64(bits) - 1))
    return entries[index] << bits + place * (entries[index + 1] - entries[index])
  }
}

extension Reference {
  /// `output[i] = logistic(input[i])`; both may be the same memory.
  package static func logistic(
    _ input: UnsafeMutableBufferPointer<Int16>, by table: SigmoidTable,
    into output: UnsafeMutableBufferPointer<Int16>
  ) {
    for i in 0..<input.count { output[i] = table.logistic(input[i]) }
  }

  /// `output[i] = tanh(input[i])`; both may be the same memory.
  package static func tanh(
    _ input: UnsafeMutableBufferPointer<Int16>, by table: SigmoidTable,
    into output: UnsafeMutableBufferPointer<Int16>
  ) {
    for i in 0..<input.count { output[i] = table.tanh(input[i]) }
  }
}
