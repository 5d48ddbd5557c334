import Testing

@testable import MartletOperators
@testable import MartletInference
@testable import MartletModel
@testable import MartletBase

/// Invalid convolutions and pools that files may contain and operators must refuse.
@Suite struct DenseRefusalTests {
  private func convolution(
    _ image: [Int] = [1, 4, 4, 2], _ filter: [Int] = [3, 2, 2, 2], bias: [Int] = [3],
    _ change: (inout Conv2DOptions) -> Void = { _ in }
  ) -> InferenceError? {
    var options = Conv2DOptions(strideWidth: 1, strideHeight: 1)
    change(&options)
    return refusal(
      .conv2D, [Given(shape: image), Given(shape: filter), Given(shape: bias)],
      options: .conv2D(options))
  }

  @Test func acceptsAPlainConvolution() {
    #expect(convolution() == nil)
  }

  @Test func refusesInvalidStridesAndDilations() {
    #expect(
      convolution { $0.strideHeight = 0 } == .option(node: 0, name: "stride", value: 0))
    #expect(
      convolution { $0.dilationWidth = -1 } == .option(node: 0, name: "dilation", value: -1))
  }

  @Test func refusesFiltersThatDoNotFit() {
    #expect(
      convolution([1, 4, 4, 2], [3, 2, 2, 3])
        == .extent(node: 0, operand: .input(1), axis: 3, found: 3, expected: 2))
    #expect(
      convolution([1, 4, 4, 4], [3, 2, 2, 2])
        == .extent(node: 0, operand: .input(1), axis: 0, found: 3, expected: 2))
    #expect(
      convolution([1, 4, 1, 2]) { $0.padding = .valid }
        == .extent(node: 0, operand: .input(0), axis: 2, found: 1, expected: 2))
    #expect(
      convolution([4, 4, 2])
        == .rank(node: 0, operand: .input(0), found: 3, expected: 4...4))
    #expect(
      convolution(bias: [4])
        == .elementCount(node: 0, operand: .input(2), found: 4, expected: 3))
  }

  @Test func refusesOutputsThatOverflow() {
    let big = 1 << 18
    #expect(
      convolution([big, big, big, 1], [big, 1, 1, 1], bias: [big])
        == .tooLarge(node: 0, bytes: Int.max, limit: Int(Int32.max)))
  }

  @Test func refusesWeightsWithScalesForOtherChannels() {
    let map = Quantization(scale: 1, zeroPoint: 0)
    let image = Given(type: .int8, shape: [1, 1, 1, 1], quantization: map)
    for weights in [
      Quantization(scales: [1, 2], zeroPoints: [0, 0], axis: 0),
      Quantization(scales: [1, 2, 3], zeroPoints: [0, 0, 0], axis: 3),
      Quantization(scales: [0, 1, 2], zeroPoints: [0, 0, 0], axis: 0),
      Quantization(scales: [.nan, 1, 2], zeroPoints: [0, 0, 0], axis: 0),
    ] {
      let filter = Given(type: .int8, shape: [3, 1, 1, 1], quantization: weights)
      #expect(
        refusal(
          .conv2D, [image, filter], outputs: [image],
          options: .conv2D(Conv2DOptions(strideWidth: 1, strideHeight: 1)))
          == .quantization(node: 0, operand: .input(1)))
    }
    let shifted = Quantization(scale: 1, zeroPoint: 1)
    #expect(
      refusal(
        .conv2D, [image, Given(type: .int8, shape: [3, 1, 1, 1], quantization: shifted)],
        outputs: [image], options: .conv2D(Conv2DOptions(strideWidth: 1, strideHeight: 1)))
        == .zeroPoint(node: 0, operand: .input(1), found: 1, expected: 0...0))
  }

  @Test func refusesScalesOfZeroExceptForConstantWeights() {
    func convolution(_ imageScale: Float, _ values: [Int32]?) -> InferenceError? {
      let image = Given(
        type: .int8, shape: [1, 1, 1, 1], quantization: Quantization(scale: 1, zeroPoint: 0))
      let pruned = Quantization(scales: [0, 1, 2], zeroPoints: [0, 0, 0], axis: 0)
      return refusal(
        .conv2D,
        [
          Given(
            type: .int8, shape: [1, 1, 1, 1],
            quantization: Quantization(scale: imageScale, zeroPoint: 0)),
          Given(type: .int8, shape: [3, 1, 1, 1], values: values, quantization: pruned),
        ],
        outputs: [image], options: .conv2D(Conv2DOptions(strideWidth: 1, strideHeight: 1)))
    }
    #expect(convolution(1, [0x010203]) == nil)
    #expect(convolution(1, nil) == .quantization(node: 0, operand: .input(1)))
    #expect(convolution(0, [0x010203]) == .quantization(node: 0, operand: .input(0)))
  }

  @Test func refusesOptionsOfAnotherOperator() {
    for registration in [
      Registration.conv2D, .depthwiseConv2D, .fullyConnected, .averagePool2D, .maxPool2D,
      .softmax, .resizeBilinear, .mean, .leakyRelu, .transposeConv,
    ] {
      let count = registration.code == .builtin(.softmax) ? 1 : 2
      let inputs = [Given](repeating: Given(shape: [1, 1, 1, 1]), count: count)
      let error = refusal(registration, inputs, options: .gather(GatherOptions()))
      #expect(error == .options(node: 0) || error.map { "\($0)".contains("tensors") } == true)
    }
  }

  @Test func refusesPoolsWithoutAWindow() {
    #expect(
      refusal(
        .maxPool2D, [Given(shape: [1, 2, 2, 1])],
        options: .pool2D(Pool2DOptions(strideWidth: 1, strideHeight: 1)))
        == .extent(node: 0, operand: .input(0), axis: 1, found: 2, expected: 0))
  }

  @Test func refusesSizesOfZero() {
    #expect(
      refusal(
        .resizeBilinear,
        [Given(shape: [1, 2, 2, 1]), Given(type: .int32, shape: [2], values: [4, 0])],
        options: .resizeBilinear(ResizeOptions()))
        == .option(node: 0, name: "size", value: 0))
    #expect(
      refusal(
        .resizeNearestNeighbor,
        [Given(shape: [1, 0, 2, 1]), Given(type: .int32, shape: [2], values: [4, 4])],
        options: .resizeNearestNeighbor(ResizeOptions()))
        == .extent(node: 0, operand: .input(0), axis: 1, found: 0, expected: 1))
  }

  @Test func refusesAxesOutOfRange() {
    for axis: Int32 in [2, -3] {
      #expect(
        refusal(
          .argMax, [Given(shape: [2, 2]), Given(type: .int32, shape: [1], values: [axis])],
          outputs: [Given(type: .int32)], options: .argMax(ArgOptions()))
          == .option(node: 0, name: "axis", value: Int(axis)))
    }
  }

  @Test func refusesMissingCustomOptions() {
    let inputs = [Given(shape: [1, 3, 4]), Given(shape: [1, 3, 2]), Given(shape: [3, 4])]
    #expect(
      refusal(.detectionPostProcess, inputs, outputs: [Given(), Given(), Given(), Given()])
        == .options(node: 0))
  }
}
