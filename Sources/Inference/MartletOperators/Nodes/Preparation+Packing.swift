//===--- Preparation+Packing.swift - packed weights and their kernels -----===//
//
// Fast kernels pack weights once, while a node is prepared. Only constant weights can be packed;
// other nodes run on the reference kernels. A packed kernel is evaluated with its scratch memory.
//
// Contract  The memory of packed weights and precomputed tables is proportional to the file's size,
//           even if many nodes share the same weights. Nodes whose packed weights would exceed the
//           limit run on the reference kernels.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletModel

/// The weights and biases of a layer in the file's memory; an absent bias is empty.
struct ConstantWeights<Weight: Element, Bias: Element> {
  let weights: UnsafeBufferPointer<Weight>
  let biases: UnsafeBufferPointer<Bias>
}

extension Preparation {
  /// The weights and biases of a layer, if both are constants of the file and the limit allows
  /// packing them.
  mutating func constantWeights<Weight: Element, Bias: Element>(
    of layer: WeightedLayer, as: Weight.Type, bias: Bias.Type
  ) throws(InferenceError) -> ConstantWeights<Weight, Bias>? {
    guard let weights = try constant(layer.weights, as: Weight.self) else { return nil }
    let none = UnsafeBufferPointer<Bias>(start: nil, count: 0)
    guard let biases = hasInput(layer.bias) ? try constant(layer.bias, as: Bias.self) : none,
      takePacked(
        packedByteCount(
          of: try input(layer.weights).shape, channelAxis: layer.axis,
          elementSize: MemoryLayout<Weight>.stride))
    else { return nil }
    return ConstantWeights(weights: weights, biases: biases)
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

// MARK: - Evaluation

extension Preparation {
  /// Runs a kernel of floats.
  mutating func evaluate(
    _ kernel: Float32Convolution, from x: Operand<Float>, to y: Operand<Float>
  ) throws(InferenceError) -> Evaluate {
    let scratch = try scratch(kernel.scratchCount, as: Float.self)
    return { e in kernel(e[x], scratch: e[scratch], into: e[y], workers: e.workers) }
  }

  /// Runs a kernel of bytes.
  mutating func evaluate<Scalar: Element>(
    _ kernel: QuantizedConvolution, from x: Operand<Scalar>, to y: Operand<Scalar>
  ) throws(InferenceError) -> Evaluate {
    let scratch = try scratch(kernel.scratchCount, as: Int32.self)
    return { e in
      kernel(
        UnsafeMutableRawBufferPointer(e[x]), scratch: e[scratch],
        into: UnsafeMutableRawBufferPointer(e[y]), workers: e.workers)
    }
  }

  /// Runs a kernel of floats with byte filters.
  mutating func evaluate(
    _ kernel: HybridConvolution, from x: Operand<Float>, to y: Operand<Float>
  ) throws(InferenceError) -> Evaluate {
    let bytes = try scratch(kernel.byteCount, as: UInt8.self)
    let scales = try scratch(kernel.imageCount, as: Float.self)
    let zeros = try scratch(kernel.imageCount, as: Int32.self)
    let scratch = try scratch(kernel.scratchCount, as: Int32.self)
    return { e in
      kernel(
        e[x], bytes: e[bytes], scales: e[scales], zeros: e[zeros], scratch: e[scratch],
        into: e[y], workers: e.workers)
    }
  }
}
