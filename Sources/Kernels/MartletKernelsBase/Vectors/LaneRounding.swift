//===--- LaneRounding.swift - rounding of vectors -------------------------===//
//
// Rounds floats, and converts between whole floats and integers, with the bits of 1.5 · 2²³ + n,
// whose lowest bits are n.
//
// Contract  Magnitudes are at most 2²¹.
//===----------------------------------------------------------------------===//

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#endif

/// Adding and subtracting it rounds to the nearest whole number, ties to even.
private var rounder: Float { 0x1.8p23 }
private var rounderBits: Int32 { 0x4b40_0000 }

/// The nearest whole numbers, ties away from zero.
@inline(__always)
func rounded(_ x: Lanes) -> Lanes {
  let even = (x + Lanes(repeating: rounder)) - Lanes(repeating: rounder)
  let rest = x - even
  let half = Lanes(repeating: 0.5)
  // Corrects ties that were rounded towards zero.
  let up = even.replacing(
    with: even + Lanes(repeating: 1), where: (rest .== half) .& (x .> Lanes.zero))
  return up.replacing(
    with: even - Lanes(repeating: 1), where: (rest .== -half) .& (x .< Lanes.zero))
}

/// The nearest whole numbers as integers, ties away from zero.
@inline(__always)
func nearest(_ x: Lanes) -> Sums {
  #if arch(x86_64) && canImport(_Builtin_intrinsics)
    // Adding slightly less than a half before truncating makes exactly the ties and above round up.
    let bits = unsafeBitCast(x, to: Sums.self) & Sums(repeating: .min)
    let half = bits | Sums(repeating: 0x3eff_ffff)
    let moved = x + unsafeBitCast(half, to: Lanes.self)
    #if MARTLET_V4
      return unsafeBitCast(_mm512_cvttps_epi32(moved), to: Sums.self)
    #elseif MARTLET_V3
      return unsafeBitCast(_mm256_cvttps_epi32(moved), to: Sums.self)
    #else
      return unsafeBitCast(_mm_cvttps_epi32(moved), to: Sums.self)
    #endif
  #else
    return integers(rounded(x))
  #endif
}

/// The largest whole numbers that are at most `x`.
@inline(__always)
func floored(_ x: Lanes) -> Lanes {
  let even = (x + Lanes(repeating: rounder)) - Lanes(repeating: rounder)
  return even.replacing(with: even - Lanes(repeating: 1), where: even .> x)
}

/// Converts whole floats to integers.
@inline(__always)
func integers(_ whole: Lanes) -> Sums {
  unsafeBitCast(whole + Lanes(repeating: rounder), to: Sums.self) &- Sums(repeating: rounderBits)
}

/// Converts integers to floats.
@inline(__always)
func floats(_ integers: Sums) -> Lanes {
  unsafeBitCast(integers &+ Sums(repeating: rounderBits), to: Lanes.self)
    - Lanes(repeating: rounder)
}
