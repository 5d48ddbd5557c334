//===--- Int32Lanes.swift - vectors of accumulators -----------------------===//
//
// The two operations that integer microkernels are made of: multiply pairs of 16-bit integers and
// add each pair's products to a 32-bit lane; and scale a lane by a fixed-point factor.
//
// Contract  Bit for bit `FixedPointMultiplier`: the doubling high multiplication rounds to nearest,
//           ties towards plus infinity (which is what LiteRT's nudges amount to), the right shift
//           rounds to nearest, ties away from zero.
// Checked   Tests/MartletKernelsTests/RequantizationTests.swift
//===----------------------------------------------------------------------===//

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#endif

/// A vector of 32-bit accumulators.
protocol Int32Lanes: SIMD where Scalar == Int32 {
  /// As many bits in 64-bit lanes.
  associatedtype Wide: SIMD where Wide.Scalar == UInt64

  /// `sum` plus, in each lane, the products of the low and of the high 16-bit halves of `x` and
  /// `w`.
  static func addPairs(_ sum: Self, _ x: Self, _ w: Self) -> Self

  /// In each lane the high 32 bits of `2 * self * mantissa`, rounded; mantissas are not negative.
  func doublingHighMultiplied(by mantissa: Self) -> Self

  /// In each lane `self / 2^exponent`, rounded; `mask` is `2^exponent - 1`.
  func roundingShiftedRight(by exponent: Self, mask: Self) -> Self

  /// Writes the low byte of each lane.
  func storeLowBytes(to p: UnsafeMutablePointer<UInt8>)
}

extension Int32Lanes {
  @inline(__always)
  func doublingHighMultiplied(by mantissa: Self) -> Self {
    // The unsigned product of 2³² + v is 2³² · mantissa too large, whose high part is
    // 2 · mantissa: subtracted again in lanes that were negative. Even and odd lanes are
    // multiplied apart and put together without a shuffle.
    let low = Wide(repeating: 0xffff_ffff)
    let half = Wide(repeating: 1 << 30)
    let v = unsafeBitCast(self, to: Wide.self)
    let m = unsafeBitCast(mantissa, to: Wide.self)
    let even = ((v & low) &* (m & low) &+ half) &>> Wide(repeating: 31)
    let odd = ((v &>> Wide(repeating: 32)) &* (m &>> Wide(repeating: 32)) &+ half)
    let high = (even & low) | ((odd &>> Wide(repeating: 31)) &<< Wide(repeating: 32))
    let excess = (mantissa &+ mantissa) & (self &>> Self(repeating: 31))
    return unsafeBitCast(high, to: Self.self) &- excess
  }

  @inline(__always)
  func roundingShiftedRight(by exponent: Self, mask: Self) -> Self {
    let sign = self &>> Self(repeating: 31)
    let threshold = (mask &>> Self(repeating: 1)) &- sign
    let floor = self &>> exponent
    return floor.replacing(with: floor &+ Self(repeating: 1), where: (self & mask) .> threshold)
  }
}

extension SIMD4: Int32Lanes where Scalar == Int32 {
  typealias Wide = SIMD2<UInt64>

  @inline(__always)
  static func addPairs(_ sum: Self, _ x: Self, _ w: Self) -> Self {
    #if arch(x86_64) && canImport(_Builtin_intrinsics)
      let products = _mm_madd_epi16(
        unsafeBitCast(x, to: __m128i.self), unsafeBitCast(w, to: __m128i.self))
      return sum &+ unsafeBitCast(products, to: Self.self)
    #else
      return addHalves(sum, x, w)
    #endif
  }

  @inline(__always)
  func storeLowBytes(to p: UnsafeMutablePointer<UInt8>) {
    let bytes = SIMD4<UInt8>(truncatingIfNeeded: self)
    UnsafeMutableRawPointer(p).storeBytes(of: bytes, as: SIMD4<UInt8>.self)
  }
}

extension Int32Lanes {
  /// `addPairs` without the instruction for it.
  @inline(__always)
  static func addHalves(_ sum: Self, _ x: Self, _ w: Self) -> Self {
    let half = Self(repeating: 16)
    let low = ((x &<< half) &>> half) &* ((w &<< half) &>> half)
    let high = (x &>> half) &* (w &>> half)
    return sum &+ low &+ high
  }
}

#if MARTLET_V3 || MARTLET_V4
  extension SIMD8: Int32Lanes where Scalar == Int32 {
    typealias Wide = SIMD4<UInt64>

    @inline(__always)
    static func addPairs(_ sum: Self, _ x: Self, _ w: Self) -> Self {
      #if canImport(_Builtin_intrinsics)
        let products = _mm256_madd_epi16(
          unsafeBitCast(x, to: __m256i.self), unsafeBitCast(w, to: __m256i.self))
        return sum &+ unsafeBitCast(products, to: Self.self)
      #else
        return addHalves(sum, x, w)
      #endif
    }

    @inline(__always)
    func storeLowBytes(to p: UnsafeMutablePointer<UInt8>) {
      let bytes = SIMD8<UInt8>(truncatingIfNeeded: self)
      UnsafeMutableRawPointer(p).storeBytes(of: bytes, as: SIMD8<UInt8>.self)
    }
  }
#endif

#if MARTLET_V4
  extension SIMD16: Int32Lanes where Scalar == Int32 {
    typealias Wide = SIMD8<UInt64>

    @inline(__always)
    static func addPairs(_ sum: Self, _ x: Self, _ w: Self) -> Self {
      #if canImport(_Builtin_intrinsics)
        let products = _mm512_madd_epi16(
          unsafeBitCast(x, to: __m512i.self), unsafeBitCast(w, to: __m512i.self))
        return sum &+ unsafeBitCast(products, to: Self.self)
      #else
        return addHalves(sum, x, w)
      #endif
    }

    @inline(__always)
    func storeLowBytes(to p: UnsafeMutablePointer<UInt8>) {
      let bytes = SIMD16<UInt8>(truncatingIfNeeded: self)
      UnsafeMutableRawPointer(p).storeBytes(of: bytes, as: SIMD16<UInt8>.self)
    }
  }
#endif
