//===--- CompiledTensor.swift - inputs and outputs of compiled models -----===//
//
// Checked   Tests/MartletCompilerTests/CompiledModelTests.swift
//===----------------------------------------------------------------------===//

/// The quantization of an input or output: real = scale · (value - zero point).
public struct CompiledTensor: Sendable {
  /// The number of elements.
  public let count: Int
  /// The real number of one step.
  public let scale: Float
  /// The element of the real number zero.
  public let zeroPoint: Int

  /// A map of `count` elements.
  public init(count: Int, scale: Float, zeroPoint: Int) {
    self.count = count
    self.scale = scale
    self.zeroPoint = zeroPoint
  }

  /// The real number that an element represents.
  public func real(_ value: some BinaryInteger) -> Float {
    scale * Float(Int(truncatingIfNeeded: value) &- zeroPoint)
  }
}
