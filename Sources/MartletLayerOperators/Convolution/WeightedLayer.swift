//===--- WeightedLayer.swift - operands of a layer with weights -----------===//
//
// Convolutions of all kinds and fully connected layers have the same four tensors: an image, its
// weights (input 1), a bias that may be absent, and the result (output 0).
//
// Contract  The tensors are checked in that order, and resized to `result`, before anything else.
// Checked   Tests/MartletInferenceTests/OperatorRefusalTests.swift, operator cases
//===----------------------------------------------------------------------===//

import MartletGraph
import MartletKernels
import MartletModel
import MartletReference
import MartletTensor

/// Where the tensors of a layer with weights are, and what it makes of them.
struct WeightedLayer {
  let result: Shape
  /// The number of output channels, and the axis of the weights along which they lie.
  let channels: Int
  var axis = 0
  let activation: Activation
  /// The inputs that are image and bias.
  var image = 0
  var bias = 2
}

/// The tensors of a layer with weights, with elements of these types.
struct LayerOperands<Image: Element, Weight: Element, Bias: Element> {
  let x: Operand<Image>
  let w: Operand<Weight>
  let bias: Operand<Bias>?
  let y: Operand<Image>

  init(_ node: WeightedLayer, _ p: inout Preparation) throws(InferenceError) {
    x = try p.input(node.image, as: Image.self)
    w = try p.input(1, as: Weight.self)
    bias = try p.optionalInput(node.bias, as: Bias.self)
    y = try p.output(0, as: Image.self, shape: node.result)
  }
}

typealias FloatOperands = LayerOperands<Float, Float, Float>
typealias HybridOperands = LayerOperands<Float, Int8, Float>
typealias ByteOperands<Scalar: Element> = LayerOperands<Scalar, Scalar, Int32>
typealias ShortOperands<Bias: Element> = LayerOperands<Int16, Int8, Bias>

extension Preparation {
  /// How the node's sums become output 0, of type `Scalar`.
  func requantizer<Scalar: Element & FixedWidthInteger>(
    _ node: WeightedLayer, as type: Scalar.Type
  ) throws(InferenceError) -> Requantizer {
    try requantizer(
      image: node.image, channels: node.channels, axis: node.axis, activation: node.activation,
      as: type)
  }

  /// Throws unless image, weights and result have no zero points, as 16-bit operators ask.
  func expectSymmetric(_ node: WeightedLayer) throws(InferenceError) {
    try expectSymmetric(inputs: [node.image, 1].sorted(), outputs: [0])
  }

  /// The negated zero point of the image.
  func imageOffset(_ node: WeightedLayer) throws(InferenceError) -> Int32 {
    -Int32(try perTensorQuantization(input: node.image).zeroPoint)
  }
}

extension Preparation {
  /// The fast kernel of a convolution whose filters see all channels, or `nil` where the weights are
  /// not constant or the reference is asked for.
  mutating func fastConvolution(
    _ convolution: Convolution, _ o: FloatOperands, clampedTo range: ClosedRange<Float>
  ) throws(InferenceError) -> Evaluate? {
    guard let (weights, biases) = try constantWeights(as: Float.self, bias: Float.self) else {
      return nil
    }
    return try fast(convolution, o, filter: weights, bias: biases, clampedTo: range)
  }

  /// The fast kernel of a convolution with these filters.
  mutating func fast(
    _ convolution: Convolution, _ o: FloatOperands, filter: UnsafeBufferPointer<Float>,
    bias: UnsafeBufferPointer<Float>, clampedTo range: ClosedRange<Float>
  ) throws(InferenceError) -> Evaluate {
    let kernel = Float32Convolution(
      convolution, filter: filter, bias: bias, clampedTo: range, workers: workerCount)
    let scratch = try scratch(kernel.scratchCount, as: Float.self)
    return { e in kernel(e[o.x], scratch: e[scratch], into: e[o.y], workers: e.workers) }
  }
}

extension Preparation {
  /// The fast kernel of a convolution of floats by bytes, or `nil` where the weights are not constant
  /// or the reference is asked for. Each of `images` parts of the input has a scale of its own.
  mutating func fastHybrid(
    _ convolution: Convolution, _ o: HybridOperands, images: Int, isAsymmetric: Bool,
    factors: [Float], factorsFirst: Bool, clampedTo range: ClosedRange<Float>
  ) throws(InferenceError) -> Evaluate? {
    guard let (weights, biases) = try constantWeights(as: Int8.self, bias: Float.self) else {
      return nil
    }
    return try fast(
      convolution, o, images: images, isAsymmetric: isAsymmetric,
      filter: weights.widened(offset: 0), factors: factors, factorsFirst: factorsFirst,
      bias: biases, clampedTo: range)
  }

  /// The fast kernel of a convolution of floats by these bytes.
  mutating func fast(
    _ convolution: Convolution, _ o: HybridOperands, images: Int, isAsymmetric: Bool,
    filter: [Int16], factors: [Float], factorsFirst: Bool, bias: UnsafeBufferPointer<Float>,
    clampedTo range: ClosedRange<Float>
  ) throws(InferenceError) -> Evaluate {
    let kernel = HybridConvolution(
      convolution, images: images, isAsymmetric: isAsymmetric, filter: filter, factors: factors,
      factorsFirst: factorsFirst, bias: bias, clampedTo: range, workers: workerCount)
    let bytes = try scratch(kernel.byteCount, as: UInt8.self)
    let scales = try scratch(kernel.imageCount, as: Float.self)
    let zeros = try scratch(kernel.imageCount, as: Int32.self)
    let scratch = try scratch(kernel.scratchCount, as: Int32.self)
    return { e in
      kernel(
        e[o.x], bytes: e[bytes], scales: e[scales], zeros: e[zeros], scratch: e[scratch],
        into: e[o.y], workers: e.workers)
    }
  }
}

extension Preparation {
  /// The fast kernel of a convolution of bytes with filters whose zero points are taken off.
  mutating func fast<Scalar: Element & FixedWidthInteger>(
    _ convolution: Convolution, _ o: ByteOperands<Scalar>, zeroPoint: Int32, filter: [Int16],
    bias: UnsafeBufferPointer<Int32>, requantizer: Requantizer
  ) throws(InferenceError) -> Evaluate {
    let kernel = QuantizedConvolution(
      convolution, zero: ByteZero(isSigned: Scalar.isSigned, zeroPoint: zeroPoint),
      filter: filter, bias: bias, requantizer: requantizer, workers: workerCount)
    let scratch = try scratch(kernel.scratchCount, as: Int32.self)
    return { e in
      kernel(
        UnsafeMutableRawBufferPointer(e[o.x]), scratch: e[scratch],
        into: UnsafeMutableRawBufferPointer(e[o.y]), workers: e.workers)
    }
  }
}

extension SlidingWindow {
  /// The extents of what the window makes of its image, `depth` channels deep.
  func outputExtents(depth: Int) -> [Int] { [batches, rows.output, columns.output, depth] }
}
