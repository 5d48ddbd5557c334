//===--- WeightedLayer.swift - preparing a layer with weights -------------===//
//
// All convolutions and fully connected layers have the same four tensors: an image, its weights, an
// optional bias, and the result. They differ in which inputs are multiplied by which weights
// (`WeightedSums`), and in their fast kernels.
//
// Contract  The tensors are checked in that order, and resized to `result`, before anything else.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletModel
import MartletReference

/// The tensor indices and output channels of a layer with weights.
struct WeightedLayer {
  let result: Shape
  /// The number of output channels, and their axis in the weights.
  let channels: Int
  var axis = 0
  let activation: Activation
  /// The input indices of image, weights and bias.
  var image = 0
  let weights = 1
  var bias = 2
  /// Whether images that are quantized while the graph runs may have zero points.
  var hasAsymmetricImages = true
}

/// The tensors of a layer with weights, with elements of these types.
struct LayerOperands<Image: Element, Weight: Element, Bias: Element> {
  let x: Operand<Image>
  let w: Operand<Weight>
  let bias: Operand<Bias>?
  let y: Operand<Image>

  init(_ node: WeightedLayer, _ p: inout Preparation) throws(InferenceError) {
    x = try p.input(node.image, as: Image.self)
    w = try p.input(node.weights, as: Weight.self)
    bias = try p.optionalInput(node.bias, as: Bias.self)
    y = try p.output(0, as: Image.self, shape: node.result)
  }
}

typealias FloatOperands = LayerOperands<Float, Float, Float>
typealias HybridOperands = LayerOperands<Float, Int8, Float>
typealias ByteOperands<Scalar: Element> = LayerOperands<Scalar, Scalar, Int32>
typealias ShortOperands<Bias: Element> = LayerOperands<Int16, Int8, Bias>

/// The arithmetic of a byte layer. Offsets are negated zero points.
struct ByteArithmetic<Requantizing: SumRequantizer> {
  let requantizer: Requantizing
  let imageOffset: Int32
  let weightOffset: Int32

  /// The zero point of images of type `Scalar`.
  func zero<Scalar: FixedWidthInteger>(of: Scalar.Type) -> ByteZeroPoint {
    ByteZeroPoint(isSigned: Scalar.isSigned, zeroPoint: -imageOffset)
  }
}

/// The arithmetic of a float layer with byte weights.
struct HybridArithmetic {
  /// One scale of the weights for each output channel.
  let factors: [Float]
  let range: ClosedRange<Float>
  /// Whether images have zero points.
  let isAsymmetric: Bool
  /// Whether a sum is multiplied by its factor before the image's scale.
  let factorsFirst: Bool
  /// The number of elements that share a scale: an image, or another part of the input.
  let run: Int
}

/// A layer with weights, and how fast kernels compute it.
///
/// Layers that are convolutions of all channels run on the kernels of convolutions. Others may have
/// kernels of their own; `nil` means the reference kernel.
protocol LayerKernels: WeightedSums {
  associatedtype Requantizing: SumRequantizer & PackedRequantizer

  /// How sums become the output, of type `Scalar`.
  func requantizer<Scalar: Element & FixedWidthInteger>(
    _ node: WeightedLayer, _ p: Preparation, as: Scalar.Type
  ) throws(InferenceError) -> Requantizing

  /// Whether weights of type `Scalar` may have a zero point.
  func takesZeroPoints<Scalar: Element>(of: Scalar.Type) -> Bool

  /// The convolution of all channels with the same sums, if it is fast.
  var dense: Convolution? { get }

  /// Calls `body` with the layer's weights as filters of `dense`; `zero` is a weight of zero.
  func withFilters<Weight: Element, Kernel>(
    _ weights: UnsafeBufferPointer<Weight>, zero: Weight,
    _ body: (UnsafeBufferPointer<Weight>) -> Kernel
  ) -> Kernel

  /// The layer's own float kernel; `constants` is `nil` if the weights are computed.
  func floatKernel(
    _ o: FloatOperands, _ constants: ConstantWeights<Float, Float>?,
    clampedTo range: ClosedRange<Float>, _ p: inout Preparation
  ) throws(InferenceError) -> Evaluate?

  /// The layer's own kernel of bytes.
  func byteKernel<Scalar: Element & FixedWidthInteger>(
    _ constants: ConstantWeights<Scalar, Int32>, _ a: ByteArithmetic<Requantizing>, workers: Int
  ) -> QuantizedConvolution?
}

extension LayerKernels {
  func withFilters<Weight: Element, Kernel>(
    _ weights: UnsafeBufferPointer<Weight>, zero: Weight,
    _ body: (UnsafeBufferPointer<Weight>) -> Kernel
  ) -> Kernel { body(weights) }

  func floatKernel(
    _ o: FloatOperands, _ constants: ConstantWeights<Float, Float>?,
    clampedTo range: ClosedRange<Float>, _ p: inout Preparation
  ) throws(InferenceError) -> Evaluate? { nil }

  func byteKernel<Scalar: Element & FixedWidthInteger>(
    _ constants: ConstantWeights<Scalar, Int32>, _ a: ByteArithmetic<Requantizing>, workers: Int
  ) -> QuantizedConvolution? { nil }
}

extension LayerKernels where Requantizing == Requantizer {
  func requantizer<Scalar: Element & FixedWidthInteger>(
    _ node: WeightedLayer, _ p: Preparation, as type: Scalar.Type
  ) throws(InferenceError) -> Requantizer {
    try p.requantizer(
      image: node.image, channels: node.channels, axis: node.axis, activation: node.activation,
      as: type)
  }

  func takesZeroPoints<Scalar: Element>(of: Scalar.Type) -> Bool { Scalar.elementType == .uint8 }
}

/// A layer that also supports floats with byte weights.
protocol HybridLayerKernels: LayerKernels {
  /// The arithmetic of this layer on images `x`.
  func hybridArithmetic(
    _ node: WeightedLayer, x: Shape, factors: [Float], range: ClosedRange<Float>
  ) -> HybridArithmetic

  /// The layer's own kernel of floats with byte weights.
  func hybridKernel(
    _ o: HybridOperands, _ constants: ConstantWeights<Int8, Float>, _ a: HybridArithmetic,
    _ p: inout Preparation
  ) throws(InferenceError) -> Evaluate?
}

extension HybridLayerKernels {
  func hybridKernel(
    _ o: HybridOperands, _ constants: ConstantWeights<Int8, Float>, _ a: HybridArithmetic,
    _ p: inout Preparation
  ) throws(InferenceError) -> Evaluate? { nil }
}

// MARK: - Preparation by types

extension Preparation {
  /// Prepares a layer for the types of its image and weights.
  mutating func prepare<Layer: HybridLayerKernels>(
    _ layer: Layer, _ node: WeightedLayer
  ) throws(InferenceError) -> Evaluate {
    switch try input(node.image).type {
    case .float32 where isHybrid: try prepareHybrid(layer, node)
    case .float32: try prepareFloat(layer, node)
    case .uint8: try prepareByte(layer, node, as: UInt8.self)
    case .int8: try prepareByte(layer, node, as: Int8.self)
    case .int16: try prepareShort(layer, node)
    case let found:
      throw .unsupportedType(node: self.node, operand: .input(node.image), found: found)
    }
  }

  /// Prepares a float layer.
  mutating func prepareFloat<Layer: LayerKernels>(
    _ layer: Layer, _ node: WeightedLayer
  ) throws(InferenceError) -> Evaluate {
    let o = try FloatOperands(node, &self)
    let range = try floatRange(of: node.activation)
    // Without this test, a build with the reference kernels alone would contain the others.
    if kernels == .fast {
      let constants = try constantWeights(of: node, as: Float.self, bias: Float.self)
      if let constants, let dense = dense(layer, constants) {
        let kernel = layer.withFilters(constants.weights, zero: 0) {
          Float32Convolution(
            dense, filter: $0, bias: constants.biases, clampedTo: range, workers: workerCount)
        }
        return try evaluate(kernel, from: o.x, to: o.y)
      }
      if let evaluate = try layer.floatKernel(o, constants, clampedTo: range, &self) {
        return evaluate
      }
    }
    return { e in
      Reference.convolve(
        e[o.x], filter: e[o.w], bias: e[o.bias], layer, clampedTo: range, into: e[o.y],
        workers: e.workers)
    }
  }

  /// Prepares a layer of quantized bytes.
  mutating func prepareByte<Layer: LayerKernels, Scalar: Element & FixedWidthInteger>(
    _ layer: Layer, _ node: WeightedLayer, as type: Scalar.Type
  ) throws(InferenceError) -> Evaluate {
    let o = try ByteOperands<Scalar>(node, &self)
    let a = ByteArithmetic(
      requantizer: try layer.requantizer(node, self, as: type),
      imageOffset: -Int32(try perTensorQuantization(input: node.image).zeroPoint),
      weightOffset: try weightOffset(isAffine: layer.takesZeroPoints(of: type)))
    if kernels == .fast, let kernel = try byteKernel(of: layer, node, a, as: type) {
      return try evaluate(kernel, from: o.x, to: o.y)
    }
    return { e in
      Reference.convolve(
        e[o.x], offset: a.imageOffset, filter: e[o.w], offset: a.weightOffset, bias: e[o.bias],
        layer, requantizer: a.requantizer, into: e[o.y], workers: e.workers)
    }
  }

  private mutating func byteKernel<Layer: LayerKernels, Scalar: Element & FixedWidthInteger>(
    of layer: Layer, _ node: WeightedLayer, _ a: ByteArithmetic<Layer.Requantizing>,
    as type: Scalar.Type
  ) throws(InferenceError) -> QuantizedConvolution? {
    guard let constants = try constantWeights(of: node, as: type, bias: Int32.self) else {
      return nil
    }
    guard let dense = dense(layer, constants) else {
      return layer.byteKernel(constants, a, workers: workerCount)
    }
    let zero = Scalar(truncatingIfNeeded: -a.weightOffset)
    return layer.withFilters(constants.weights, zero: zero) {
      QuantizedConvolution(
        dense, zero: a.zero(of: type), filter: ByteWeights($0, offset: a.weightOffset),
        bias: constants.biases, requantizer: a.requantizer.packed, workers: workerCount)
    }
  }

  /// Prepares a layer of 16-bit images with byte weights; bias and sums have 32 or 64 bits.
  mutating func prepareShort<Layer: LayerKernels>(
    _ layer: Layer, _ node: WeightedLayer
  ) throws(InferenceError) -> Evaluate {
    try sumsAreWide(bias: node.bias)
      ? prepareShort(layer, node, bias: Int64.self) : prepareShort(layer, node, bias: Int32.self)
  }

  /// Prepares a layer of 16-bit images with byte weights and a bias of type `Bias`.
  mutating func prepareShort<Layer: LayerKernels, Bias: Element & FixedWidthInteger>(
    _ layer: Layer, _ node: WeightedLayer, bias: Bias.Type
  ) throws(InferenceError) -> Evaluate {
    let o = try ShortOperands<Bias>(node, &self)
    try expectSymmetric(inputs: [node.image, node.weights].sorted(), outputs: [0])
    let requantizer = try layer.requantizer(node, self, as: Int16.self)
    return { e in
      Reference.convolve(
        e[o.x], filter: e[o.w], bias: e[o.bias], layer, requantizer: requantizer, into: e[o.y],
        workers: e.workers)
    }
  }

  /// Prepares a float layer with byte weights; images are quantized while the graph runs.
  mutating func prepareHybrid<Layer: HybridLayerKernels>(
    _ layer: Layer, _ node: WeightedLayer
  ) throws(InferenceError) -> Evaluate {
    let o = try HybridOperands(node, &self)
    let factors = try weightScales(channels: node.channels, axis: node.axis)
    let range = try floatRange(of: node.activation)
    let a = layer.hybridArithmetic(node, x: o.x.shape, factors: factors, range: range)
    if kernels == .fast, let fast = try hybridKernel(of: layer, node, o, a) { return fast }
    let (values, scales) = try rows(ofInput: node.image, run: a.run)
    return { e in
      Reference.quantizeRows(
        e[o.x], run: a.run, isAsymmetric: a.isAsymmetric, into: e[values], scales: e[scales])
      Reference.convolve(
        values: e[values], scales: e[scales], filter: e[o.w], factors: a.factors,
        factorsFirst: a.factorsFirst, bias: e[o.bias], layer, clampedTo: a.range, into: e[o.y],
        workers: e.workers)
    }
  }

  private mutating func hybridKernel<Layer: HybridLayerKernels>(
    of layer: Layer, _ node: WeightedLayer, _ o: HybridOperands, _ a: HybridArithmetic
  ) throws(InferenceError) -> Evaluate? {
    guard let constants = try constantWeights(of: node, as: Int8.self, bias: Float.self) else {
      return nil
    }
    guard let dense = dense(layer, constants) else {
      return try layer.hybridKernel(o, constants, a, &self)
    }
    let kernel = layer.withFilters(constants.weights, zero: 0) {
      HybridConvolution(
        dense, images: o.x.count / max(a.run, 1), isAsymmetric: a.isAsymmetric,
        filter: ByteWeights($0, offset: 0), factors: a.factors, factorsFirst: a.factorsFirst,
        bias: constants.biases, clampedTo: a.range, workers: workerCount)
    }
    return try evaluate(kernel, from: o.x, to: o.y)
  }

  /// The convolution that computes `layer`, if the limit allows filters that are larger than the
  /// weights.
  private mutating func dense<Layer: LayerKernels, Weight: Element, Bias: Element>(
    _ layer: Layer, _ constants: ConstantWeights<Weight, Bias>
  ) -> Convolution? {
    guard let dense = layer.dense,
      takePacked(
        (dense.weightCount - constants.weights.count) * max(MemoryLayout<Weight>.stride, 2))
    else { return nil }
    return dense
  }
}

extension SlidingWindow {
  /// The extents of the window's result, `depth` channels deep.
  func outputExtents(depth: Int) -> [Int] { [batches, rows.output, columns.output, depth] }
}
