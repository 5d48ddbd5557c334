//===--- WinogradTransform.swift - 3-tap filters with fewer products ------===//
//
// The minimal algorithms of `WinogradConvolution`, for one axis.
//
// Contract  Exact. Pixels and weights of ±255 fit in 16 bits after transforms of both axes.
// Source    Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, 2015
//===----------------------------------------------------------------------===//

/// The outputs of some windows of three taps. Pixels and weights are transformed to terms, whose
/// products are added up to sums, and sums to outputs. Each function reads elements with its first
/// closure and passes results to the second.
protocol WinogradTransform {
  /// The distance between windows.
  static var stride: Int { get }
  /// The number of windows.
  static var outputs: Int { get }
  /// The number of terms, and of pixels.
  static var terms: Int { get }
  static var sums: Int { get }
  static func terms(of sum: Int) -> Range<Int>
  /// The factor of a bias that is added to sum 1.
  static var biasFactor: Int32 { get }
  /// The largest shift of `output`.
  static var shift: Int { get }

  static func transform(
    pixels: (Int) -> SIMD8<Int16>, into result: (Int, SIMD8<Int16>) -> Void)
  static func transform(
    weights: (Int) -> SIMD8<Int16>, into result: (Int, SIMD8<Int16>) -> Void)
  /// Computes multiples of the outputs.
  static func transform(
    sums: (Int) -> SIMD4<Int32>, into result: (Int, SIMD4<Int32>) -> Void)
  /// The output in a row and a column of a tile, from its multiple along both axes.
  static func output(_ multiple: SIMD4<Int32>, _ row: Int, _ column: Int) -> SIMD4<Int32>
}

/// F(4, 3), with 6 products instead of 12. The multiples of the outputs are 24, 12, 6 and 6.
enum AdjacentWindows: WinogradTransform {
  static var stride: Int { 1 }
  static var outputs: Int { 4 }
  static var terms: Int { 6 }
  static var sums: Int { 6 }
  static var biasFactor: Int32 { -6 }
  static var shift: Int { 6 }

  @inline(__always)
  static func terms(of sum: Int) -> Range<Int> { sum..<sum &+ 1 }

  @inline(__always)
  static func transform(
    pixels: (Int) -> SIMD8<Int16>, into result: (Int, SIMD8<Int16>) -> Void
  ) {
    let (a, b, c) = (pixels(0), pixels(1), pixels(2))
    let (d, e, f) = (pixels(3), pixels(4), pixels(5))
    let one = SIMD8<Int16>(repeating: 1)
    let two = SIMD8<Int16>(repeating: 2)
    let (even, odd) = (e &- c &<< two, d &- b &<< two)
    let (difference, slope) = (e &- c, (d &- b) &<< one)
    result(0, (a &- c) &<< two &+ difference)
    result(1, even &+ odd)
    result(2, even &- odd)
    result(3, difference &+ slope)
    result(4, difference &- slope)
    result(5, f &- d &- slope &<< one)
  }

  @inline(__always)
  static func transform(
    weights: (Int) -> SIMD8<Int16>, into result: (Int, SIMD8<Int16>) -> Void
  ) {
    let (a, b, c) = (weights(0), weights(1), weights(2))
    let (twice, even) = (b &+ b, a &+ 4 &* c)
    result(0, 6 &* a)
    result(1, a &+ c &+ b)
    result(2, a &+ c &- b)
    result(3, even &+ twice)
    result(4, even &- twice)
    result(5, 6 &* c)
  }

  @inline(__always)
  static func transform(
    sums: (Int) -> SIMD4<Int32>, into result: (Int, SIMD4<Int32>) -> Void
  ) {
    let (a, b, c, d) = (sums(1), sums(2), sums(3), sums(4))
    let one = SIMD4<Int32>(repeating: 1)
    let two = SIMD4<Int32>(repeating: 2)
    let (p, q, r, s) = (a &+ b, a &- b, c &+ d, c &- d)
    let (first, last) = (sums(0), sums(5))
    result(0, first &+ r &- p &<< two)
    result(1, s &- q &<< one)
    result(2, r &- p)
    result(3, s &<< one &- q &+ last)
  }

  /// Divides by 9 by multiplying by its inverse modulo 2³².
  @inline(__always)
  static func output(_ multiple: SIMD4<Int32>, _ row: Int, _ column: Int) -> SIMD4<Int32> {
    let shift = max(3 &- row, 1) &+ max(3 &- column, 1)
    return (multiple &* SIMD4(repeating: 0x38e3_8e39))
      &>> SIMD4(repeating: Int32(truncatingIfNeeded: shift))
  }
}

/// Two windows with a stride of 2, with 5 products instead of 6: F(2, 2) of the even pixels; the odd
/// ones are not transformed.
enum AlternateWindows: WinogradTransform {
  static var stride: Int { 2 }
  static var outputs: Int { 2 }
  static var terms: Int { 5 }
  static var sums: Int { 3 }
  static var biasFactor: Int32 { 1 }
  static var shift: Int { 0 }

  @inline(__always)
  static func terms(of sum: Int) -> Range<Int> {
    switch sum {
    case 0: 0..<2
    case 1: 2..<3
    default: 3..<5
    }
  }

  @inline(__always)
  static func transform(
    pixels: (Int) -> SIMD8<Int16>, into result: (Int, SIMD8<Int16>) -> Void
  ) {
    let center = pixels(2)
    result(0, pixels(0) &- center)
    result(1, pixels(1))
    result(2, center)
    result(3, pixels(3))
    result(4, pixels(4) &- center)
  }

  @inline(__always)
  static func transform(
    weights: (Int) -> SIMD8<Int16>, into result: (Int, SIMD8<Int16>) -> Void
  ) {
    let (a, b, c) = (weights(0), weights(1), weights(2))
    result(0, a)
    result(1, b)
    result(2, a &+ c)
    result(3, b)
    result(4, c)
  }

  @inline(__always)
  static func transform(
    sums: (Int) -> SIMD4<Int32>, into result: (Int, SIMD4<Int32>) -> Void
  ) {
    let center = sums(1)
    result(0, sums(0) &+ center)
    result(1, center &+ sums(2))
  }

  @inline(__always)
  static func output(_ multiple: SIMD4<Int32>, _ row: Int, _ column: Int) -> SIMD4<Int32> {
    multiple
  }
}
