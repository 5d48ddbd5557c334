//===--- HalfPrecision.swift - 16-bit floats ------------------------------===//
//
// IEEE half precision and bfloat16 as element types. Both are stored as bits, because the standard
// library's `Float16` is not available on every platform. Arithmetic uses single precision.
//
// Contract  Conversion to single precision is exact. Conversion back rounds to nearest, ties to
//           even, overflows to infinity, and keeps NaN.
//===----------------------------------------------------------------------===//

/// A float element type that computes in `Float` and rounds the result once.
@usableFromInline
package protocol RealElement: Element {
  /// The nearest element to `value`.
  init(rounding value: Float)
  /// The element's exact value.
  var float: Float { get }
}

extension Float: RealElement {
  @inlinable package init(rounding value: Float) { self = value }
  @inlinable package var float: Float { self }
}

/// A half-precision number: 5 exponent bits, 10 fraction bits.
@usableFromInline
package struct Half: RealElement {
  @usableFromInline
  package let bitPattern: UInt16

  @inlinable package static var elementType: ElementType { .float16 }
  @inlinable package var float: Float { Float(halfBits: bitPattern) }

  @inlinable
  package init(rounding value: Float) {
    let sign = UInt16(truncatingIfNeeded: value.bitPattern >> 16) & 0x8000
    let magnitude = value.magnitude.bitPattern
    let bits: UInt32
    if magnitude > 0x7f80_0000 {
      bits = 0x7e00
    } else if magnitude >= 0x477f_f000 {
      // At or above the midpoint of 65504, the largest finite value, and the next step: infinity.
      bits = 0x7c00
    } else if magnitude < 0x3880_0000 {
      // Subnormal: adding 0.5 rounds to steps of 2⁻²⁴, which are the lowest bits of the sum.
      bits = (value.magnitude + 0.5).bitPattern - (0.5 as Float).bitPattern
    } else {
      let even = magnitude >> 13 & 1
      bits = (magnitude - 0x3800_0000 + 0xfff + even) >> 13
    }
    bitPattern = sign | UInt16(truncatingIfNeeded: bits)
  }
}

/// The upper half of a single-precision number: 8 exponent bits, 7 fraction bits.
@usableFromInline
package struct BrainFloat: RealElement {
  @usableFromInline
  package let bitPattern: UInt16

  @inlinable package static var elementType: ElementType { .bfloat16 }
  @inlinable package var float: Float { Float(bitPattern: UInt32(bitPattern) << 16) }

  @inlinable
  package init(rounding value: Float) {
    let bits = value.bitPattern
    if value == value {
      bitPattern = UInt16(truncatingIfNeeded: (bits &+ 0x7fff &+ bits >> 16 & 1) >> 16)
    } else {
      bitPattern = UInt16(truncatingIfNeeded: bits >> 16) | 0x40
    }
  }
}

extension RealElement where Self: Comparable {
  @inlinable package static func == (a: Self, b: Self) -> Bool { a.float == b.float }
  @inlinable package static func < (a: Self, b: Self) -> Bool { a.float < b.float }
}

extension Half: Comparable {}
extension BrainFloat: Comparable {}

extension Float {
  /// The value of a half-precision bit pattern.
  @inlinable
  package init(halfBits bits: UInt16) {
    let exponent = Int(bits >> 10 & 0x1f)
    let fraction = UInt32(bits & 0x3ff)
    let sign = UInt32(bits & 0x8000) << 16
    switch exponent {
    case 0:
      let magnitude = Float(fraction) * 0x1p-24
      self = sign == 0 ? magnitude : -magnitude
    case 0x1f: self.init(bitPattern: sign | 0x7f80_0000 | fraction << 13)
    default: self.init(bitPattern: sign | UInt32(exponent + 112) << 23 | fraction << 13)
    }
  }
}
