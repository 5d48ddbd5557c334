//===--- Softmax.swift - softmax over the last axis -----------------------===//
//
// y[i] = exp(β (x[i] - max x)) / Σ exp(β (x[j] - max x))
//
// Contract  TFLite SOFTMAX. Eight-bit rows are computed in fixed point and 16-bit rows by tables,
//           bit for bit as LiteRT does; results are steps of 2⁻⁸ above the lowest integer, and of
//           2⁻¹⁵ above zero for 16 bits. From 8 to 16 bits they may also be steps of 2⁻¹⁶ above the
//           lowest integer. (LiteRT's reference kernel always uses these, even if the result's
//           scale and zero point select the others, which its other kernels use.)
// Order     The maximum is subtracted first, so nothing overflows. The sum runs in index order.
// Cost      Three passes over a row.
//===----------------------------------------------------------------------===//

import MartletBase

/// Precomputed parameters of eight-bit softmax.
@usableFromInline
package struct ByteSoftmax: Sendable {
  /// β times the input's scale, as a factor to Q5.26.
  @usableFromInline
  package let multiplier: FixedPointMultiplier
  /// Differences below this contribute nothing.
  @usableFromInline
  package let lowestDifference: Int32
  /// The exponentials of the differences 0, -1, -2... in Q0.31; zero if they contribute nothing.
  @usableFromInline
  package let exponentials: [Int32]
  /// Whether results of 16 bits are steps of 2⁻¹⁶ above the lowest integer.
  @usableFromInline
  package let fillsShorts: Bool

  /// - Parameter steps: β times the input's scale, positive.
  package init(steps: Double, fillsShorts: Bool = false) {
    self.fillsShorts = fillsShorts
    let factor = FixedPointMultiplier(min(steps * 0x1p26, 0x1p31 - 1))
    let lowest =
      factor.shift >= 0
      ? -Int32(VectorMath.truncate(31.0 * 0x1p26 / Double(1 << Int64(factor.shift)))) : Int32.min
    multiplier = factor
    lowestDifference = lowest
    exponentials = (0..<256).map { (difference: Int32) in
      0 &- difference >= lowest ? FixedPoint.exp(ofNegative: factor(0 &- difference)) : 0
    }
  }
}

/// Precomputed parameters of 16-bit softmax.
@usableFromInline
package struct ShortSoftmax: Sendable {
  /// β times the input's scale, as a factor to steps of 10/65535.
  package let multiplier: FixedPointMultiplier
  package let exponential: ShortTable
  package let reciprocal: ShortTable

  /// - Parameter steps: β times the input's scale, positive.
  package init(steps: Double) {
    multiplier = FixedPointMultiplier(steps / (10.0 / 65535.0))
    exponential = ShortTable(of: -10...0) { VectorMath.exp($0) }
    reciprocal = ShortTable(of: 0...1) { 1 / (1 + $0) }
  }
}

extension Reference {
  package static func softmax(
    _ input: UnsafeMutableBufferPointer<Float>, depth: Int, beta: Float,
    into output: UnsafeMutableBufferPointer<Float>
  ) {
    for start in stride(from: 0, to: input.count, by: max(depth, 1)) {
      let row = start..<start + depth
      var largest = -Float.greatestFiniteMagnitude
      for i in row { largest = max(largest, input[i]) }
      var sum: Float = 0
      for i in row {
        output[i] = VectorMath.exp((input[i] - largest) * beta)
        sum += output[i]
      }
      for i in row { output[i] /= sum }
    }
  }

  @export(implementation)
  package static func softmax<Scalar: FixedWidthInteger, Result: FixedWidthInteger>(
    _ input: UnsafeMutableBufferPointer<Scalar>, depth: Int, _ softmax: ByteSoftmax,
    into output: UnsafeMutableBufferPointer<Result>
  ) {
    for start in stride(from: 0, to: input.count, by: max(depth, 1)) {
      let row = start..<start &+ depth
      var largest = Int32(Scalar.min)
      for i in row { largest = max(largest, Int32(input[i])) }
      // Q12.19, saturating.
      var sum: Int32 = 0
      for i in row {
        let exponential = softmax.exponentials[Int(largest &- Int32(input[i]))]
        let (next, overflow) = sum.addingReportingOverflow(roundingShiftRight(exponential, by: 12))
        sum = overflow ? Int32.max : next
      }
      let headroom = Int32(sum.leadingZeroBitCount)
      let scale = FixedPoint.reciprocal(
        ofOnePlus: Int32(bitPattern: UInt32(bitPattern: sum) << UInt32(headroom) &- 1 << 31))
      // Probabilities are 256 or 2¹⁶ steps from the lowest integer on, or 2¹⁵ from zero on.
      let isWhole = Result.bitWidth == 8 || softmax.fillsShorts
      let shift = 12 - headroom + 31 - (isWhole ? Int32(Result.bitWidth) : 15)
      for i in row {
        var value = isWhole ? Int32(Result.min) : 0
        // A right shift of more than 31 bits returns zero.
        if shift <= 31 {
          let exponential = softmax.exponentials[Int(largest &- Int32(input[i]))]
          value &+= roundingShiftRight(
            saturatingRoundingDoublingHighMultiply(scale, exponential), by: shift)
        }
        output[i] = Result(clamping: value)
      }
    }
  }

  package static func softmax(
    _ input: UnsafeMutableBufferPointer<Int16>, depth: Int, _ softmax: ShortSoftmax,
    into output: UnsafeMutableBufferPointer<Int16>
  ) {
    for start in stride(from: 0, to: input.count, by: max(depth, 1)) {
      let row = start..<start + depth
      var largest = Int16.min
      for i in row { largest = max(largest, input[i]) }
      // Q16.15, saturating.
      var sum: Int32 = 0
      for i in row {
        let x = softmax.multiplier(Int32(input[i]) - Int32(largest)) &+ 32767
        output[i] = softmax.exponential[Int16(clamping: x)]
        let (next, overflow) = sum.addingReportingOverflow(Int32(output[i]))
        sum = overflow ? Int32.max : next
      }
      let headroom = Int64(sum.leadingZeroBitCount)
      let mantissa = (Int64(sum) << (headroom - 1) + 1 << 13) >> 14
      let scale = softmax.reciprocal[Int16(clamping: mantissa - (1 << 15 + 1 << 16))]
      let shift = 31 - headroom
      for i in row {
        let product = Int64(output[i]) * Int64(scale) + 1 << (shift - 1)
        output[i] = Int16(min(max(product >> shift, 0), 32767))
      }
    }
  }
}
