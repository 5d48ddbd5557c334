//===--- ShortScaling.swift - factors of 64-bit sums ----------------------===//
//
// LiteRT scales the 64-bit sums of convolutions by factors of 15 bits, and those of fully connected
// layers in double precision.
//
// Contract  The integers are those of `Shorts`. No product exceeds 64 bits.
// Cost      A pass over the weights, and about a microsecond.
//===----------------------------------------------------------------------===//

import MartletBase

/// The scaling of a convolution's sums.
struct ShortScaling {
  /// The multiplier, the shift, and an unused integer.
  let integers: [Int32]

  /// Returns `nil` if there are no such integers.
  ///
  /// - Parameter reach: A bound of the magnitudes of sums.
  init?(_ factor: Double, reach: Double) {
    let factor = FixedPointMultiplier(factor)
    let reduced =
      factor.mantissa < 0x7FFF_0000 ? (Int64(factor.mantissa) + 0x8000) >> 16 : 0x7FFF
    let right = 15 - factor.shift
    guard right >= 1 else { return nil }
    // Where possible, the upper words of products are shifted, by at least one.
    let left = right > 16 ? max(33 - right, 0) : 0
    let multiplier = reduced << Int64(left)
    guard reach * Double(multiplier) < 0x1p62 else { return nil }
    integers = [Int32(multiplier), right + left, 0]
  }

  /// Whether a scale counts as a power of two: its logarithm is within 1e-3 of an integer.
  static func isPowerOfTwo(_ scale: Float) -> Bool {
    let half = scale.significand
    return half - 1 < 6.94e-4 || 1 - half / 2 < 6.94e-4
  }
}

/// The scaling of a fully connected layer's sums: rounded once, ties away from zero.
struct LongRounding {
  /// The upper word of the factor, the shift, and the lower word.
  let integers: [Int32]

  /// The factors for which there are integers, and 0.
  static let range = 0x1p-33..<0x1p-3

  /// Finds the integers, checked for every sum, or returns `nil` if there are none.
  ///
  /// - Parameter reach: A bound of the magnitudes of sums.
  init?(_ factor: Double, reach: Double) {
    guard factor != 0 else {
      integers = [0, 33, 0]
      return
    }
    // Sums that saturate must have the least or greatest result.
    guard LongRounding.range.contains(factor), reach < 0x1p31 || factor * 0x1p31 > 32770 else {
      return nil
    }
    let wide = UInt64(factor.significand * 0x1p61)
    let shift = Int32(29 - factor.exponent)
    let high = Int32(truncatingIfNeeded: wide >> 32)
    let low = UInt32(truncatingIfNeeded: wide)
    guard
      LongRounding.sumsNearTies(
        factor,
        { magnitude in
          [magnitude, -magnitude].allSatisfy { sum in
            guard let sum = Int32(exactly: sum) else { return true }
            return LongRounding.scaled(sum, high, low, shift)
              == Int64(VectorMath.round(Double(sum) * factor))
          }
        })
    else { return nil }
    integers = [high, shift, Int32(bitPattern: low)]
  }

  /// Whether a condition holds for the magnitudes of sums whose products are less than ties by at
  /// most 2⁻³³, and a few others; there may be four hundred. For sums not among them, neither the
  /// rounding of a double nor the truncation of `scaled` matters: both keep products on their side
  /// of a tie, or make them one.
  private static func sumsNearTies(_ factor: Double, _ isMet: (Int) -> Bool) -> Bool {
    // In units of 2⁻⁶³. What is cut off lessens products by less than 2⁻³².
    let modulus = 1 << 63 as UInt64
    let step = UInt64(factor.significand * 0x1p52) << (11 + factor.exponent)
    let (low, high) = (modulus / 2 - modulus >> 31, modulus / 2 - 1)
    let last = UInt64(min(32770 / factor, 0x1p31))
    var (sum, count) = (1 as UInt64, 0)
    while true {
      let offset = modulus - (sum &* step) % modulus
      let (first, end) = ((low + offset) % modulus, (high + offset) % modulus)
      if first <= end {
        guard let next = multiple(of: step, modulo: modulus, in: first...end) else { return true }
        sum += next
      }
      guard sum <= last else { return true }
      count += 1
      guard count <= 400, isMet(Int(sum)) else { return false }
      sum += 1
    }
  }

  /// The least s for which s · `step` modulo `modulus` is in a range, at most `modulus`; `nil` if
  /// there is none. No modulus exceeds 2⁶³.
  private static func multiple(
    of step: UInt64, modulo modulus: UInt64, in range: ClosedRange<UInt64>
  ) -> UInt64? {
    let (low, high) = (range.lowerBound, range.upperBound)
    guard low > 0 else { return 0 }
    guard step > 0 else { return nil }
    let count = (low + step - 1) / step
    guard count * step > high else { return count }
    // The first turn has no such multiple. The turns that have one are those whose beginnings,
    // modulo the step, are in a range.
    guard
      let turns = multiple(
        of: modulus % step, modulo: step, in: step - high % step...step - low % step)
    else { return nil }
    // No more turns than steps: the quotient has 64 bits.
    let turned = turns.multipliedFullWidth(by: modulus)
    let (end, carries) = turned.low.addingReportingOverflow(low + step - 1)
    return step.dividingFullWidth((turned.high + (carries ? 1 : 0), end)).quotient
  }

  private static func scaled(
    _ sum: Int32, _ high: Int32, _ low: UInt32, _ shift: Int32
  ) -> Int64 {
    let product = Int64(sum) * Int64(high) + (Int64(sum) * Int64(low)) >> 32
    let isTie = sum < 0 && Int32(truncatingIfNeeded: product) == 0
    let word = product >> 32 + 1 << Int64(shift - 33) - (isTie ? 1 : 0)
    return word >> Int64(shift - 32)
  }
}
