//===--- FastConvolution.swift - fast kernels of convolutions -------------===//
//
// The kernels of float convolutions whose filters see all channels. Depthwise convolutions with few
// channels and fully connected layers use them too.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels

extension Preparation {
  /// Returns the fast kernel of a float convolution with these filters.
  mutating func fast(
    _ convolution: Convolution, _ o: FloatOperands, filter: UnsafeBufferPointer<Float>,
    bias: UnsafeBufferPointer<Float>, clampedTo range: ClosedRange<Float>
  ) throws(InferenceError) -> Evaluate {
    let kernel = Float32Convolution(
      convolution, filter: filter, bias: bias, clampedTo: range, workers: workerCount)
    let scratch = try scratch(kernel.scratchCount, as: Float.self)
    return { e in kernel(e[o.x], scratch: e[scratch], into: e[o.y], workers: e.workers) }
  }

  /// Returns the fast kernel of a convolution of floats with byte filters.
  mutating func fast(
    _ convolution: Convolution, _ o: HybridOperands, images: Int, _ a: HybridArithmetic,
    filter: ByteWeights, bias: UnsafeBufferPointer<Float>
  ) throws(InferenceError) -> Evaluate {
    let kernel = HybridConvolution(
      convolution, images: images, isAsymmetric: a.isAsymmetric, filter: filter,
      factors: a.factors, factorsFirst: a.factorsFirst, bias: bias, clampedTo: a.range,
      workers: workerCount)
    return try evaluate(kernel, from: o.x, to: o.y)
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
