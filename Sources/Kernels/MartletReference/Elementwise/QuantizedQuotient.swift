//===--- QuantizedQuotient.swift - DIV on integers ------------------------===//
//
// y = zy + (a − za) / (b − zb) · (sa / (sb · sy))
//
// Contract  Bit for bit LiteRT 2.3.0's `reference_ops::Div`: the divisor's reciprocal is a
//           fixed-point number in 1/2..<1; the dividend is shifted left as far as possible. For a
//           divisor of zero, where LiteRT's result is meaningless, the result saturates by the
//           dividend's sign; zero by zero is zero.
// Cost      A reciprocal and two fixed-point multiplications per element.
//===----------------------------------------------------------------------===//

import MartletBase

/// The quotient of two integers on the output's scale.
@usableFromInline
package struct QuantizedQuotient: Sendable {
  @usableFromInline let zeroPointA: Int32
  @usableFromInline let zeroPointB: Int32
  @usableFromInline let zeroPointY: Int32
  @usableFromInline let scale: FixedPointMultiplier
  @usableFromInline let range: ClosedRange<Int32>

  /// The mapping from operands of maps `a` and `b` to a result of map `y` within `range`.
  package init(
    _ a: Quantization, _ b: Quantization, to y: Quantization, range: ClosedRange<Int32>
  ) {
    zeroPointA = Int32(truncatingIfNeeded: a.zeroPoint)
    zeroPointB = Int32(truncatingIfNeeded: b.zeroPoint)
    zeroPointY = Int32(truncatingIfNeeded: y.zeroPoint)
    scale = FixedPointMultiplier(Double(a.scale / (b.scale * y.scale)))
    self.range = range
  }

  @export(implementation)
  package func callAsFunction(_ a: Int32, _ b: Int32) -> Int32 {
    var dividend = a &- zeroPointA
    var divisor = b &- zeroPointB
    if divisor == 0 {
      let bound = dividend > 0 ? range.upperBound : range.lowerBound
      return dividend == 0 ? Reference.clamp(zeroPointY, range) : bound
    }
    if divisor < 0 {
      dividend = 0 &- dividend
      divisor = 0 &- divisor
    }
    // divisor = (1 + x) · 2^(31 − zeros) / 2³¹ · ..., its reciprocal a fraction of 31 bits.
    let zeros = Int32(truncatingIfNeeded: divisor.leadingZeroBitCount)
    let reciprocal = FixedPoint.reciprocal(ofOnePlus: (divisor &<< zeros) &- Int32.min)
    let headroom = Int32(
      truncatingIfNeeded: (dividend < 0 ? ~dividend : dividend).leadingZeroBitCount &- 1)
    let quotient = saturatingRoundingDoublingHighMultiply(dividend &<< headroom, reciprocal)
    let shift = scale.shift &- (31 &- zeros) &- headroom
    // For a factor this small, all bits are shifted out.
    let rescaled =
      shift < -31 ? 0 : FixedPointMultiplier(mantissa: scale.mantissa, shift: shift)(quotient)
    return Reference.clamp(rescaled &+ zeroPointY, range)
  }
}

extension Reference {
  @export(implementation)
  package static func divide<Scalar: Element & FixedWidthInteger>(
    _ a: UnsafeMutableBufferPointer<Scalar>, _ b: UnsafeMutableBufferPointer<Scalar>,
    _ broadcast: Broadcast, _ quotient: QuantizedQuotient,
    into y: UnsafeMutableBufferPointer<Scalar>,
    workers: Workers = .serial
  ) {
    broadcast.combineEach(a, b, into: y, workers: workers) {
      Scalar(
        truncatingIfNeeded: quotient(
          Int32(truncatingIfNeeded: $0), Int32(truncatingIfNeeded: $1)))
    }
  }

  @export(implementation)
  package static func divide(
    _ a: UnsafeMutableBufferPointer<Float>, _ b: UnsafeMutableBufferPointer<Float>,
    _ broadcast: Broadcast, range: ClosedRange<Float>, into y: UnsafeMutableBufferPointer<Float>,
    workers: Workers = .serial
  ) {
    broadcast.combine(a, b, into: y, workers: workers) { clamp($0 / $1, range) }
  }

  /// Quotients rounded toward zero. Divisors are not zero; the lowest integer divided by -1 is
  /// itself.
  @export(implementation)
  package static func divide<Scalar: Element & FixedWidthInteger>(
    _ a: UnsafeMutableBufferPointer<Scalar>, _ b: UnsafeMutableBufferPointer<Scalar>,
    _ broadcast: Broadcast, range: ClosedRange<Scalar>,
    into y: UnsafeMutableBufferPointer<Scalar>,
    workers: Workers = .serial
  ) {
    broadcast.combineEach(a, b, into: y, workers: workers) {
      clamp($0.dividedReportingOverflow(by: $1).partialValue, range)
    }
  }
}
