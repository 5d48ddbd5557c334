//===--- VP8Transform.swift - inverse transform of blocks -----------------===//
//
// RFC 6386, section 14.4, on vectors of 16-bit numbers. Products are
//
//   x sqrt(2) cos(pi / 8) = x + x 20091 / 65536       x sqrt(2) sin(pi / 8) = x 35468 / 65536
//
// and since the second factor has 16 bits without a sign, it is written x + x (35468 - 65536) /
// 65536.
//
// Contract  Exact for the coefficients of valid files; others wrap.
// Cost      About 40 operations a block.
//===----------------------------------------------------------------------===//

/// Adds the samples of transformed coefficients to a prediction.
enum VP8Transform {
  /// Adds the block with the 16 coefficients at `input` to the 4 x 4 samples at `target`.
  @inline(__always)
  static func add(
    _ input: UnsafePointer<Int16>, to target: UnsafeMutablePointer<UInt8>, stride: Int
  ) {
    let block = unsafe UnsafeRawPointer(input).loadUnaligned(as: SIMD16<Int16>.self)
    let columns = transformed(
      block.lowHalf.lowHalf, block.lowHalf.highHalf,
      block.highHalf.lowHalf, block.highHalf.highHalf, rounding: 0)
    let rows = transposed(columns)
    let result =
      transposed(
        transformed(
          rows.lowHalf.lowHalf, rows.lowHalf.highHalf, rows.highHalf.lowHalf,
          rows.highHalf.highHalf, rounding: 4)) &>> 3
    unsafe add(result, to: target, stride: stride)
  }

  /// Adds the block whose only coefficient is `first`.
  @inline(__always)
  static func add(first: Int16, to target: UnsafeMutablePointer<UInt8>, stride: Int) {
    unsafe add(SIMD16(repeating: (first &+ 4) &>> 3), to: target, stride: stride)
  }

  /// Adds four rows of four values.
  @inline(__always)
  private static func add(
    _ values: SIMD16<Int16>, to target: UnsafeMutablePointer<UInt8>, stride: Int
  ) {
    let prediction = unsafe VP8Block.load(target, stride: stride)
    unsafe VP8Block.store(
      (prediction.signed &+ values).limitedToBytes, to: target, stride: stride)
  }

  /// One pass over four vectors, element by element.
  @inline(__always)
  private static func transformed(
    _ i0: SIMD4<Int16>, _ i1: SIMD4<Int16>, _ i2: SIMD4<Int16>, _ i3: SIMD4<Int16>,
    rounding: Int16
  ) -> SIMD16<Int16> {
    let first = i0 &+ SIMD4(repeating: rounding)
    let (a, b) = (first &+ i2, first &- i2)
    let c = sine(i1) &- cosine(i3)
    let d = cosine(i1) &+ sine(i3)
    return SIMD16(
      lowHalf: SIMD8(lowHalf: a &+ d, highHalf: b &+ c),
      highHalf: SIMD8(lowHalf: b &- c, highHalf: a &- d))
  }

  @inline(__always) private static func transposed(_ rows: SIMD16<Int16>) -> SIMD16<Int16> {
    let (even, odd) = (rows.evenHalf, rows.oddHalf)
    return SIMD16(
      lowHalf: SIMD8(lowHalf: even.evenHalf, highHalf: odd.evenHalf),
      highHalf: SIMD8(lowHalf: even.oddHalf, highHalf: odd.oddHalf))
  }

  @inline(__always) private static func cosine(_ x: SIMD4<Int16>) -> SIMD4<Int16> {
    x &+ highProduct(x, 20091)
  }

  @inline(__always) private static func sine(_ x: SIMD4<Int16>) -> SIMD4<Int16> {
    x &+ highProduct(x, 35468 - 65536)
  }

  /// The high 16 bits of products.
  @inline(__always)
  private static func highProduct(_ x: SIMD4<Int16>, _ factor: Int32) -> SIMD4<Int16> {
    let product = SIMD4<Int32>(truncatingIfNeeded: x) &* SIMD4(repeating: factor)
    return SIMD4(truncatingIfNeeded: product &>> 16)
  }
}
