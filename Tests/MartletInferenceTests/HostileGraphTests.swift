import Testing

@testable import MartletInference
@testable import MartletModel

/// Graphs that no converter writes.
@Suite struct HostileGraphTests {
  /// A RESHAPE to a shape given by an input, with an output whose declared extents differ.
  func dynamic(stated: [Int], behind builtin: BuiltinOperator = .relu) -> TestModel {
    var test = TestModel()
    let x = test.tensor(.float32, [6])
    let shape = test.tensor(.int32, [2])
    let reshaped = test.tensor(.float32, stated)
    let y = test.tensor(.float32, stated)
    test.inputs = [x, shape]
    test.outputs = [y]
    test.add(.reshape, [x, shape], [reshaped])
    test.add(builtin, [reshaped], [y])
    return test
  }

  @Test func refusesToReadADynamicOutputBeforeARun() throws {
    let interpreter = try dynamic(stated: [1000, 1000]).interpreter()
    #expect(throws: InferenceError.byteCount(index: 0, found: 0, expected: 4_000_000)) {
      try interpreter.output(0)
    }
  }

  @Test func refusesToReadOutputsAfterAFailedRun() throws {
    var test = TestModel()
    let x = test.tensor(.float32, [1])
    let shape = test.tensor(.int32, [2])
    let wide = test.tensor(.float32, [1, 1])
    let y = test.tensor(.float32, [1, 1])
    test.inputs = [x, shape]
    test.outputs = [wide, y]
    test.add(.broadcastTo, [x, shape], [wide], version: 2)
    // Three values cannot fill the previous node's output.
    test.add(.reshape, [wide, test.constant([Int32(3)], [1])], [y])
    let interpreter = try test.interpreter()
    for _ in 0..<2 {
      try interpreter.setInput(1, to: [200, 0, 0, 0, 200, 0, 0, 0])
      #expect(throws: InferenceError.self) { try interpreter.invoke() }
      #expect(throws: InferenceError.byteCount(index: 0, found: 0, expected: 4)) {
        try interpreter.output(0)
      }
    }
    try interpreter.setInput(1, to: [1, 0, 0, 0, 3, 0, 0, 0])
    try interpreter.invoke()
    #expect(try interpreter.output(0).count == 12)
    #expect(try interpreter.output(1).count == 12)
  }

  @Test func allSegmentsShareOneMemoryLimit() throws {
    var test = TestModel()
    let x = test.tensor(.float32, [1])
    let shape = test.tensor(.int32, [1])
    test.inputs = [x, shape]
    var last = x
    // Each node needs a value that the previous one computes, so each pair is a segment.
    let zero = test.constant([Int32(0)], [1])
    var size = shape
    for _ in 0..<8 {
      let wide = test.tensor(.float32, [1])
      test.add(.broadcastTo, [x, size], [wide], version: 2)
      let next = test.tensor(.int32, [1])
      test.add(.add, [size, zero], [next], options: .add(AddOptions()))
      size = next
      last = wide
    }
    test.outputs = [last]
    // 40,000 bytes per tensor; one of them would fit.
    let interpreter = try test.interpreter(memoryLimit: 100_000)
    try interpreter.setInput(1, to: [0x10, 0x27, 0, 0])
    #expect(throws: InferenceError.self) { try interpreter.invoke() }
    try interpreter.setInput(1, to: [0x10, 0, 0, 0])
    try interpreter.invoke()
    #expect(try interpreter.output(0).count == 64)
  }

  @Test func foldedTensorsAndArenaShareOneMemoryLimit() throws {
    var test = TestModel()
    let x = test.tensor(.float32, [1000])
    let c = test.constant([Float](repeating: 1, count: 1000), [1000])
    let folded = test.tensor(.float32, [1000])
    let y = test.tensor(.float32, [1000])
    test.inputs = [x]
    test.outputs = [y]
    test.add(.neg, [c], [folded])
    test.add(.add, [x, folded], [y], options: .add(AddOptions()))
    #expect(throws: InferenceError.self) { try test.interpreter(memoryLimit: 10_000) }
    #expect(throws: Never.self) { try test.interpreter(memoryLimit: 13_000) }
  }

  @Test func convolutionRefusesPaddingBeyondInt32() throws {
    var test = TestModel()
    let x = test.tensor(.float32, [1, 2, 2, 1])
    let p = test.constant([Int32](repeating: 0, count: 8), [4, 2])
    let wide = test.tensor(.float32, [1, 2, 2, 1])
    let w = test.tensor(.float32, [1, Int(Int32.max), 1, 0])
    let y = test.tensor(.float32, [1, 1, 1, 1])
    test.inputs = [x, w]
    test.outputs = [y]
    test.add(.pad, [x, p], [wide])
    var options = Conv2DOptions()
    options.padding = .valid
    options.dilationHeight = Int(Int32.max)
    test.add(.conv2D, [wide, w], [y], options: .conv2D(options))
    #expect(throws: InferenceError.self) { try test.interpreter() }
  }

  @Test func doesNotFuseAClampWithTwoInputs() throws {
    var test = TestModel()
    let x = test.tensor(.float32, [1])
    let sum = test.tensor(.float32, [1])
    let y = test.tensor(.float32, [1])
    test.inputs = [x]
    test.outputs = [y]
    test.add(.add, [x, x], [sum], options: .add(AddOptions()))
    test.add(.relu, [x, sum], [y])
    #expect(throws: InferenceError.operandCount(node: 1, found: 2, expected: 1...1)) {
      try test.interpreter()
    }
  }

  /// A model whose outputs are constants in one buffer, with this shape and sparse layout.
  func sparse(_ types: [ElementType], _ shape: [Int], _ sparsity: Sparsity) -> Model {
    let bytes = [UInt8](1...16)
    let tensors = types.map {
      TensorDescription(
        name: "", type: $0, shape: Shape(shape), shapeSignature: [], buffer: 1, quantization: nil,
        details: nil, isVariable: false, sparsity: sparsity, hasRank: true)
    }
    return Model(
      bytes: FileBytes(bytes), version: 3, description: "",
      subgraphs: [
        Subgraph(
          name: "", tensors: tensors, inputs: [], outputs: Array(tensors.indices), operators: [])
      ], buffers: [0..<0, 0..<16], metadata: [], signatures: [])
  }

  @Test func sparseTensorsOfTwoTypesDoNotShareMemory() throws {
    let diagonal = Sparsity(
      traversalOrder: [0, 1], blockMap: [],
      levels: [.dense(size: 2), .compressed(segments: [0, 1, 2], indices: [0, 1])])
    let interpreter = try Interpreter(model: sparse([.int8, .float32], [2, 2], diagonal))
    #expect(try interpreter.output(0) == [1, 0, 0, 2])
    #expect(
      try interpreter.output(1) == [1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 5, 6, 7, 8])
  }

  /// Passes if it ends: there are 2^54 positions to visit.
  @Test func skipsSparseTensorsWithoutElements() throws {
    let huge = 1 << 27
    let levels = [huge, huge, 0].map { SparsityLevel.dense(size: $0) }
    let sparsity = Sparsity(traversalOrder: [0, 1, 2], blockMap: [], levels: levels)
    let interpreter = try Interpreter(model: sparse([.int8], [huge, huge, 0], sparsity))
    #expect(try interpreter.output(0).isEmpty)
  }

  @Test func packingSharedWeightsStaysWithinLimits() throws {
    var test = TestModel()
    let depth = 512
    let x = test.tensor(.float32, [1, depth])
    // The identity matrix: each node returns its input.
    let identity = (0..<depth * depth).map { Float($0 % (depth + 1) == 0 ? 1 : 0) }
    let w = test.constant(identity, [depth, depth])
    test.inputs = [x]
    var last = x
    for _ in 0..<200 {
      let y = test.tensor(.float32, [1, depth])
      test.add(.fullyConnected, [last, w], [y], options: .fullyConnected(FullyConnectedOptions()))
      last = y
    }
    test.outputs = [last]
    // 200 MiB, if each node packed the weights.
    let interpreter = try test.interpreter(.fast)
    let packed = interpreter.memory.packed
    #expect((64 << 20...80 << 20).contains(packed))
    let input = (0..<depth).map { Float($0) }
    #expect(try interpreter.run([input]) == input)
  }

  /// Many nodes, prepared during the run or folded. If a node's cost depended on the number of
  /// nodes, the test would take minutes.
  @Test(arguments: [false, true]) func preparesLongGraphsInLinearTime(isFolded: Bool) throws {
    var test = TestModel()
    let x = test.tensor(.float32, [1])
    let shape = isFolded ? test.constant([Int32(1)], [1]) : test.tensor(.int32, [1])
    let c = test.constant([Float(-2)], [1])
    let zero = test.constant([Int32(0)], [1])
    test.inputs = isFolded ? [x] : [x, shape]
    var last = isFolded ? c : x
    var size = shape
    for _ in 0..<20_000 {
      let wide = test.tensor(.float32, [1])
      test.add(.reshape, [last, size], [wide])
      last = wide
      if !isFolded {
        let next = test.tensor(.int32, [1])
        test.add(.add, [size, zero], [next], options: .add(AddOptions()))
        size = next
      }
    }
    test.outputs = [last]
    let interpreter = try test.interpreter()
    if !isFolded { try interpreter.setInput(1, to: [1, 0, 0, 0]) }
    try interpreter.invoke()
    #expect(try interpreter.output(0).count == 4)
  }
}
