//===--- LogSoftmax.swift - logarithm of softmax over the last axis -------===//
//
// y[i] = x[i] - max x - log Σ exp(x[j] - max x)
//
// Contract  TFLite LOG_SOFTMAX. Eight-bit rows are computed in fixed point, bit for bit as LiteRT's
//           reference kernels do: the largest integer is 0, a step is 1/16.
// Order     The sum runs in index order.
// Cost      Three passes over a row.
//===----------------------------------------------------------------------===//

import MartletBase

/// Precomputed parameters of eight-bit logarithms of softmax.
@usableFromInline
package struct ByteLogSoftmax: Sendable {
  /// The argument of the exponentials and its bound.
  @usableFromInline
  package let softmax: ByteSoftmax
  /// The factor from Q5.26 back to the input's steps.
  @usableFromInline
  package let inverse: FixedPointMultiplier

  /// - Parameter scale: the input's scale, positive.
  package init(scale: Double) {
    softmax = ByteSoftmax(steps: scale)
    let multiplier = softmax.multiplier
    let power = Double(sign: .plus, exponent: 31 - Int(multiplier.shift), significand: 1)
    inverse = FixedPointMultiplier(power / Double(max(multiplier.mantissa, 1)))
  }
}

extension Reference {
  package static func logSoftmax(
    _ input: UnsafeMutableBufferPointer<Float>, depth: Int,
    into output: UnsafeMutableBufferPointer<Float>
  ) {
    for start in stride(from: 0, to: input.count, by: max(depth, 1)) {
      let row = start..<start + depth
      var largest = -Float.greatestFiniteMagnitude
      for i in row { largest = max(largest, input[i]) }
      var sum: Float = 0
      for i in row { sum += VectorMath.exp(input[i] - largest) }
      let logarithm = VectorMath.log(sum)
      for i in row { output[i] = input[i] - largest - logarithm }
    }
  }

  @export(implementation)
  package static func logSoftmax<Scalar: FixedWidthInteger>(
    _ input: UnsafeMutableBufferPointer<Scalar>, depth: Int, _ logSoftmax: ByteLogSoftmax,
    into output: UnsafeMutableBufferPointer<Scalar>
  ) {
    let softmax = logSoftmax.softmax
    for start in stride(from: 0, to: input.count, by: max(depth, 1)) {
      let row = start..<start &+ depth
      var largest = Int32(Scalar.min)
      for i in row { largest = max(largest, Int32(input[i])) }
      // Q12.19, saturating.
      var sum: Int32 = 0
      for i in row where Int32(input[i]) &- largest >= softmax.lowestDifference {
        let x = softmax.multiplier(Int32(input[i]) &- largest)
        let (next, overflow) = sum.addingReportingOverflow(
          roundingShiftRight(FixedPoint.exp(ofNegative: x), by: 12))
        sum = overflow ? Int32.max : next
      }
      let logarithm = FixedPoint.log(ofQ12: sum)
      // Values below the lowest number of Q5.26 after the logarithm is subtracted.
      let lowest = max(
        softmax.lowestDifference &- 1, logSoftmax.inverse(logarithm &+ Int32.min))
      for i in row {
        let difference = Int32(input[i]) &- largest
        guard difference > lowest else {
          output[i] = Scalar.min
          continue
        }
        let value = softmax.multiplier(difference) &- logarithm
        output[i] = Scalar(clamping: roundingShiftRight(value, by: 22) &+ Int32(Scalar.max))
      }
    }
  }
}
