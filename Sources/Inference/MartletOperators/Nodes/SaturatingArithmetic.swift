//===--- SaturatingArithmetic.swift - saturating sums and products --------===//
//
// Contract  Arguments are not negative. A result that does not fit in `Int` is `Int.max`.
//===----------------------------------------------------------------------===//

/// The sum of nonnegative numbers, at most `Int.max`.
package func saturatingSum(_ a: Int, _ b: Int) -> Int {
  let (sum, overflow) = a.addingReportingOverflow(b)
  return overflow ? Int.max : sum
}

/// The product of nonnegative numbers, at most `Int.max`.
package func saturatingProduct(_ factors: Int...) -> Int {
  var product = 1
  for factor in factors {
    let (next, overflow) = product.multipliedReportingOverflow(by: factor)
    if overflow { return factors.contains(0) ? 0 : Int.max }
    product = next
  }
  return product
}
