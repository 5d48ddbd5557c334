//===--- ShortScaling.swift - factors of 64-bit sums ----------------------===//
//
// LiteRT scales the 64-bit sums of convolutions by factors of 15 bits, and those of fully connected
// layers in double precision.
//
// Contract  The integers are those of `Shorts`. No product exceeds 64 bits.
// Checked   Tests/MartletCompiledTests/ShortScalingTests.swift
//===----------------------------------------------------------------------===//

import MartletBase

/// The scaling of a convolution's sums.
struct ShortScaling {
  /// The multiplier, the shift, and an unused integer.
  let integers: [Int32]

  /// Returns `nil` if there are no such integers.
  init?<Weights: Collection<Int32>>(
    _ weights: Weights, bias: Int64, _ weight: Float, _ scales: (x: Float, y: Float)
  ) {
    let factor = FixedPointMultiplier(
      Double(scales.x) * Double(weight) / Double(scales.y))
    let reduced =
      factor.mantissa < 0x7FFF_0000 ? (Int64(factor.mantissa) + 0x8000) >> 16 : 0x7FFF
    let right = 15 - factor.shift
    guard right >= 1 else { return nil }
    // Where possible, the upper words of products are shifted, by at least one.
    let left = right > 16 ? max(33 - right, 0) : 0
    let multiplier = reduced << Int64(left)
    guard ShortScaling.reach(weights, bias: bias) * Double(multiplier) < 0x1p62 else { return nil }
    integers = [Int32(multiplier), right + left, 0]
  }

  /// A bound of the magnitudes of sums.
  static func reach<Weights: Collection<Int32>>(_ weights: Weights, bias: Int64) -> Double {
    weights.reduce(Double(bias.magnitude)) { $0 + 0x1p15 * Double($1.magnitude) }
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

  /// Finds the integers, checked at both sides of every step, or returns `nil` if there are none.
  ///
  /// - Parameter reach: A bound of the magnitudes of sums.
  init?(_ factor: Double, reach: Double) {
    guard factor != 0 else {
      integers = [0, 33, 0]
      return
    }
    // Sums that saturate must have the least or greatest result.
    guard factor < 0x1p-3, factor >= 0x1p-33, reach < 0x1p31 || factor * 0x1p31 > 32770 else {
      return nil
    }
    let wide = UInt64(factor.significand * 0x1p61)
    let shift = Int32(29 - factor.exponent)
    let high = Int32(truncatingIfNeeded: wide >> 32)
    let low = UInt32(truncatingIfNeeded: wide)
    for result in -32769...32769 {
      // The sums on both sides of the step to `result`.
      let step = Int((Double(result) - 0.5) / factor)
      for sum in step - 2...step + 2 {
        guard let sum = Int32(exactly: sum) else { continue }
        let found = LongRounding.scaled(sum, high, low, shift)
        guard found == Int64(VectorMath.round(Double(sum) * factor)) else { return nil }
      }
    }
    integers = [high, shift, Int32(bitPattern: low)]
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
