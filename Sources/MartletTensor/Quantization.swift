//===--- Quantization.swift - quantization parameters ---------------------===//
//
// real = scale * (q - zeroPoint), with one pair for the tensor or one for each slice along an axis.
//
// Checked   Tests/MartletTensorTests/QuantizationTests.swift
//===----------------------------------------------------------------------===//

/// The affine map from a tensor's integers to real numbers: `real = scale * (q - zeroPoint)`.
///
/// Source: LiteRT 8-bit quantization specification.
public struct Quantization: Sendable, Hashable {
  /// One scale for the whole tensor, or one for each slice along `axis`; never empty.
  public let scales: [Float]
  /// The zero points, or one where all are the same: in most files all of a tensor's slices have 0.
  private let points: [Int]
  /// The axis along which the slices lie; meaningless where there is one scale.
  public let axis: Int

  /// A map with one scale and zero point for each slice along `axis`.
  ///
  /// - Precondition: `scales` is not empty and has as many elements as `zeroPoints`.
  public init(scales: [Float], zeroPoints: [Int], axis: Int) {
    precondition(!scales.isEmpty && scales.count == zeroPoints.count)
    self.scales = scales
    points = zeroPoints.allSatisfy { $0 == zeroPoints[0] } ? [zeroPoints[0]] : zeroPoints
    self.axis = axis
  }

  /// A map with one scale and zero point for the whole tensor.
  public init(scale: Float, zeroPoint: Int) {
    self.init(scales: [scale], zeroPoints: [zeroPoint], axis: 0)
  }

  /// As many zero points as scales.
  public var zeroPoints: [Int] {
    points.count == scales.count ? points : [Int](repeating: points[0], count: scales.count)
  }

  /// The first scale: that of the whole tensor where `isPerTensor`.
  public var scale: Float { scales[0] }
  /// The first zero point: that of the whole tensor where `isPerTensor`.
  public var zeroPoint: Int { points[0] }
  /// Whether one scale and zero point hold for the whole tensor.
  public var isPerTensor: Bool { scales.count == 1 }
}
