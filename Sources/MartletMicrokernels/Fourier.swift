//===--- Fourier.swift - arguments of Fourier transforms ------------------===//
//
// Complex signals, many at once: the real parts and the imaginary parts apart, and of each sample those of
// all signals side by side.
//
// Checked   Tests/MartletKernelsTests/Float32FourierTests.swift
//===----------------------------------------------------------------------===//

/// The discrete Fourier transform, in place, of samples in bit-reversed order.
@usableFromInline
package struct Float32Fourier {
  @usableFromInline package let real, imaginary: UnsafeMutablePointer<Float>
  /// The samples of a signal, a power of two from 4.
  @usableFromInline package let length: Int
  /// How many there are, a multiple of four.
  @usableFromInline package let signals: Int
  /// Of 2πk / length, for the first half of the circle.
  @usableFromInline package let cosines, sines: UnsafePointer<Float>
  /// Whether the exponent has the other sign.
  @usableFromInline package let isInverse: Bool

  @inlinable @inline(__always)
  package init(
    real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>, length: Int,
    signals: Int, cosines: UnsafePointer<Float>, sines: UnsafePointer<Float>, isInverse: Bool
  ) {
    self.real = real
    self.imaginary = imaginary
    self.length = length
    self.signals = signals
    self.cosines = cosines
    self.sines = sines
    self.isInverse = isInverse
  }
}
