//===--- Lanes.swift - vectors of the instruction set at hand -------------===//
//
// What microkernels are written with: the vectors of the instruction set that this module is
// compiled for, loads, stores, and the few operations that differ between sets.
//
// Contract  Everything in this module uses raw pointers and concrete vectors alone. A generic of
//           the standard library, compiled here for a newer processor, could be linked into code
//           that runs on an older one; and generic vectors are compiled lane by lane.
// Order     With fused multiply-add (x86-64-v3, v4, arm64) floats agree bit for bit; without it the
//           product is rounded before it is added.
//===----------------------------------------------------------------------===//

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
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

/// How many accumulators a loop is compiled for, and nothing else.
struct Accumulators<let count: Int> {}

@inline(__always)
func load<V: SIMD>(_ p: UnsafePointer<V.Scalar>) -> V {
  UnsafeRawPointer(p).loadUnaligned(as: V.self)
}

/// A vector of its parts of 128 bits, the first one lowest.
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

/// Stores the first `count` lanes, none where there are fewer than one.
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

/// `sum + x * w`, fused where the instruction set can.
@inline(__always)
func multiplyAdd<V: SIMD>(_ sum: V, _ x: V, _ w: V) -> V where V.Scalar == Float {
  #if MARTLET_V3 || MARTLET_V4 || arch(arm64)
    sum.addingProduct(x, w)
  #else
    sum + x * w
  #endif
}

// What is below `low` becomes that, what is above `high` becomes that; NaN stays. Of comparisons and
// choices the compiler makes a dozen instructions where vectors are wide, so those are requested
// that there are.

@inline(__always)
func clamp(_ value: SIMD4<Float>, _ low: SIMD4<Float>, _ high: SIMD4<Float>) -> SIMD4<Float> {
  #if arch(x86_64) && canImport(_Builtin_intrinsics)
    _mm_min_ps(high, _mm_max_ps(low, value))
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

// The square roots, which the compiler would take one by one.

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

// The lesser and the greater of two, lane by lane; the second where they are equal or NaN.

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
