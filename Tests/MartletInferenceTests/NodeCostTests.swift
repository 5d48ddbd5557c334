import MartletTestSupport
import Testing

@testable import MartletInference
@testable import MartletModel

/// Expected costs are computed by hand from the shapes.
@Suite struct NodeCostTests {
  private func cost(
    _ code: OperatorCode, _ options: OperatorOptions, _ inputs: [[Int]], _ outputs: [[Int]],
    type: ElementType = .float32, kernels: KernelSet = .fast
  ) -> Int {
    let tensors = (inputs + outputs).enumerated().map {
      TensorInfo(
        index: $0, declaredType: type, shape: Shape($1), quantization: nil, isConstant: false)
    }
    let operation = Operator(
      code: code, inputs: Array(inputs.indices),
      outputs: outputs.indices.map { inputs.count + $0 }, options: options)
    return Registry.builtin.traits(of: operation).cost.work(
      of: operation, tensors, kernels: kernels)
  }

  @Test func countsElementsOfSums() {
    #expect(
      cost(.builtin(.add), .add(AddOptions()), [[2, 300], [300]], [[2, 300]])
        == 4 * (600 + 300 + 600 + OperatorCost.overhead))
  }

  @Test func countsProductsOfConvolutions() {
    let image = [1, 10, 10, 8]
    #expect(
      cost(
        .builtin(.conv2D), .conv2D(Conv2DOptions()), [image, [16, 3, 3, 8]], [[1, 10, 10, 16]])
        == 1600 * 72 / 16)
    #expect(
      cost(
        .builtin(.depthwiseConv2D), .depthwiseConv2D(DepthwiseConv2DOptions()),
        [image, [1, 5, 5, 8]], [image]) == 800 + 200 + 800 + OperatorCost.overhead)
    #expect(
      cost(
        .builtin(.fullyConnected), .fullyConnected(FullyConnectedOptions()),
        [[20, 100], [50, 100]],
        [[20, 50]]) == 2000 + 5000 + 1000 + OperatorCost.overhead)
  }

  /// The same convolution costs more with the reference kernels, or with a type that has no fast
  /// kernel.
  @Test(arguments: [
    (ElementType.float32, KernelSet.fast, 16), (.int8, .fast, 16), (.uint8, .fast, 16),
    (.int16, .fast, 1), (.float32, .reference, 1),
  ]) func slowKernelsCountMore(_ type: ElementType, _ kernels: KernelSet, _ products: Int) {
    #expect(
      cost(
        .builtin(.conv2D), .conv2D(Conv2DOptions()), [[1, 10, 10, 8], [16, 3, 3, 8]],
        [[1, 10, 10, 16]], type: type, kernels: kernels) == 1600 * 72 / products)
  }

  @Test func countsFilterPositionsWithoutChannels() {
    #expect(
      cost(
        .builtin(.transposeConv), .transposeConv(TransposeConvOptions()),
        [[4], [1, 1 << 27, 1 << 27, 0]], [[1, 4, 4, 1]]) == 1 << 54)
  }

  @Test func countsInputsOfTransposedConvolutions() {
    #expect(
      cost(
        .builtin(.transposeConv), .transposeConv(TransposeConvOptions()),
        [[4], [2, 3, 3, 8], [1, 1000, 4, 8]], [[1, 4, 4, 2]]) == 32000 * 18 / 16)
  }

  /// Each run of two elements counts 16 units more.
  @Test func countsRunsOfBroadcastOperands() {
    #expect(
      cost(.builtin(.maximum), .none, [[100, 1, 2], [1, 3, 2]], [[100, 3, 2]]) == 600 + 300 * 16)
    #expect(
      cost(.builtin(.maximum), .none, [[100, 3, 2], [100, 3, 2]], [[100, 3, 2]])
        == 1800 + OperatorCost.overhead)
  }

  @Test func countsRowsOfSmallProducts() {
    #expect(
      cost(
        .builtin(.batchMatmul), .batchMatMul(BatchMatMulOptions()), [[1000, 3, 4], [1000, 4, 2]],
        [[1000, 3, 2]]) == 3000 * 256 / 16)
  }

  @Test func countsPixelsOfPoolWindows() {
    var pool = Pool2DOptions()
    pool.filterHeight = Int(Int32.max)
    pool.filterWidth = 3
    #expect(
      cost(.builtin(.maxPool2D), .pool2D(pool), [[1, 50, 50, 2]], [[1, 50, 50, 2]])
        == 5000 * 50 * 3)
  }

  @Test func saturatesAtTheLargestInteger() {
    #expect(
      cost(
        .builtin(.conv2D), .conv2D(Conv2DOptions()),
        [[1, 1 << 20, 1 << 20, 1], [1, 1 << 20, 1 << 20, 1]],
        [[1, 1 << 20, 1 << 20, 1]]) == Int.max)
  }

  /// An average over the whole image for each pixel: 3 kB of data, 9 million additions.
  func pooling(side: Int) -> TestModel {
    var test = TestModel()
    let x = test.tensor(.float32, [1, side, side, 1])
    let y = test.tensor(.float32, [1, side, side, 1])
    test.inputs = [x]
    test.outputs = [y]
    var pool = Pool2DOptions()
    (pool.filterHeight, pool.filterWidth) = (2 * side, 2 * side)
    (pool.strideHeight, pool.strideWidth) = (1, 1)
    test.add(.averagePool2D, [x], [y], options: .pool2D(pool))
    return test
  }

  @Test func refusesAModelBeyondTheWorkLimit() throws {
    let work = 55 * 55 * 55 * 55
    #expect(throws: InferenceError.tooMuchWork(node: 0, work: work, limit: work - 1)) {
      try Interpreter(model: pooling(side: 55).model, options: .init(workLimit: work - 1))
    }
    let interpreter = try Interpreter(
      model: pooling(side: 55).model, options: .init(workLimit: work))
    try interpreter.invoke()
  }

  @Test func resetsTheWorkCountForEachRun() throws {
    let interpreter = try Interpreter(
      model: pooling(side: 10).model, options: .init(workLimit: 10_000))
    for _ in 0..<3 { try interpreter.invoke() }
    #expect(throws: InferenceError.self) { try interpreter.resizeInput(0, to: [1, 20, 20, 1]) }
    try interpreter.invoke()
  }

  /// Passes if it ends: the resized tensor has 2^54 positions.
  @Test func skipsNodesWithEmptyResults() throws {
    var test = TestModel()
    let x = test.tensor(.float32, [1, 1, 1, 0])
    let y = test.tensor(.float32, [1, 1, 1, 0])
    let size = test.constant([Int32(1 << 27), 1 << 27], [2])
    test.inputs = [x]
    test.outputs = [y]
    test.add(
      .resizeNearestNeighbor, [x, size], [y], options: .resizeNearestNeighbor(ResizeOptions()))
    let interpreter = try test.interpreter()
    try interpreter.invoke()
    #expect(interpreter.outputs[0].shape == Shape(1, 1 << 27, 1 << 27, 0))
  }

  /// UNIQUE sorts its elements before its result's shape is known.
  @Test func refusesToPrepareBeyondTheWorkLimit() throws {
    var test = TestModel()
    let x = test.tensor(.int8, [1000])
    let values = test.tensor(.int8, [0])
    let indices = test.tensor(.int32, [0])
    test.inputs = [x]
    test.outputs = [values, indices]
    test.add(.unique, [x], [values, indices])
    #expect(throws: InferenceError.tooMuchWork(node: 0, work: 64_000, limit: 63_999)) {
      try Interpreter(model: test.model, options: .init(workLimit: 63_999))
    }
  }

  /// A window whose size is only in the custom operator's options.
  @Test func countsPixelsOfCustomPoolWindows() throws {
    var test = TestModel()
    let x = test.tensor(.float32, [1, 50, 50, 1])
    let y = test.tensor(.float32, [1, 50, 50, 1])
    let taps = test.tensor(.float32, [1, 50, 50, 1])
    let graph = test.model
    // SAME padding, strides of 1, a filter of 100 x 100.
    let options = ([1, 1, 1, 100, 100, 0] as [Int32]).flatMap { $0.littleEndianBytes }
    let start = graph.bytes.count
    let pool = Operator(
      code: .custom("MaxPoolingWithArgmax2D"), inputs: [x], outputs: [y, taps],
      customOptions: start..<start + options.count)
    let model = Model(
      bytes: FileBytes(graph.bytes + options), version: 3, description: "",
      subgraphs: [
        Subgraph(
          name: "", tensors: graph.subgraphs[0].tensors, inputs: [x], outputs: [y, taps],
          operators: [pool])
      ], buffers: graph.buffers, metadata: [], signatures: [])
    let work = 2500 * 50 * 50
    #expect(throws: InferenceError.tooMuchWork(node: 0, work: work, limit: work - 1)) {
      try Interpreter(model: model, options: .init(workLimit: work - 1))
    }
    try Interpreter(model: model, options: .init(workLimit: work)).invoke()
  }
}
