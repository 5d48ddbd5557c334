//===--- Preparation+ConstantWeights.swift - weights that may be packed ---===//
//
// Fast kernels pack weights, once, while a node is prepared: that takes weights that the
// file holds. Others run on the reference kernels.
//
// Contract  Packed weights stay in proportion to the file, though many nodes may share its weights:
//           when they have taken their share, nodes run on the reference kernels.
// Checked   Tests/MartletKernelsTests, `martlet conformance`
//===----------------------------------------------------------------------===//

import MartletKernels
import MartletModel
import MartletTensor

extension Preparation {
  /// The weights (input 1) and the bias (input 2 if no other is named, none if it is absent) if
  /// fast kernels are enabled and the file holds both. `channelAxis` is that of the weights'
  /// output channels.
  package mutating func constantWeights<Weight: Element, Bias: Element>(
    as: Weight.Type, bias: Bias.Type, at index: Int = 2, channelAxis: Int = 0
  ) throws(InferenceError) -> (UnsafeBufferPointer<Weight>, bias: UnsafeBufferPointer<Bias>)? {
    guard kernels == .fast, let weights = try constant(1, as: Weight.self) else { return nil }
    let none = UnsafeBufferPointer<Bias>(start: nil, count: 0)
    guard let bias = hasInput(index) ? try constant(index, as: Bias.self) : none,
      takePacked(
        packedByteCount(
          of: try input(1).shape, channelAxis: channelAxis, elementSize: MemoryLayout<Weight>.stride
        ))
    else { return nil }
    return (weights, bias)
  }

  /// The bytes that weights take when they are packed: bytes become words of 16 bits, floats stay as
  /// wide as they are, channels are filled up to whole vectors, and each has some fields beside.
  private func packedByteCount(
    of weights: Shape, channelAxis: Int, elementSize: Int
  ) -> Int {
    let channels = channelAxis < weights.rank ? weights[channelAxis] : 1
    let depth = weights.elementCount / max(channels, 1) + 6
    return (channels + 16) * depth * max(elementSize, 2)
  }
}

extension UnsafeBufferPointer where Element: FixedWidthInteger {
  /// Byte weights less their zero point, whose sign is turned in `offset`.
  package func widened(offset: Int32) -> [Int16] {
    map { Int16(truncatingIfNeeded: Int32(truncatingIfNeeded: $0) &+ offset) }
  }
}
