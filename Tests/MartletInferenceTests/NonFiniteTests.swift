import Testing

@testable import MartletBase
@testable import MartletInference
@testable import MartletModel
@testable import MartletOperators

/// Infinity and NaN in operators whose results may have an open range, on both kernel sets.
@Suite struct NonFiniteTests {
  private static let inf = Float.infinity

  /// A graph of one operator on float inputs of these shapes.
  private func graph(
    _ code: BuiltinOperator, _ shapes: [[Int]], output: [Int], options: OperatorOptions = .none,
    constants: [[Float]] = [], constantShapes: [[Int]] = []
  ) -> TestModel {
    var test = TestModel()
    let inputs = shapes.map { test.tensor(.float32, $0) }
    let weights = zip(constants, constantShapes).map { test.constant($0, $1) }
    let y = test.tensor(.float32, output)
    (test.inputs, test.outputs) = (inputs, [y])
    test.add(code, inputs + weights, [y], options: options)
    return test
  }

  @Test(arguments: KernelSet.allCases)
  func reluOfInfinityIsInfinity(_ kernels: KernelSet) throws {
    let relu = graph(.relu, [[40]], output: [40])
    var x = [Float](repeating: .infinity, count: 40)
    x[3] = -.infinity
    var y = x
    y[3] = 0
    #expect(try relu.interpreter(kernels).run([x]) == y)
    for (code, most) in [(.relu6, 6), (.reluN1To1, 1), (.relu0To1, 1)] as [(BuiltinOperator, Float)]
    {
      #expect(try graph(code, [[40]], output: [40]).interpreter(kernels).run([x])[0] == most)
    }
  }

  @Test(arguments: KernelSet.allCases, [Activation.none, .relu])
  func fusedActivationsKeepInfinity(_ kernels: KernelSet, _ activation: Activation) throws {
    let inf = NonFiniteTests.inf
    let lowest = activation == .relu ? 0 : -inf
    for (code, options) in [
      (.add, .add(AddOptions(activation: activation))),
      (.sub, .sub(AddOptions(activation: activation))),
      (.mul, .mul(ActivationOptions(activation: activation))),
      (.div, .div(ActivationOptions(activation: activation))),
    ] as [(BuiltinOperator, OperatorOptions)] {
      let sum = graph(code, [[33], [33]], output: [33], options: options)
      let twos = [Float](repeating: 2, count: 33)
      let most = [Float](repeating: inf, count: 33)
      #expect(try sum.interpreter(kernels).run([most, twos]) == most, "\(code)")
      #expect(
        try sum.interpreter(kernels).run([most.map { -$0 }, twos])
          == [Float](repeating: lowest, count: 33), "\(code)")
    }
  }

  /// The sums overflow, or have an infinite term.
  @Test(arguments: KernelSet.allCases, [Activation.none, .relu])
  func layersKeepInfinity(_ kernels: KernelSet, _ activation: Activation) throws {
    let inf = NonFiniteTests.inf
    let lowest = activation == .relu ? 0 : -inf
    let image = [Float](repeating: 3e38, count: 2 * 2 * 16)
    var convolution = Conv2DOptions(padding: .valid)
    (convolution.strideWidth, convolution.strideHeight) = (1, 1)
    convolution.activation = activation
    var depthwise = DepthwiseConv2DOptions(padding: .valid)
    (depthwise.strideWidth, depthwise.strideHeight, depthwise.depthMultiplier) = (1, 1, 1)
    depthwise.activation = activation
    var connected = FullyConnectedOptions()
    connected.activation = activation
    for (sign, expected) in [(1, inf), (-1, lowest)] as [(Float, Float)] {
      let weights = [Float](repeating: 9 * sign, count: 32 * 64)
      let layers = [
        graph(
          .conv2D, [[1, 2, 2, 16]], output: [1, 1, 1, 32], options: .conv2D(convolution),
          constants: [weights], constantShapes: [[32, 2, 2, 16]]),
        graph(
          .depthwiseConv2D, [[1, 2, 2, 16]], output: [1, 1, 1, 16],
          options: .depthwiseConv2D(depthwise), constants: [Array(weights[..<64])],
          constantShapes: [[1, 2, 2, 16]]),
        graph(
          .fullyConnected, [[1, 64]], output: [1, 32], options: .fullyConnected(connected),
          constants: [weights], constantShapes: [[32, 64]]),
      ]
      for layer in layers {
        let found = try layer.interpreter(kernels).run([image])
        #expect(found == [Float](repeating: expected, count: found.count))
      }
    }
  }

  @Test(arguments: KernelSet.allCases)
  func poolsKeepInfinity(_ kernels: KernelSet) throws {
    var options = Pool2DOptions(padding: .valid)
    (options.filterWidth, options.filterHeight) = (2, 2)
    (options.strideWidth, options.strideHeight) = (1, 1)
    for (code, sign) in [(.maxPool2D, 1), (.maxPool2D, -1), (.averagePool2D, 1), (.l2Pool2D, 1)]
      as [(BuiltinOperator, Float)]
    {
      let pool = graph(code, [[1, 2, 2, 9]], output: [1, 1, 1, 9], options: .pool2D(options))
      let x = [Float](repeating: sign * .infinity, count: 36)
      #expect(try pool.interpreter(kernels).run([x]) == Array(x[..<9]), "\(code)")
    }
  }

  @Test(arguments: KernelSet.allCases)
  func geluOfMinusInfinityIsZero(_ kernels: KernelSet) throws {
    let gelu = graph(.gelu, [[9]], output: [9], options: .gelu(GeluOptions()))
    let y = try gelu.interpreter(kernels).run([[Float](repeating: -.infinity, count: 9)])
    #expect(y == [Float](repeating: 0, count: 9))
  }

  // Expected values: LiteRT 2.3.0, optimized kernels and XNNPACK.
  @Test(arguments: KernelSet.allCases)
  func extremaKeepInfinity(_ kernels: KernelSet) throws {
    let inf = NonFiniteTests.inf
    for (code, sign) in [(.reduceMax, -1), (.reduceMin, 1)] as [(BuiltinOperator, Float)] {
      var test = TestModel()
      let x = test.tensor(.float32, [3, 4])
      let y = test.tensor(.float32, [3])
      (test.inputs, test.outputs) = ([x], [y])
      test.add(
        code, [x, test.constant([Int32(1)], [1])], [y], options: .reducer(ReducerOptions()))
      let rows: [Float] = [sign * inf, sign * inf, sign * inf, sign * inf, 1, .nan, 1, 1]
      let found = try test.interpreter(kernels).run([rows + [.nan, .nan, .nan, .nan]])
      #expect(found[0] == sign * inf && found[1] == 1 && found[2].isNaN)
    }
  }

  @Test(arguments: KernelSet.allCases)
  func gatherOfEmptyTuplesCopies(_ kernels: KernelSet) throws {
    var test = TestModel()
    let x = test.tensor(.float32, [2, 2])
    let indices = test.tensor(.int32, [3, 0])
    let y = test.tensor(.float32, [3, 2, 2])
    (test.inputs, test.outputs) = ([x, indices], [y])
    test.add(.gatherNd, [x, indices], [y])
    let interpreter = try test.interpreter(kernels)
    #expect(interpreter.outputs[0].shape == Shape(3, 2, 2))
    #expect(
      try interpreter.run([[Float(1), 2, 3, 4], []]) == [1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4])
  }

  // MARK: Messages

  @Test func messagesStateTheNumberOfBytes() {
    var test = TestModel()
    let x = test.tensor(.uint8, [1, 4, 4, 1])
    let y = test.tensor(.uint8, [1, 46_341, 46_341, 1])
    (test.inputs, test.outputs) = ([x], [y])
    test.add(
      .resizeNearestNeighbor, [x, test.constant([Int32(46_341), 46_341], [2])], [y],
      options: .resizeNearestNeighbor(ResizeOptions()))
    let error = InferenceError.tooLarge(node: 0, bytes: 46_341 * 46_341, limit: 1 << 30)
    #expect(throws: error) { try test.interpreter(memoryLimit: 1 << 30) }
    #expect(
      error.description
        == "operator 0: 2147488281 bytes are needed, the limit is 1073741824")
  }

  @Test func messagesDoNotStateSaturatedNumbers() {
    #expect(
      InferenceError.tooLarge(node: 2, bytes: .max, limit: 7).description
        == "operator 2: more bytes than can be counted are needed, the limit is 7")
    #expect(
      InferenceError.tooMuchWork(node: 2, work: .max, limit: 7).description
        == "operator 2: a run up to here takes more units of work than can be counted, the limit is 7"
    )
  }
}
