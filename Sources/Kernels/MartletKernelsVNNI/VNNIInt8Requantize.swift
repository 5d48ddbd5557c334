//===--- VNNIInt8Requantize.swift - sums to bytes -------------------------===//
//
// y[j] = clamp(zeroPoint + factor[j] · sum[j])
//
// A factor of 2^-r · mantissa / 2^31 rounds twice: x = ⌊(v·m + 2^30) / 2^31⌋, then x / 2^r to
// nearest, ties away from zero. Nested floors combine into one, so that
//
//   y = ((v·m + 2^30 + 2^(30 + r) - (v < 0 ? 2^31 : 0)) >> (31 + r)) + zeroPoint
//
// in 64 bits, for r >= 1: the upper half of the sum, shifted by r - 1. If x is zero but v is not,
// either sign gives zero. The sign only decides ties of negative sums, so it is omitted if the range
// excludes values below the zero point. For r <= 0, v is shifted left by 1 - r, and y is the upper
// half of v·m + 2^31.
//
// Contract  Bit-exact with `Requantizer` for right shifts of -7...31, if no left shift overflows.
//===----------------------------------------------------------------------===//

import MartletMicrokernels
import _Builtin_intrinsics.intel

/// The factors of the columns of a vector, in a header.
struct ByteFactor {
  private let lanes: UnsafePointer<Int32>

  /// `lanes` are the biases of the columns.
  @inline(__always)
  init(_ lanes: UnsafePointer<Int32>) { self.lanes = lanes }

  /// Scales sums.
  @inline(__always)
  func scaled(_ sum: Sums, _ scaling: ScalingVariant) -> Sums {
    let v = scaling == .any ? shiftedLeft(bits(sum), field(80)) : bits(sum)
    let (even, odd) = (product(v, 0), product(oddLanes(v), 1))
    if scaling == .rectified { return shifted(even, odd) }
    let signed = scaling == .any ? v & isShiftedRight : v
    return shifted(even &- sign(signed), odd &- sign(oddLanes(signed)))
  }

  /// The products of even lanes, or of odd ones in their place, with the offset of both roundings.
  @inline(__always)
  private func product(_ v: Bits, _ first: Int) -> Bits {
    evenProducts(v, field(16 &+ first)) &+ field(32 &+ 16 &* first)
  }

  /// All bits of lanes without a left shift.
  private var isShiftedRight: Bits {
    @inline(__always) get {
      bits((sums(field(80)) &- Sums(repeating: 1)) &>> Sums(repeating: 31))
    }
  }

  /// 2^31 for negative even lanes.
  @inline(__always)
  private func sign(_ v: Bits) -> Bits { v & Bits(repeating: 1 << 31) }

  /// The upper halves, shifted.
  @inline(__always)
  private func shifted(_ even: Bits, _ odd: Bits) -> Sums {
    sums(shiftedRight(alternated(oddLanes(even), odd), field(64)))
  }

  @inline(__always)
  private func field(_ offset: Int) -> Bits {
    UnsafeRawPointer(lanes + offset).loadUnaligned(as: Bits.self)
  }
}

/// How much of the scaling a layer needs.
enum ScalingVariant {
  /// All shift right, and results below the zero point are clamped.
  case rectified
  /// All shift right.
  case right
  case any

  @inline(__always)
  init(_ output: ByteOutput) {
    self = output.largestExponent >= 0 ? .any : output.isRectified ? .rectified : .right
  }
}

/// The last steps for scaled sums: the zero point, the range of a fused activation, and the top bit
/// of signed bytes.
struct BytePacking {
  private let zero: Bits
  private let low: Bits
  private let high: Bits
  private let flip: Bits

  @inline(__always)
  init(_ output: ByteOutput) {
    let zeroPoint = Int32(output.zeroPoint)
    zero = bits(Sums(repeating: zeroPoint & 0xffff | zeroPoint &<< 16))
    low = repeated(output.low)
    high = repeated(output.high)
    flip = repeated(output.flip)
  }

  /// Converts four vectors to bytes. Each 128 bits of the result have those of the first vector,
  /// then of the second, third and fourth.
  @inline(__always)
  func pack(_ a: Sums, _ b: Sums, _ c: Sums, _ d: Sums) -> Bits {
    bytes(shorts(a, b, plus: zero), shorts(c, d, plus: zero), from: low, to: high) ^ flip
  }
}
