//===--- Lanes.swift - vectors of floats ----------------------------------===//
//
// The vector types of the instruction set that this module is compiled for, with loads, stores, and
// the few operations that differ between instruction sets.
//
// Contract  Everything in this module uses raw pointers and concrete vectors only. A generic of the
//           standard library, compiled here for a newer processor, could be linked into code that
//           runs on an older one; and generic vectors are compiled lane by lane.
// Order     With fused multiply-add (x86-64-v3, v4, arm64) floats agree bit for bit; without it,
//           the product is rounded before the addition.
//===----------------------------------------------------------------------===//

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#elseif arch(arm64)
  import _Builtin_intrinsics.arm.neon
#endif

#if MARTLET_V4
  typealias Lanes = SIMD16<Float>
  typealias Sums = SIMD16<Int32>
  typealias WideSums = SIMD8<UInt64>
#elseif MARTLET_V3
  typealias Lanes = SIMD8<Float>
  typealias Sums = SIMD8<Int32>
  typealias WideSums = SIMD4<UInt64>
#else
  typealias Lanes = SIMD4<Float>
  typealias Sums = SIMD4<Int32>
  typealias WideSums = SIMD2<UInt64>
#endif

@inline(__always)
func load<V: SIMD>(_ p: UnsafePointer<V.Scalar>) -> V {
  UnsafeRawPointer(p).loadUnaligned(as: V.self)
}

/// Creates a vector from its 128-bit parts, lowest first.
@inline(__always)
func joined(_ part: (Int) -> SIMD4<Float>) -> Lanes {
  #if MARTLET_V4
    Lanes(
      lowHalf: SIMD8(lowHalf: part(0), highHalf: part(1)),
      highHalf: SIMD8(lowHalf: part(2), highHalf: part(3)))
  #elseif MARTLET_V3
    Lanes(lowHalf: part(0), highHalf: part(1))
  #else
    part(0)
  #endif
}

@inline(__always)
func store<V: SIMD>(_ vector: V, to p: UnsafeMutablePointer<V.Scalar>) {
  UnsafeMutableRawPointer(p).storeBytes(of: vector, as: V.self)
}

/// Stores the first `count` lanes; none if `count` is not positive.
@inline(__always)
func store(_ vector: Lanes, to p: UnsafeMutablePointer<Float>, _ count: Int) {
  #if MARTLET_V4 && canImport(_Builtin_intrinsics)
    _mm512_mask_storeu_ps(p, UInt16(truncatingIfNeeded: (1 << max(count, 0)) &- 1), vector)
  #else
    var lane = 0
    while lane < count {
      p[lane] = vector[lane]
      lane &+= 1
    }
  #endif
}

/// `sum + x * w`, fused if the instruction set supports it.
@inline(__always)
func multiplyAdd<V: SIMD>(_ sum: V, _ x: V, _ w: V) -> V where V.Scalar == Float {
  #if MARTLET_V3 || MARTLET_V4 || arch(arm64)
    sum.addingProduct(x, w)
  #else
    sum + x * w
  #endif
}

// Clamps to `low` and `high`; NaN is preserved. For wide vectors the compiler turns comparisons and
// selections into a dozen instructions, so the minimum and maximum instructions are called
// explicitly.

@inline(__always)
func clamp(_ value: SIMD4<Float>, _ low: SIMD4<Float>, _ high: SIMD4<Float>) -> SIMD4<Float> {
  #if arch(x86_64) && canImport(_Builtin_intrinsics)
    _mm_min_ps(high, _mm_max_ps(low, value))
  #elseif arch(arm64)
    // Not the maximum instruction, which returns 0 for -0 and 0.
    vminq_f32(value.replacing(with: low, where: value .< low), high)
  #else
    let raised = value.replacing(with: low, where: value .< low)
    return raised.replacing(with: high, where: raised .> high)
  #endif
}

#if MARTLET_V3 || MARTLET_V4
  @inline(__always)
  func clamp(_ value: SIMD8<Float>, _ low: SIMD8<Float>, _ high: SIMD8<Float>) -> SIMD8<Float> {
    _mm256_min_ps(high, _mm256_max_ps(low, value))
  }
#endif

#if MARTLET_V4
  @inline(__always)
  func clamp(
    _ value: SIMD16<Float>, _ low: SIMD16<Float>, _ high: SIMD16<Float>
  ) -> SIMD16<Float> {
    _mm512_min_ps(high, _mm512_max_ps(low, value))
  }
#endif

// Square roots; the compiler would compute them one by one.

@inline(__always)
func squareRoot(_ x: SIMD4<Float>) -> SIMD4<Float> {
  #if arch(x86_64) && canImport(_Builtin_intrinsics)
    _mm_sqrt_ps(x)
  #else
    x.squareRoot()
  #endif
}

@inline(__always)
func squareRoot(_ x: SIMD8<Float>) -> SIMD8<Float> {
  #if (MARTLET_V3 || MARTLET_V4) && canImport(_Builtin_intrinsics)
    _mm256_sqrt_ps(x)
  #else
    SIMD8(lowHalf: squareRoot(x.lowHalf), highHalf: squareRoot(x.highHalf))
  #endif
}

#if MARTLET_V4
  @inline(__always)
  func squareRoot(_ x: SIMD16<Float>) -> SIMD16<Float> { _mm512_sqrt_ps(x) }
#endif

// The minimum and maximum per lane; the second operand if both are equal or one is NaN.

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  #if MARTLET_V4
    @inline(__always)
    func least(_ x: Lanes, _ y: Lanes) -> Lanes { _mm512_min_ps(x, y) }
    @inline(__always)
    func greatest(_ x: Lanes, _ y: Lanes) -> Lanes { _mm512_max_ps(x, y) }
  #elseif MARTLET_V3
    @inline(__always)
    func least(_ x: Lanes, _ y: Lanes) -> Lanes { _mm256_min_ps(x, y) }
    @inline(__always)
    func greatest(_ x: Lanes, _ y: Lanes) -> Lanes { _mm256_max_ps(x, y) }
  #else
    @inline(__always)
    func least(_ x: Lanes, _ y: Lanes) -> Lanes { _mm_min_ps(x, y) }
    @inline(__always)
    func greatest(_ x: Lanes, _ y: Lanes) -> Lanes { _mm_max_ps(x, y) }
  #endif
#else
  @inline(__always)
  func least(_ x: Lanes, _ y: Lanes) -> Lanes { y.replacing(with: x, where: x .< y) }
  @inline(__always)
  func greatest(_ x: Lanes, _ y: Lanes) -> Lanes { y.replacing(with: x, where: x .> y) }
#endif

@inline(__always)
func clamp(_ value: Sums, _ low: Sums, _ high: Sums) -> Sums {
  let raised = value.replacing(with: low, where: value .< low)
  return raised.replacing(with: high, where: raised .> high)
}
