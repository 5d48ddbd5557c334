//===--- PixelNormalization.swift - pixels to network input ---------------===//
//
//   float:  (x − mean) · (1 / deviation)      uint8: x      int8: x − 128
//
// Contract  x is 0...255; the memory order is rows, columns, channels (NHWC). The reciprocal is
//           computed once, in Float, as in TensorFlow Lite's task library.
// Cost      One pass, no allocation.
//===----------------------------------------------------------------------===//

import MartletBase

/// The mean and standard deviation that map pixels to the range of a float network's input.
public struct PixelNormalization: Equatable, Hashable, Sendable {
  /// The value subtracted from red, green and blue.
  public let mean: SIMD3<Float>
  /// The reciprocal of each channel's deviation.
  public let scale: SIMD3<Float>
  /// The deviation of each channel.
  public let deviation: SIMD3<Float>

  /// Creates a normalization from one value for all channels, or three for red, green and blue.
  ///
  /// - Throws: `ImageError.wrongNormalizationCount` unless both arrays have one or three values;
  ///   `.invalidDeviation` if a deviation or its reciprocal is not a finite number above zero.
  public init(mean: [Float], deviation: [Float]) throws(ImageError) {
    guard mean.count == deviation.count, mean.count == 1 || mean.count == 3 else {
      throw .wrongNormalizationCount(means: mean.count, deviations: deviation.count)
    }
    for (channel, value) in deviation.enumerated()
    where !(value > 0 && value.isFinite && (1 / value).isFinite) {
      throw .invalidDeviation(channel: channel, value: value)
    }
    let last = mean.count - 1
    self.mean = SIMD3(mean[0], mean[min(1, last)], mean[last])
    self.deviation = SIMD3(deviation[0], deviation[min(1, last)], deviation[last])
    self.scale = 1 / self.deviation
  }
}

extension RGBImage {
  /// Writes (x − mean) · (1 / deviation) of every value, in row order.
  ///
  /// - Throws: `ImageError.wrongDestinationCount` unless `destination` has width · height · 3
  ///   elements.
  public func normalize(
    _ normalization: PixelNormalization, into destination: UnsafeMutableBufferPointer<Float>
  ) throws(ImageError) {
    try check(destination.count)
    let mean = normalization.mean
    let scale = normalization.scale
    // Both have the same count, a multiple of three.
    unsafe pixels.withUnsafeBufferPointer { input in
      for start in stride(from: 0, to: input.count, by: 3) {
        unsafe destination[start] = (Float(input[start]) - mean.x) * scale.x
        unsafe destination[start + 1] = (Float(input[start + 1]) - mean.y) * scale.y
        unsafe destination[start + 2] = (Float(input[start + 2]) - mean.z) * scale.z
      }
    }
  }

  /// Copies every value unchanged, in row order.
  ///
  /// - Throws: `ImageError.wrongDestinationCount` unless `destination` has width · height · 3
  ///   elements.
  public func copy(into destination: UnsafeMutableBufferPointer<UInt8>) throws(ImageError) {
    try check(destination.count)
    _ = unsafe destination.update(from: pixels)
  }

  /// Writes every value minus 128, in row order.
  ///
  /// - Throws: `ImageError.wrongDestinationCount` unless `destination` has width · height · 3
  ///   elements.
  public func copySigned(
    into destination: UnsafeMutableBufferPointer<Int8>
  ) throws(ImageError) {
    try check(destination.count)
    let input = pixels.span
    for index in input.indices { unsafe destination[index] = Int8(bitPattern: input[index] ^ 0x80) }
  }

  private func check(_ count: Int) throws(ImageError) {
    guard count == pixels.count else {
      throw .wrongDestinationCount(count: count, expected: pixels.count)
    }
  }
}
