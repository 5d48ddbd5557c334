//===--- CompiledTensor.swift - inputs and outputs of compiled models -----===//

/// The shape and quantization of an input or output: real = scale · (element - zero point).
@available(macOS 26, iOS 26, *)
public struct CompiledTensor<let rank: Int>: Sendable {
  /// The extent of each axis.
  public let shape: InlineArray<rank, Int>
  /// The number of elements.
  public let count: Int
  /// The real number of one step; 1 if the tensor is not quantized.
  public let scale: Float
  /// The element of the real number zero; 0 if the tensor is not quantized.
  public let zeroPoint: Int

  /// A tensor whose extents have the product `count`.
  public init(shape: InlineArray<rank, Int>, count: Int, scale: Float, zeroPoint: Int) {
    self.shape = shape
    self.count = count
    self.scale = scale
    self.zeroPoint = zeroPoint
  }

  /// The real number that an element represents.
  public func real(_ element: some BinaryInteger) -> Float {
    scale * Float(Int(truncatingIfNeeded: element) &- zeroPoint)
  }

  /// The element that represents a real number, to nearest with ties away from zero. Numbers out of
  /// range give the least or greatest element, and a number that is none gives the zero point.
  public func element<Element: FixedWidthInteger>(
    _ real: Float, as type: Element.Type = Element.self
  ) -> Element {
    let steps = real / scale
    guard steps == steps else { return Element(clamping: zeroPoint) }
    // Elements have at most 32 bits. `rounded` would call the C library.
    let rounded = Int64(Double(min(steps.magnitude, 0x1p40)) + 0.5)
    return Element(clamping: (steps < 0 ? 0 - rounded : rounded) + Int64(zeroPoint))
  }
}
