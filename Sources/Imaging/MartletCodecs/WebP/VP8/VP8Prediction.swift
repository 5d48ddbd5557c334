//===--- VP8Prediction.swift - prediction of macroblocks ------------------===//
//
// Prediction of 16 x 16 luma samples or 8 x 8 chroma samples from the row above and the column to
// the left, which are in the same memory (RFC 6386, section 12.2).
//===----------------------------------------------------------------------===//

/// Predicts the samples of a square at `samples`, whose rows are `VP8Reconstructor.stride` apart.
@safe struct VP8Prediction {
  let samples: UnsafeMutablePointer<UInt8>
  /// The side of the square: 16 or 8.
  let side: Int
  /// Whether the square is not in the first row, or not in the first column, of the frame.
  let hasAbove, hasLeft: Bool

  private static let stride = VP8Reconstructor.stride

  /// Predicts all samples.
  @inline(__always) func predict(_ mode: UInt8) {
    switch mode {
    case VP8Mode.trueMotion: predictMotion()
    case VP8Mode.vertical:
      for y in 0..<side {
        unsafe row(y).update(from: samples - Self.stride, count: side)
      }
    case VP8Mode.horizontal:
      for y in 0..<side {
        unsafe row(y).update(repeating: row(y)[-1], count: side)
      }
    default:
      let mean = mean
      for y in 0..<side { unsafe row(y).update(repeating: mean, count: side) }
    }
  }

  @inline(__always) private func row(_ y: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe samples + y &* Self.stride
  }

  /// The rounded mean of the neighbors inside the frame; 128 if there are none.
  @inline(__always) private var mean: UInt8 {
    var (sum, count) = (0, 0)
    if hasAbove {
      for x in 0..<side { unsafe sum &+= Int(samples[x &- Self.stride]) }
      count &+= side
    }
    if hasLeft {
      for y in 0..<side { unsafe sum &+= Int(row(y)[-1]) }
      count &+= side
    }
    guard count > 0 else { return 128 }
    // The count is a power of two.
    return UInt8(truncatingIfNeeded: (sum &+ count &>> 1) &>> count.trailingZeroBitCount)
  }

  /// Adds the differences of the left column from the corner to the row above.
  @inline(__always) private func predictMotion() {
    let above = unsafe UnsafeRawPointer(samples - Self.stride)
    let corner = unsafe Int16(samples[-1 &- Self.stride])
    // The buffer holds 16 samples from any row of chroma.
    let top = unsafe above.loadUnaligned(as: SIMD16<UInt8>.self).signed
    for y in 0..<side {
      let difference = unsafe SIMD16(repeating: Int16(row(y)[-1]) &- corner)
      let samples = (top &+ difference).limitedToBytes
      let target = unsafe UnsafeMutableRawPointer(row(y))
      if side == 16 {
        unsafe target.storeBytes(of: samples, as: SIMD16<UInt8>.self)
      } else {
        unsafe target.storeBytes(of: samples.lowHalf, as: SIMD8<UInt8>.self)
      }
    }
  }
}
