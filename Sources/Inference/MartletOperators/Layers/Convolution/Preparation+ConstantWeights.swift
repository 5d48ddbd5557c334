//===--- Preparation+ConstantWeights.swift - constant weights of layers ---===//
//
// Fast kernels pack weights once, while a node is prepared. Only constant weights can be packed;
// other nodes run on the reference kernels.
//
// Contract  The size of packed weights is limited in proportion to the file's size, since many
//           nodes may share weights. Beyond the limit, nodes run on the reference kernels.
// Checked   Tests/MartletKernelsTests, `martlet conformance`
//===----------------------------------------------------------------------===//

import MartletKernels
import MartletModel
import MartletTensor

extension Preparation {
  /// The weights (input 1) and the bias (input 2 unless another is named, none if absent), if fast
  /// kernels are enabled and both are constants of the file; otherwise `nil`. `channelAxis` is the
  /// weights' axis of output channels.
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

  /// The bytes of the packed weights: 16-bit words for bytes, floats unchanged, channels padded to
  /// whole vectors, and some fields for each channel.
  private func packedByteCount(
    of weights: Shape, channelAxis: Int, elementSize: Int
  ) -> Int {
    let channels = channelAxis < weights.rank ? weights[channelAxis] : 1
    let depth = weights.elementCount / max(channels, 1) + 6
    return (channels + 16) * depth * max(elementSize, 2)
  }
}

extension UnsafeBufferPointer where Element: FixedWidthInteger {
  /// Byte weights minus their zero point; `offset` is the negated zero point.
  package func widened(offset: Int32) -> [Int16] {
    map { Int16(truncatingIfNeeded: Int32(truncatingIfNeeded: $0) &+ offset) }
  }
}
