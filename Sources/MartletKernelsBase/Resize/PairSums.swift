//===--- PairSums.swift - weighted sums, two taps at a time ---------------===//
//
// A weight w of at most 2^22 is h and l with w = 2^15 h + l, both of 16 bits. Two
// taps' h, and their l, lie in one 32-bit number each.
//
// Contract  Exact: sums are the same integers as those of whole products.
// Checked   Tests/MartletImageTests/ResizeTests.swift, PairSumsTests.swift
//===----------------------------------------------------------------------===//

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#endif

typealias Lanes = SIMD8<Int16>

/// The weights of a table in pairs: those of an odd last tap are beside zeros.
///
/// Plain memory, so that loops count no references.
final class WeightPairs {
  /// What makes an output.
  struct Window {
    /// The first input, and how many pairs of inputs follow.
    let start, pairCount: Int
    /// For each pair, the higher parts and the lower parts of two weights, the first tap's lowest.
    let weights: UnsafePointer<Int32>
  }

  /// One for each output.
  let windows: UnsafeMutablePointer<Window>
  private let weights: UnsafeMutablePointer<Int32>

  init(_ table: ResampleTable) {
    let count = table.windows.reduce(0) { $0 + ($1.count + 1) / 2 }
    weights = .allocate(capacity: max(2 * count, 1))
    windows = .allocate(capacity: max(table.windows.count, 1))
    var next = weights
    for (index, window) in table.windows.enumerated() {
      (windows + index).initialize(
        to: Window(
          start: window.start, pairCount: (window.count + 1) / 2, weights: UnsafePointer(next)))
      for tap in stride(from: 0, to: window.count, by: 2) {
        let first = table.weights[window.firstWeight + tap]
        let second = tap + 1 < window.count ? table.weights[window.firstWeight + tap + 1] : 0
        next.initialize(to: first >> 15 | (second >> 15) << 16)
        (next + 1).initialize(to: first & 0x7FFF | (second & 0x7FFF) << 16)
        next += 2
      }
    }
  }

  deinit {
    windows.deallocate()
    weights.deallocate()
  }
}

/// Four sums.
struct PairSums {
  private var high = SIMD4<Int32>()
  private var low = SIMD4<Int32>()

  /// The sums, of which each fits 32 bits.
  @inline(__always) var total: SIMD4<Int32> { high &<< 15 &+ low }

  /// Adds the weighted taps of `pairs`, two side by side for each sum.
  @inline(__always) mutating func add(_ pairs: Lanes, _ highWeights: Int32, _ lowWeights: Int32) {
    high &+= Self.products(pairs, highWeights)
    low &+= Self.products(pairs, lowWeights)
  }

  @inline(__always)
  private static func products(_ pairs: Lanes, _ weights: Int32) -> SIMD4<Int32> {
    let weights = SIMD4<Int32>(repeating: weights)
    #if arch(x86_64) && canImport(_Builtin_intrinsics)
      let sums = _mm_madd_epi16(
        unsafeBitCast(pairs, to: __m128i.self), unsafeBitCast(weights, to: __m128i.self))
      return unsafeBitCast(sums, to: SIMD4<Int32>.self)
    #else
      return plainProducts(pairs, unsafeBitCast(weights, to: Lanes.self))
    #endif
  }

  /// `products` without the instruction for it.
  @inline(__always)
  static func plainProducts(_ pairs: Lanes, _ weights: Lanes) -> SIMD4<Int32> {
    SIMD4(truncatingIfNeeded: pairs.evenHalf) &* SIMD4(truncatingIfNeeded: weights.evenHalf)
      &+ SIMD4(truncatingIfNeeded: pairs.oddHalf) &* SIMD4(truncatingIfNeeded: weights.oddHalf)
  }

  /// The first four bytes at two places, side by side.
  @inline(__always) static func four(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Lanes {
    let (x, y) = (a.loadUnaligned(as: Int32.self), b.loadUnaligned(as: Int32.self))
    #if arch(x86_64) && canImport(_Builtin_intrinsics)
      let bytes = _mm_unpacklo_epi8(_mm_cvtsi32_si128(x), _mm_cvtsi32_si128(y))
      return unsafeBitCast(_mm_unpacklo_epi8(bytes, _mm_setzero_si128()), to: Lanes.self)
    #else
      let (p, q) = (unsafeBitCast(x, to: Four.self), unsafeBitCast(y, to: Four.self))
      return beside(p, q)
    #endif
  }

  /// The first eight bytes at two places, side by side: four, and four.
  @inline(__always)
  static func eight(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> (Lanes, Lanes) {
    let x = a.loadUnaligned(as: Int64.self)
    let y = b.loadUnaligned(as: Int64.self)
    #if arch(x86_64) && canImport(_Builtin_intrinsics)
      let bytes = _mm_unpacklo_epi8(_mm_cvtsi64_si128(x), _mm_cvtsi64_si128(y))
      return (
        unsafeBitCast(_mm_unpacklo_epi8(bytes, _mm_setzero_si128()), to: Lanes.self),
        unsafeBitCast(_mm_unpackhi_epi8(bytes, _mm_setzero_si128()), to: Lanes.self)
      )
    #else
      let (p, q) = (
        unsafeBitCast(x, to: SIMD8<UInt8>.self), unsafeBitCast(y, to: SIMD8<UInt8>.self)
      )
      return (beside(p.lowHalf, q.lowHalf), beside(p.highHalf, q.highHalf))
    #endif
  }

  private typealias Four = SIMD4<UInt8>

  @inline(__always) private static func beside(_ a: Four, _ b: Four) -> Lanes {
    unsafeBitCast(
      SIMD4<Int32>(truncatingIfNeeded: a) | SIMD4<Int32>(truncatingIfNeeded: b) &<< 16,
      to: Lanes.self)
  }
}
