/// How far `found` is from `want`, in units of the last place of the float nearest to `want`.
package func ulps(_ found: Float, from want: Double) -> Double {
  let difference: Double = Double(found) - want
  let unit: Double = Double(Float(want).ulp)
  return difference.magnitude / unit
}

/// How far `found` is from `want`, in units of the last place.
package func ulps(_ found: Double, from want: Double) -> Double {
  let difference: Double = found - want
  return difference.magnitude / want.ulp
}

/// How far `found` is from `want`, as a share of it.
package func relativeError(_ found: Double, from want: Double) -> Double {
  let ratio: Double = found / want
  return (ratio - 1).magnitude
}

/// Whether two numbers are the same, the sign of zero included, or both are none.
package func isSame<Number: BinaryFloatingPoint>(_ a: Number, _ b: Number) -> Bool {
  if a.isNaN || b.isNaN { return a.isNaN && b.isNaN }
  return a == b && a.sign == b.sign
}
