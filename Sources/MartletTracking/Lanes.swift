//===--- Lanes.swift - what vectors of the standard library lack ----------===//
//
// The library's comparisons and choices are loops over lanes, which the compiler does not always join
// again. These are a few instructions.
//
// Contract  Lanes are chosen by their sign, which -0 has, and added in a fixed order.
// Checked   Tests/MartletTrackingTests/LanesTests.swift
//===----------------------------------------------------------------------===//

extension SIMD4<Float> {
  /// All bits of each lane with a minus, none of the others.
  typealias Signs = SIMD4<UInt32>

  @inline(__always)
  private var bits: SIMD4<UInt32> { unsafeBitCast(self, to: SIMD4<UInt32>.self) }

  @inline(__always)
  private init(bits: SIMD4<UInt32>) { self = unsafeBitCast(bits, to: SIMD4<Float>.self) }

  /// Which lanes have a minus.
  @inline(__always)
  var signs: Signs {
    unsafeBitCast(unsafeBitCast(self, to: SIMD4<Int32>.self) &>> 31, to: Signs.self)
  }

  /// The lanes without their signs.
  @inline(__always)
  var magnitudes: SIMD4<Float> { SIMD4(bits: bits & 0x7FFF_FFFF) }

  /// These lanes, but `other`'s where there is a sign.
  @inline(__always)
  func or(_ other: SIMD4<Float>, where signs: Signs) -> SIMD4<Float> {
    SIMD4(bits: bits ^ ((bits ^ other.bits) & signs))
  }
}

extension SIMD16<Float> {
  /// The sum of all lanes, by halves.
  @inline(__always)
  var total: Float {
    let eight = lowHalf + highHalf
    let four = eight.lowHalf + eight.highHalf
    let two = four.lowHalf + four.highHalf
    return two[0] + two[1]
  }
}
