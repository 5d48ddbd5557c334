//===--- SaturatingArithmetic.swift - sums and products that stop at Int.max ===//
//
// Contract  Numbers are not negative. A result that `Int` cannot hold is `Int.max`.
// Checked   Tests/MartletInferenceTests/NodeCostTests.swift
//===----------------------------------------------------------------------===//

/// A sum of numbers that are not negative, at most `Int.max`.
package func saturatingSum(_ a: Int, _ b: Int) -> Int {
  let (sum, overflow) = a.addingReportingOverflow(b)
  return overflow ? Int.max : sum
}

/// A product of numbers that are not negative, at most `Int.max`.
package func saturatingProduct(_ factors: Int...) -> Int {
  var product = 1
  for factor in factors {
    let (next, overflow) = product.multipliedReportingOverflow(by: factor)
    if overflow { return factors.contains(0) ? 0 : Int.max }
    product = next
  }
  return product
}
