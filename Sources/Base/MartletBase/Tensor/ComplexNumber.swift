//===--- ComplexNumber.swift - complex numbers ----------------------------===//
//
// The element of complex64 tensors: two single-precision numbers, the real part first.
//===----------------------------------------------------------------------===//

/// A complex number of two single-precision parts.
@usableFromInline
package struct ComplexNumber: Element {
  @usableFromInline
  package let real: Float
  @usableFromInline
  package let imaginary: Float

  @inlinable
  package init(_ real: Float, _ imaginary: Float) {
    self.real = real
    self.imaginary = imaginary
  }

  @inlinable package static var elementType: ElementType { .complex64 }

  /// The product. Every multiplication and addition is rounded separately.
  @inlinable
  package static func * (a: ComplexNumber, b: ComplexNumber) -> ComplexNumber {
    ComplexNumber(
      a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
  }
}
