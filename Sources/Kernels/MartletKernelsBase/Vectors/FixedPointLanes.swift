//===--- FixedPointLanes.swift - fixed-point vectors ----------------------===//
//
// `FixedPointMultiplier` for vectors, with one factor for all lanes.
//
// Contract  Bit-exact with `FixedPointMultiplier`: the doubling high multiplication rounds to
//           nearest, ties towards plus infinity (the effect of LiteRT's nudges); the right shift
//           rounds to nearest, ties away from zero.
//===----------------------------------------------------------------------===//

import MartletBase

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#elseif arch(arm64)
  import _Builtin_intrinsics.arm.neon
#endif

private typealias Products = WideSums

/// One factor for all lanes.
struct LaneFactor {
  private let left: Sums
  private let mantissa: Sums
  /// The right shift in two steps; the second shifts by one bit and rounds.
  private let right: Sums
  private let last: Sums
  /// All bits set if there is a right shift.
  private let rounds: Sums

  @inline(__always)
  init(_ factor: FixedPointMultiplier) {
    let bits = max(0 &- factor.shift, 0)
    let last: Int32 = bits > 0 ? 1 : 0
    left = Sums(repeating: max(factor.shift, 0))
    mantissa = Sums(repeating: factor.mantissa)
    right = Sums(repeating: bits &- last)
    self.last = Sums(repeating: last)
    rounds = Sums(repeating: 0 &- last)
  }

  @inline(__always)
  func callAsFunction(_ value: Sums) -> Sums { scaledDown(value &<< left) }

  /// The scaled values, if the factor is less than one.
  @inline(__always)
  func scaledDown(_ value: Sums) -> Sums {
    let high = doublingHighMultiplied(value)
    // Subtracting 1 from negative numbers makes their ties round down, away from zero.
    let sign = (high &>> Sums(repeating: 31)) & rounds
    #if arch(arm64)
      return vrshlq_s32(high &+ sign, Sums.zero &- right &- last)
    #else
      return (((high &+ sign) &>> right) &+ last) &>> last
    #endif
  }

  /// The high 32 bits of `2 * value * mantissa`, rounded.
  @inline(__always)
  private func doublingHighMultiplied(_ value: Sums) -> Sums {
    #if arch(arm64)
      return vqrdmulhq_s32(value, mantissa)
    #else
      // Even and odd lanes are multiplied separately, each as the low half of a lane twice as wide,
      // and combined without a shuffle.
      let nudge = Products(repeating: 1 << 30)
      let wide = unsafeBitCast(value, to: Products.self)
      let even = evenProducts(wide, mantissa) &+ nudge
      let odd = evenProducts(wide &>> Products(repeating: 32), mantissa) &+ nudge
      let low = (even &>> Products(repeating: 31)) & Products(repeating: 0xffff_ffff)
      let high = (odd &+ odd) & Products(repeating: 0xffff_ffff_0000_0000)
      return unsafeBitCast(low | high, to: Sums.self)
    #endif
  }
}

/// The products of the even 32-bit lanes.
@inline(__always)
private func evenProducts(_ a: Products, _ b: Sums) -> Products {
  #if MARTLET_V4 && canImport(_Builtin_intrinsics)
    unsafeBitCast(
      _mm512_mul_epi32(unsafeBitCast(a, to: __m512i.self), unsafeBitCast(b, to: __m512i.self)),
      to: Products.self)
  #elseif MARTLET_V3 && canImport(_Builtin_intrinsics)
    unsafeBitCast(
      _mm256_mul_epi32(unsafeBitCast(a, to: __m256i.self), unsafeBitCast(b, to: __m256i.self)),
      to: Products.self)
  #else
    let word = SIMD2<Int64>(repeating: 32)
    let left = (unsafeBitCast(a, to: SIMD2<Int64>.self) &<< word) &>> word
    let right = (unsafeBitCast(b, to: SIMD2<Int64>.self) &<< word) &>> word
    return unsafeBitCast(left &* right, to: Products.self)
  #endif
}
