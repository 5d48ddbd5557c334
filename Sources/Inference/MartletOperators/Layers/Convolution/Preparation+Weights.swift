//===--- Preparation+Weights.swift - scales of a layer with weights -------===//
//
// Scales and zero points of convolutions and fully connected layers. Input 0 is the image, input 1
// the weights, input 2 the bias, output 0 the result.
//
// Contract  Factors are LiteRT's: for convolutions of uint8 images the scales are multiplied in
//           single precision, otherwise in double precision.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

extension Preparation {
  /// Throws unless input `index` is absent or has `count` elements.
  package func expectBias(_ index: Int, count: Int) throws(InferenceError) {
    guard hasInput(index) else { return }
    let found = try input(index).shape.elementCount
    guard found == count else {
      throw .elementCount(node: node, operand: .input(index), found: found, expected: count)
    }
  }

  /// Whether a float node has weights of signed integers.
  package var isHybrid: Bool {
    hasInput(1) && tensors.infos[operation.inputs[1]].type == .int8
  }

  /// Whether sums of a 16-bit layer with bias `index` have 64 bits: true unless the bias has 32.
  package func sumsAreWide(bias index: Int) throws(InferenceError) -> Bool {
    guard hasInput(index) else { return true }
    return try input(index).type == .int64
  }

  /// The quantization of the weights: one scale, or one for each of `channels` along `axis`.
  package func weightQuantization(
    channels: Int, axis: Int
  ) throws(InferenceError) -> Quantization {
    let place = OperandPlace.input(1)
    let tensor = try input(1)
    guard let map = tensor.quantization,
      map.isPerTensor || (map.scales.count == channels && map.axis == axis)
    else { throw .quantization(node: node, operand: place) }
    try check(map, of: tensor, at: place, isFactor: true)
    return map
  }

  /// The negated zero point of the weights. The zero point must be 0 unless `isAffine`, and always
  /// if each channel has a scale.
  package func weightOffset(isAffine: Bool) throws(InferenceError) -> Int32 {
    let tensor = try input(1)
    guard let map = tensor.quantization else {
      throw .quantization(node: node, operand: .input(1))
    }
    try check(map, of: tensor, at: .input(1), isFactor: true)
    guard !isAffine || !map.isPerTensor else { return -Int32(map.zeroPoint) }
    for found in map.zeroPoints where found != 0 {
      throw .zeroPoint(node: node, operand: .input(1), found: found, expected: 0...0)
    }
    return 0
  }

  /// The scales of the weights, one for each of `channels`.
  package func weightScales(channels: Int, axis: Int) throws(InferenceError) -> [Float] {
    let map = try weightQuantization(channels: channels, axis: axis)
    _ = try weightOffset(isAffine: false)
    try takePrepared(channels, of: MemoryLayout<Float>.stride)
    return map.isPerTensor ? [Float](repeating: map.scale, count: channels) : map.scales
  }

  /// Scratch memory for input `index`, quantized in rows of `run` elements while the graph runs.
  package mutating func rows(
    ofInput index: Int, run: Int
  ) throws(InferenceError) -> (values: Operand<Int16>, scales: Operand<Float>) {
    let count = try input(index).shape.elementCount
    let values = try scratch(count, as: Int16.self)
    return (values, try scratch(count / max(run, 1), as: Float.self))
  }

  /// The factors that convert sums of products of input 0 and the weights to output 0's values.
  private func factors(
    image index: Int, channels: Int, axis: Int, productInSinglePrecision isSingle: Bool
  ) throws(InferenceError) -> [Double] {
    let image = try perTensorQuantization(input: index).scale
    let weights = try weightQuantization(channels: channels, axis: axis)
    let result = Double(try perTensorQuantization(output: 0).scale)
    try takePrepared(channels, of: 3 * MemoryLayout<Double>.stride)
    let factors = weights.scales.map { scale in
      (isSingle ? Double(image * scale) : Double(image) * Double(scale)) / result
    }
    return weights.isPerTensor ? [Double](repeating: factors[0], count: channels) : factors
  }

  /// How a convolution's sums become output 0, of type `Scalar`.
  package func requantizer<Scalar: Element & FixedWidthInteger>(
    image: Int = 0, channels: Int, axis: Int, activation: Activation, as type: Scalar.Type,
    productInSinglePrecision isSingle: Bool = Scalar.elementType == .uint8
  ) throws(InferenceError) -> Requantizer {
    let result = try perTensorQuantization(output: 0)
    return Requantizer(
      multipliers: try factors(
        image: image, channels: channels, axis: axis, productInSinglePrecision: isSingle
      ).map { FixedPointMultiplier($0) },
      zeroPoint: Int32(result.zeroPoint),
      range: try quantizedRange(of: activation, output: result, as: type))
  }

  /// How a fully connected layer's sums become output 0, of type `Scalar`.
  package func realRequantizer<Scalar: Element & FixedWidthInteger>(
    channels: Int, activation: Activation, as type: Scalar.Type
  ) throws(InferenceError) -> RealRequantizer {
    let result = try perTensorQuantization(output: 0)
    return RealRequantizer(
      factors: try factors(
        image: 0, channels: channels, axis: 0, productInSinglePrecision: false),
      zeroPoint: Int32(result.zeroPoint),
      range: try quantizedRange(of: activation, output: result, as: type))
  }
}
