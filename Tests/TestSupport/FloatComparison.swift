/// The error of `found` in units of the last place of the float closest to `want`.
package func ulps(_ found: Float, from want: Double) -> Double {
  let difference: Double = Double(found) - want
  let unit: Double = Double(Float(want).ulp)
  return difference.magnitude / unit
}

/// The error of `found` in units of the last place of `want`.
package func ulps(_ found: Double, from want: Double) -> Double {
  let difference: Double = found - want
  return difference.magnitude / want.ulp
}

/// The error of `found` relative to `want`.
package func relativeError(_ found: Double, from want: Double) -> Double {
  let ratio: Double = found / want
  return (ratio - 1).magnitude
}

/// Whether two numbers are equal including the sign of zero, or both are NaN.
package func isSame<Number: BinaryFloatingPoint>(_ a: Number, _ b: Number) -> Bool {
  if a.isNaN || b.isNaN { return a.isNaN && b.isNaN }
  return a == b && a.sign == b.sign
}
