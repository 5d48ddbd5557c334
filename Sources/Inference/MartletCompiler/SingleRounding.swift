//===--- SingleRounding.swift - real factors as integers ------------------===//
//
// LiteRT scales the sums of fully connected layers in double precision and rounds once, ties away
// from zero. The result is a step function of the sum; an integer product with one shift makes the
// same steps.
//
// Contract  `(sum · multiplier + half - (sum < 0 ? 1 : 0)) >> shift` equals the rounded product for
//           every sum, checked at both sides of every step.
//===----------------------------------------------------------------------===//

import MartletBase

struct SingleRounding {
  let multiplier: Int32
  /// 33...62.
  let shift: Int32

  /// The least factor that is too large.
  static let limit = 0x1p-2

  /// Finds the integers for `factor`, or returns `nil` if there are none.
  ///
  /// - Parameter results: The results that differ after clamping.
  init?(_ factor: Double, results: ClosedRange<Int>) {
    guard factor >= 0x1p-31, factor < SingleRounding.limit else {
      guard factor == 0 else { return nil }
      (multiplier, shift) = (0, 33)
      return
    }
    let shift = Int32(30 - factor.exponent)
    let nearest = Int32(VectorMath.round(factor.significand * 0x1p30))
    for candidate in [nearest, nearest - 1, nearest + 1, nearest - 2, nearest + 2] {
      let agrees = results.allSatisfy { result in
        // The sums on both sides of the step to `result`.
        let step = Int((Double(result) - 0.5) / factor)
        return (step - 2...step + 2).allSatisfy { sum in
          guard let sum = Int32(exactly: sum) else { return true }
          return SingleRounding.scaled(sum, candidate, shift)
            == Int64(VectorMath.round(Double(sum) * factor))
        }
      }
      if agrees {
        (multiplier, self.shift) = (candidate, shift)
        return
      }
    }
    return nil
  }

  private static func scaled(_ sum: Int32, _ multiplier: Int32, _ shift: Int32) -> Int64 {
    let product = Int64(sum) * Int64(multiplier)
    return (product + 1 << Int64(shift - 1) - (sum < 0 ? 1 : 0)) >> Int64(shift)
  }
}
