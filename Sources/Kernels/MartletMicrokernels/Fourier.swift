//===--- Fourier.swift - Fourier transforms -------------------------------===//
//
// Arguments of transforms of many complex signals. Real and imaginary parts are stored separately;
// the values of one sample of all signals are adjacent.
//===----------------------------------------------------------------------===//

/// The discrete Fourier transform, in place, of samples in bit-reversed order.
@usableFromInline
package struct Float32Fourier {
  @usableFromInline package let real, imaginary: UnsafeMutablePointer<Float>
  /// The number of samples of a signal, a power of two of at least 4.
  @usableFromInline package let length: Int
  /// The number of signals, a multiple of four.
  @usableFromInline package let signals: Int
  /// The cosines and sines of 2πk / length, for the first half of the circle.
  @usableFromInline package let cosines, sines: UnsafePointer<Float>
  /// Whether to use the inverse's sign of the exponent.
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
