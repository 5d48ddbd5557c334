//===--- PairProducts.swift - products of pairs ---------------------------===//
//
// The building block of integer products. Each 32-bit lane holds a pair of 16-bit integers; pairs
// are multiplied and both products are added to the lane of a sum.
//
// Contract  Exact; sums wrap.
//===----------------------------------------------------------------------===//

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel

  @inline(__always)
  func addPairs(_ sum: Sums, _ x: Sums, _ w: Sums) -> Sums {
    #if MARTLET_V4
      let products = _mm512_madd_epi16(
        unsafeBitCast(x, to: __m512i.self), unsafeBitCast(w, to: __m512i.self))
    #elseif MARTLET_V3
      let products = _mm256_madd_epi16(
        unsafeBitCast(x, to: __m256i.self), unsafeBitCast(w, to: __m256i.self))
    #else
      let products = _mm_madd_epi16(
        unsafeBitCast(x, to: __m128i.self), unsafeBitCast(w, to: __m128i.self))
    #endif
    return sum &+ unsafeBitCast(products, to: Sums.self)
  }
#elseif canImport(WebAssemblyIntrinsics)
  import WebAssemblyIntrinsics

  @inline(__always)
  func addPairs(_ sum: Sums, _ x: Sums, _ w: Sums) -> Sums {
    sum &+ wasm_i32x4_dot_i16x8(x, w)
  }
#else
  @inline(__always)
  func addPairs(_ sum: Sums, _ x: Sums, _ w: Sums) -> Sums { addHalves(sum, x, w) }
#endif

/// `addPairs` without the special instruction.
@inline(__always)
func addHalves(_ sum: Sums, _ x: Sums, _ w: Sums) -> Sums {
  let half = Sums(repeating: 16)
  let low = ((x &<< half) &>> half) &* ((w &<< half) &>> half)
  let high = (x &>> half) &* (w &>> half)
  return sum &+ low &+ high
}
