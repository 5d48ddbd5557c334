//===--- Rounding.swift - rounding of floats ------------------------------===//
//
// The standard library's `rounded` calls the C math library if the instruction set has no rounding
// instruction. These functions do not.
//
// Contract  Exact; signed zeros, infinities and NaN are preserved.
//===----------------------------------------------------------------------===//

extension VectorMath {
  /// `x` truncated towards zero.
  @inlinable @inline(__always)
  package static func truncate(_ x: Float) -> Float {
    // Every float from 2²³ on is whole; NaN fails the comparison too.
    guard x.magnitude < 0x1p23 else { return x }
    let whole = Float(Int32(x.magnitude))
    return x.sign == .minus ? -whole : whole
  }

  /// The nearest whole number, ties away from zero: C's `round`.
  @inlinable @inline(__always)
  package static func round(_ x: Float) -> Float {
    let whole = truncate(x)
    guard (x - whole).magnitude >= 0.5 else { return whole }
    return whole + (x.sign == .minus ? -1 : 1)
  }

  /// The nearest whole number, ties to even: C's `rint` in the default rounding mode.
  @inlinable @inline(__always)
  package static func roundToEven(_ x: Float) -> Float {
    guard x.magnitude < 0x1p23 else { return x }
    // The sum has no fraction bits, and addition rounds ties to even.
    let whole = (x.magnitude + 0x1p23) - 0x1p23
    return x.sign == .minus ? -whole : whole
  }

  /// The largest whole number that is at most `x`.
  @inlinable @inline(__always)
  package static func floor(_ x: Float) -> Float {
    let whole = truncate(x)
    return whole > x ? whole - 1 : whole
  }

  /// The smallest whole number that is at least `x`.
  @inlinable @inline(__always)
  package static func ceil(_ x: Float) -> Float { -floor(-x) }

  /// `x` truncated towards zero.
  @inlinable @inline(__always)
  package static func truncate(_ x: Double) -> Double {
    guard x.magnitude < 0x1p52 else { return x }
    let whole = Double(Int64(x.magnitude))
    return x.sign == .minus ? -whole : whole
  }

  /// The nearest whole number, ties away from zero: C's `round`.
  @inlinable @inline(__always)
  package static func round(_ x: Double) -> Double {
    let whole = truncate(x)
    guard (x - whole).magnitude >= 0.5 else { return whole }
    return whole + (x.sign == .minus ? -1 : 1)
  }

  /// The largest whole number that is at most `x`.
  @inlinable @inline(__always)
  package static func floor(_ x: Double) -> Double {
    let whole = truncate(x)
    return whole > x ? whole - 1 : whole
  }
}
