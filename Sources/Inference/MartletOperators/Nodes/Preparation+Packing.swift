//===--- Preparation+Packing.swift - packed and constant weights ----------===//
//
// Fast kernels pack weights once, while a node is prepared. Only constant weights can be packed;
// other nodes run on the reference kernels.
//
// Contract  The memory of packed weights and precomputed tables is proportional to the file's size,
//           even if many nodes share the same weights. Nodes whose packed weights would exceed the
//           limit run on the reference kernels.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletModel

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

  /// The bytes of the packed weights, with channels padded to whole vectors and some fields for each
  /// channel. Bytes become 16-bit words unless the processor multiplies bytes.
  private func packedByteCount(
    of weights: Shape, channelAxis: Int, elementSize: Int
  ) -> Int {
    let channels = channelAxis < weights.rank ? weights[channelAxis] : 1
    let size = max(elementSize, Microkernels.current.bytes == nil ? 2 : 1)
    let depth = weights.elementCount / max(channels, 1) + 24 / size
    return (channels + 16) * depth * size
  }

  /// Reserves memory for packed weights; returns `false` if the limit would be exceeded.
  package func takePacked(_ bytes: Int) -> Bool {
    let limit = ModelLimits.packed(fileSize: file.count)
    guard bytes <= limit - budget.use.packed else { return false }
    budget.use.packed += bytes
    return true
  }

  /// Reserves memory for precomputed values, `bytes` for each of `count` channels; throws
  /// `tooLarge` if the limit would be exceeded.
  package func takePrepared(_ count: Int, of bytes: Int) throws(InferenceError) {
    let (product, overflow) = count.multipliedReportingOverflow(by: bytes)
    guard !overflow, takePacked(product) else {
      throw .tooLarge(
        node: node, bytes: saturatingSum(budget.use.packed, overflow ? Int.max : product),
        limit: ModelLimits.packed(fileSize: file.count))
    }
  }
}
