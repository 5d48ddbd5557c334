//===--- Quantization.swift - quantization parameters ---------------------===//
//
// real = scale * (q - zeroPoint), with one pair per tensor or one per slice along an axis.
//===----------------------------------------------------------------------===//

/// The affine map from a tensor's integers to real numbers: `real = scale * (q - zeroPoint)`.
///
/// ```swift
/// let map = Quantization(scale: 1 / 256, zeroPoint: 0)
/// let real = map.scale * Float(128 - map.zeroPoint)  // 0.5
/// ```
///
/// Source: LiteRT 8-bit quantization specification.
public struct Quantization: Sendable, Hashable {
  /// One scale for the whole tensor, or one per slice along `axis`; never empty.
  public let scales: [Float]
  /// The zero points, or only one if all are equal, as in most files.
  private let points: [Int]
  /// The axis of the slices; unused if there is one scale.
  public let axis: Int

  /// Creates a map with one scale and zero point per slice along `axis`.
  ///
  /// - Precondition: `scales` is not empty and has as many elements as `zeroPoints`.
  public init(scales: [Float], zeroPoints: [Int], axis: Int) {
    precondition(!scales.isEmpty && scales.count == zeroPoints.count)
    self.scales = scales
    points = zeroPoints.allSatisfy { $0 == zeroPoints[0] } ? [zeroPoints[0]] : zeroPoints
    self.axis = axis
  }

  /// Creates a map with one scale and zero point for the whole tensor.
  public init(scale: Float, zeroPoint: Int) {
    self.init(scales: [scale], zeroPoints: [zeroPoint], axis: 0)
  }

  /// The zero points, as many as `scales`.
  public var zeroPoints: [Int] {
    points.count == scales.count ? points : [Int](repeating: points[0], count: scales.count)
  }

  /// The first scale; that of the whole tensor if `isPerTensor`.
  public var scale: Float { scales[0] }
  /// The first zero point; that of the whole tensor if `isPerTensor`.
  public var zeroPoint: Int { points[0] }
  /// Whether one scale and zero point apply to the whole tensor.
  public var isPerTensor: Bool { scales.count == 1 }
}

extension Quantization {
  /// Quantizes a range of real numbers to integers of type `Scalar`, as LiteRT does for fused
  /// activations: bounds are rounded to nearest, ties away from zero, in single precision. An infinite
  /// bound, or one at the largest finite float, means no bound.
  package func integers<Scalar: FixedWidthInteger>(
    in range: ClosedRange<Float>, as: Scalar.Type
  ) -> ClosedRange<Int32> {
    let lowest = Int64(Scalar.min)
    let highest = Int64(Scalar.max)
    // The file is untrusted: such a zero point or a negative scale must only be safe.
    let zero = min(max(Int64(zeroPoint), -1 << 40), 1 << 40)
    func quantized(_ real: Float) -> Int64 {
      guard real.magnitude < Float.greatestFiniteMagnitude else {
        return real < 0 ? lowest : highest
      }
      let steps = VectorMath.round(real / scale)
      // Beyond the range of any integer type only the sign matters.
      guard steps.magnitude < 0x1p40 else { return steps < 0 ? lowest : highest }
      return min(max(zero + Int64(steps), lowest), highest)
    }
    let bound = quantized(range.lowerBound)
    return Int32(bound)...Int32(max(bound, quantized(range.upperBound)))
  }
}
