import MartletTestSupport
import Testing

@testable import MartletModel

/// An option table of the schema: its fields and the expected options.
struct OptionCase: Sendable, CustomTestStringConvertible {
  let tag: UInt8
  let fields: [Int: FlatField]
  let options: OperatorOptions
  /// The options of an empty table: the schema's defaults.
  let defaults: OperatorOptions
  var testDescription: String { "tag \(tag)" }

  init(
    _ tag: UInt8, _ fields: [Int: FlatField], _ options: OperatorOptions,
    _ defaults: OperatorOptions
  ) {
    self.tag = tag
    self.fields = fields
    self.options = options
    self.defaults = defaults
  }
}

/// Tags, field numbers and defaults are from the schema (version 3, LiteRT 2.3.0).
@Suite struct OperatorOptionsTests {
  private func options(_ file: ModelFile) throws -> OperatorOptions {
    try Model(bytes: file.bytes).subgraphs[0].operators[0].options
  }

  static let layers: [OptionCase] = [
    OptionCase(
      1,
      [
        0: .uint8(1), 1: .int32(2), 2: .int32(3), 3: .uint8(3), 4: .int32(4), 5: .int32(5),
        6: .uint8(4),
      ],
      .conv2D(
        Conv2DOptions(
          padding: .valid, strideWidth: 2, strideHeight: 3, dilationWidth: 4, dilationHeight: 5,
          activation: .relu6, quantizedBiasType: 4)),
      .conv2D(Conv2DOptions(padding: .same, dilationWidth: 1, dilationHeight: 1))),
    OptionCase(
      2,
      [
        0: .uint8(1), 1: .int32(2), 2: .int32(3), 3: .int32(6), 4: .uint8(1), 5: .int32(4),
        6: .int32(5),
      ],
      .depthwiseConv2D(
        DepthwiseConv2DOptions(
          padding: .valid, strideWidth: 2, strideHeight: 3, depthMultiplier: 6, dilationWidth: 4,
          dilationHeight: 5, activation: .relu)),
      .depthwiseConv2D(DepthwiseConv2DOptions(dilationWidth: 1, dilationHeight: 1))),
    OptionCase(
      5, [0: .uint8(1), 1: .int32(2), 2: .int32(3), 3: .int32(4), 4: .int32(5), 5: .uint8(2)],
      .pool2D(
        Pool2DOptions(
          padding: .valid, strideWidth: 2, strideHeight: 3, filterWidth: 4, filterHeight: 5,
          activation: .reluN1To1)),
      .pool2D(Pool2DOptions())),
    OptionCase(
      8, [0: .uint8(1), 1: .uint8(1), 2: .bool(true), 3: .bool(true), 4: .uint8(2)],
      .fullyConnected(
        FullyConnectedOptions(
          activation: .relu, weightsFormat: .shuffled4x16Int8, keepDimensions: true,
          asymmetricQuantizeInputs: true, quantizedBiasType: 2)),
      .fullyConnected(FullyConnectedOptions())),
    OptionCase(9, [0: .float(1)], .softmax(SoftmaxOptions(beta: 1)), .softmax(SoftmaxOptions())),
    OptionCase(
      11, [0: .uint8(4), 1: .bool(false)],
      .add(AddOptions(activation: .tanh, potScaleInt16: false)),
      .add(AddOptions(potScaleInt16: true))),
    OptionCase(
      12, [0: .uint8(5)], .l2Norm(ActivationOptions(activation: .signBit)),
      .l2Norm(ActivationOptions())),
    OptionCase(
      13, [0: .int32(2), 1: .float(1), 2: .float(0.5), 3: .float(0.75)],
      .localResponseNormalization(
        LocalResponseNormalizationOptions(radius: 2, bias: 1, alpha: 0.5, beta: 0.75)),
      .localResponseNormalization(LocalResponseNormalizationOptions())),
    OptionCase(
      15, [2: .bool(true), 3: .bool(true)],
      .resizeBilinear(ResizeOptions(alignCorners: true, halfPixelCenters: true)),
      .resizeBilinear(ResizeOptions())),
    OptionCase(
      21, [0: .uint8(1)], .mul(ActivationOptions(activation: .relu)), .mul(ActivationOptions())),
    OptionCase(
      28, [0: .uint8(1), 1: .bool(false)],
      .sub(AddOptions(activation: .relu, potScaleInt16: false)),
      .sub(AddOptions(potScaleInt16: true))),
    OptionCase(
      29, [0: .uint8(1)], .div(ActivationOptions(activation: .relu)), .div(ActivationOptions())),
    OptionCase(
      49, [0: .uint8(1), 1: .int32(2), 2: .int32(3), 3: .uint8(1), 4: .uint8(2)],
      .transposeConv(
        TransposeConvOptions(
          padding: .valid, strideWidth: 2, strideHeight: 3, activation: .relu,
          quantizedBiasType: 2)),
      .transposeConv(TransposeConvOptions())),
    OptionCase(
      58, [0: .float(-1), 1: .float(1), 2: .int32(8), 3: .bool(true)],
      .fakeQuant(FakeQuantOptions(minimum: -1, maximum: 1, bitCount: 8, narrowRange: true)),
      .fakeQuant(FakeQuantOptions())),
    OptionCase(
      74, [0: .bool(true), 1: .bool(true)],
      .resizeNearestNeighbor(ResizeOptions(alignCorners: true, halfPixelCenters: true)),
      .resizeNearestNeighbor(ResizeOptions())),
    OptionCase(
      75, [0: .float(0.25)], .leakyRelu(LeakyReluOptions(alpha: 0.25)),
      .leakyRelu(LeakyReluOptions())),
    OptionCase(
      101, [0: .bool(true), 1: .bool(true), 2: .bool(true)],
      .batchMatMul(
        BatchMatMulOptions(adjointX: true, adjointY: true, asymmetricQuantizeInputs: true)),
      .batchMatMul(BatchMatMulOptions())),
    OptionCase(
      106,
      [
        0: .uint8(1), 1: .int32(2), 2: .int32(3), 3: .int32(4), 4: .uint8(1), 5: .int32(5),
        6: .int32(6), 7: .int32(7),
      ],
      .conv3D(
        Conv3DOptions(
          padding: .valid, strideDepth: 2, strideWidth: 3, strideHeight: 4, activation: .relu,
          dilationDepth: 5, dilationWidth: 6, dilationHeight: 7)),
      .conv3D(Conv3DOptions(dilationDepth: 1, dilationWidth: 1, dilationHeight: 1))),
    OptionCase(
      116, [0: .bool(true)], .gelu(GeluOptions(approximate: true)), .gelu(GeluOptions())),
  ]

  static let arrays: [OptionCase] = [
    OptionCase(
      3, [0: .int32(1), 1: .int32s([2]), 2: .int32s([3])],
      .concatEmbeddings(
        ConcatEmbeddingsOptions(
          channelCount: 1, columnsPerChannel: [2], embeddingDimensionsPerChannel: [3])),
      .concatEmbeddings(ConcatEmbeddingsOptions())),
    OptionCase(
      4, [0: .uint8(2)], .lshProjection(LSHProjectionOptions(type: .dense)),
      .lshProjection(LSHProjectionOptions())),
    OptionCase(
      10, [0: .int32(-1), 1: .uint8(1)],
      .concatenation(ConcatenationOptions(axis: -1, activation: .relu)),
      .concatenation(ConcatenationOptions())),
    OptionCase(
      17, [0: .int32s([2, -1])], .reshape(ReshapeOptions(newShape: [2, -1])),
      .reshape(ReshapeOptions(newShape: nil))),
    OptionCase(
      18, [0: .int32(2), 1: .int32(3), 2: .bool(true)],
      .skipGram(SkipGramOptions(ngramSize: 2, maximumSkipSize: 3, includeAllNgrams: true)),
      .skipGram(SkipGramOptions())),
    OptionCase(
      19, [0: .int32(2)], .spaceToDepth(BlockOptions(blockSize: 2)), .spaceToDepth(BlockOptions())),
    OptionCase(
      20, [0: .uint8(2)], .embeddingLookupSparse(EmbeddingLookupSparseOptions(combiner: .sqrtN)),
      .embeddingLookupSparse(EmbeddingLookupSparseOptions())),
    OptionCase(
      23, [0: .int32(1), 1: .int32(2)], .gather(GatherOptions(axis: 1, batchDimensions: 2)),
      .gather(GatherOptions())),
    OptionCase(
      27, [0: .bool(true)], .reducer(ReducerOptions(keepDimensions: true)),
      .reducer(ReducerOptions())),
    OptionCase(
      30, [0: .int32s([1, -2])], .squeeze(SqueezeOptions(dimensions: [1, -2])),
      .squeeze(SqueezeOptions())),
    OptionCase(
      32,
      [0: .int32(1), 1: .int32(2), 2: .int32(3), 3: .int32(4), 4: .int32(5), 5: .bool(true)],
      .stridedSlice(
        StridedSliceOptions(
          beginMask: 1, endMask: 2, ellipsisMask: 3, newAxisMask: 4, shrinkAxisMask: 5,
          offset: true)),
      .stridedSlice(StridedSliceOptions())),
    OptionCase(
      35, [0: .int32(3)], .split(SplitOptions(splitCount: 3)), .split(SplitOptions())),
    OptionCase(
      37, [0: .uint8(9), 1: .uint8(2)], .cast(CastOptions(inputType: 9, outputType: 2)),
      .cast(CastOptions())),
    OptionCase(
      40, [0: .uint8(4)], .argMax(ArgOptions(outputType: 4)), .argMax(ArgOptions())),
    OptionCase(
      50, [0: .bool(true)], .sparseToDense(SparseToDenseOptions(validateIndices: true)),
      .sparseToDense(SparseToDenseOptions())),
    OptionCase(55, [0: .uint8(4)], .shape(ArgOptions(outputType: 4)), .shape(ArgOptions())),
    OptionCase(
      57, [0: .uint8(4)], .argMin(ArgOptions(outputType: 4)), .argMin(ArgOptions())),
    OptionCase(
      59, [0: .int32(3), 1: .int32(-1)], .pack(PackOptions(valuesCount: 3, axis: -1)),
      .pack(PackOptions())),
    OptionCase(61, [0: .int32(-1)], .oneHot(OneHotOptions(axis: -1)), .oneHot(OneHotOptions())),
    OptionCase(
      64, [0: .int32(3), 1: .int32(-1)], .unpack(PackOptions(valuesCount: 3, axis: -1)),
      .unpack(PackOptions())),
    OptionCase(
      77, [0: .uint8(1)], .mirrorPad(MirrorPadOptions(mode: .symmetric)),
      .mirrorPad(MirrorPadOptions())),
    OptionCase(
      79, [0: .int32(3)], .splitV(SplitOptions(splitCount: 3)), .splitV(SplitOptions())),
    OptionCase(
      80, [0: .uint8(4)], .unique(ArgOptions(outputType: 4)), .unique(ArgOptions(outputType: 2))),
    OptionCase(
      87, [0: .int32(1), 1: .int32(2)],
      .reverseSequence(ReverseSequenceOptions(sequenceAxis: 1, batchAxis: 2)),
      .reverseSequence(ReverseSequenceOptions())),
    OptionCase(
      94, [0: .int32(2)], .depthToSpace(BlockOptions(blockSize: 2)), .depthToSpace(BlockOptions())),
    OptionCase(
      102, [0: .bool(true), 1: .bool(true)],
      .cumsum(CumsumOptions(exclusive: true, reverse: true)), .cumsum(CumsumOptions())),
    OptionCase(
      114, [0: .int64(7), 1: .int64(-1)], .random(RandomOptions(seed: 7, seed2: -1)),
      .random(RandomOptions())),
    OptionCase(
      115, [0: .floats([0, 1])], .bucketize(BucketizeOptions(boundaries: [0, 1])),
      .bucketize(BucketizeOptions())),
  ]

  static let recurrent: [OptionCase] = [
    OptionCase(
      6, [0: .int32(2), 1: .uint8(1), 2: .bool(true)],
      .svdf(SVDFOptions(rank: 2, activation: .relu, asymmetricQuantizeInputs: true)),
      .svdf(SVDFOptions())),
    OptionCase(
      7, [0: .uint8(1), 1: .bool(true)],
      .rnn(RNNOptions(activation: .relu, asymmetricQuantizeInputs: true)), .rnn(RNNOptions())),
    OptionCase(
      14, [0: .uint8(4), 1: .float(2), 2: .float(3), 3: .uint8(1), 4: .bool(true)],
      .lstm(
        LSTMOptions(
          activation: .tanh, cellClip: 2, projectionClip: 3, kernel: .basic,
          asymmetricQuantizeInputs: true)),
      .lstm(LSTMOptions())),
    OptionCase(
      31, [0: .bool(true), 1: .uint8(1), 2: .bool(true)],
      .sequenceRNN(
        RNNOptions(timeMajor: true, activation: .relu, asymmetricQuantizeInputs: true)),
      .sequenceRNN(RNNOptions())),
    OptionCase(
      69,
      [
        0: .uint8(4), 1: .float(2), 2: .float(3), 3: .bool(true), 4: .bool(false), 5: .bool(true),
      ],
      .bidirectionalSequenceLSTM(
        BidirectionalSequenceLSTMOptions(
          activation: .tanh, cellClip: 2, projectionClip: 3, mergeOutputs: true, timeMajor: false,
          asymmetricQuantizeInputs: true)),
      .bidirectionalSequenceLSTM(BidirectionalSequenceLSTMOptions(timeMajor: true))),
    OptionCase(
      70, [0: .bool(true), 1: .uint8(1), 2: .bool(true), 3: .bool(true)],
      .bidirectionalSequenceRNN(
        RNNOptions(
          timeMajor: true, activation: .relu, mergeOutputs: true, asymmetricQuantizeInputs: true)),
      .bidirectionalSequenceRNN(RNNOptions())),
    OptionCase(
      71,
      [0: .uint8(4), 1: .float(2), 2: .float(3), 3: .bool(true), 4: .bool(true), 5: .bool(true)],
      .unidirectionalSequenceLSTM(
        UnidirectionalSequenceLSTMOptions(
          activation: .tanh, cellClip: 2, projectionClip: 3, timeMajor: true,
          asymmetricQuantizeInputs: true, diagonalRecurrentTensors: true)),
      .unidirectionalSequenceLSTM(UnidirectionalSequenceLSTMOptions())),
  ]

  static let control: [OptionCase] = [
    OptionCase(
      16, [0: .int32(1)], .call(CallOptions(subgraph: 1)), .call(CallOptions(subgraph: 0))),
    OptionCase(
      92, [0: .int32(1), 1: .int32(1)], .if(IfOptions(thenSubgraph: 1, elseSubgraph: 1)),
      .if(IfOptions())),
    OptionCase(
      93, [0: .int32(1), 1: .int32(1)],
      .while(WhileOptions(conditionSubgraph: 1, bodySubgraph: 1)), .while(WhileOptions())),
    OptionCase(
      103, [0: .int32(1)], .callOnce(CallOptions(subgraph: 1)), .callOnce(CallOptions())),
    OptionCase(
      107, [0: .int32(4), 1: .uint8(4), 2: .uint8(5)],
      .hashtable(HashtableOptions(tableIdentifier: 4, keyType: 4, valueType: 5)),
      .hashtable(HashtableOptions())),
    OptionCase(
      111, [0: .string("box"), 1: .string("name")],
      .varHandle(VarHandleOptions(container: "box", sharedName: "name")),
      .varHandle(VarHandleOptions())),
    OptionCase(22, [:], .other(tag: 22), .other(tag: 22)),
    OptionCase(200, [0: .int32(1)], .other(tag: 200), .other(tag: 200)),
  ]

  @Test(arguments: layers + arrays + recurrent + control)
  func readsEveryField(of table: OptionCase) throws {
    var file = ModelFile()
    file.moreSubgraphs = [[:]]
    #expect(try options(file.options(table.tag, table.fields)) == table.options)
    #expect(try options(file.options(table.tag, [:])) == table.defaults)
  }

  @Test func readsTheSecondUnion() throws {
    var file = ModelFile()
    file.moreSubgraphs = [[:]]
    file.operators[0][3] = nil
    file.operators[0][4] = nil
    file.operators[0][11] = .uint8(21)
    file.operators[0][12] = .table([
      0: .string("odml.relu"), 1: .int32(1), 2: .bytes([1, 2]), 4: .int32(3),
    ])
    let model = try Model(bytes: file.bytes)
    guard case .composite(let options) = model.subgraphs[0].operators[0].options else {
      Issue.record("no composite options")
      return
    }
    #expect(options.name == "odml.relu")
    #expect(options.subgraph == 1)
    #expect(Array(model.bytes[options.attributes]) == [1, 2])
    #expect(options.version == 3)
    file.operators[0][11] = .uint8(18)
    #expect(try self.options(file) == .other2(tag: 18))
  }

  /// The options of a table of `BuiltinOptions2` in a model of one subgraph.
  private func options2(_ tag: UInt8, _ fields: [Int: FlatField]) throws -> OperatorOptions {
    var file = ModelFile()
    file.operators[0][3] = nil
    file.operators[0][4] = nil
    file.operators[0][11] = .uint8(tag)
    file.operators[0][12] = .table(fields)
    return try options(file)
  }

  @Test func readsOptionsOfStableHLO() throws {
    #expect(
      try options2(
        13,
        [
          0: .int64s([1, 3]), 1: .int64s([2, 4]), 2: .int64s([5, 6]), 3: .int64s([7, 8]),
          4: .int64s([0, -1, 9, .max]), 5: .int32(0),
        ])
        == .stableHLOReduceWindow(
          StableHLOReduceWindowOptions(
            extents: [1, 3], strides: [2, 4], baseDilations: [5, 6], windowDilations: [7, 8],
            padding: [0, -1, 9, .max], bodySubgraph: 0)))
    #expect(try options2(13, [:]) == .stableHLOReduceWindow(StableHLOReduceWindowOptions()))
    #expect(
      try options2(
        7,
        [
          0: .bool(true), 1: .int64s([1]), 2: .int64s([0]), 3: .int64s([2, 3]), 4: .int64(4),
          5: .bool(true), 6: .int32(0),
        ])
        == .stableHLOScatter(
          StableHLOScatterOptions(
            updateWindowAxes: [1], insertedWindowAxes: [0], scatterAxesToOperandAxes: [2, 3],
            indexVectorAxis: 4, computationSubgraph: 0)))
    #expect(
      try options2(
        16,
        [
          0: .int64s([1]), 1: .int64s([2]), 2: .int64s([3]), 3: .int64(4), 4: .int64s([5, 6]),
          5: .bool(true),
        ])
        == .stableHLOGather(
          StableHLOGatherOptions(
            offsetAxes: [1], collapsedSliceAxes: [2], startIndexMap: [3], indexVectorAxis: 4,
            sliceExtents: [5, 6])))
    #expect(
      try options2(10, [0: .int64s([1]), 1: .int64s([-2]), 2: .int64s([3])])
        == .stableHLOPad(StableHLOPadOptions(before: [1], after: [-2], between: [3])))
    #expect(
      try options2(20, [0: .int32(4)]) == .reduceWindow(ReduceWindowOptions(function: .maximum)))
  }

  @Test func rejectsInvalidOptionsOfStableHLO() {
    let place = OperatorOptionsTests.operation
    for (tag, field) in [(13, 5), (7, 6)] as [(UInt8, Int)] {
      for index in [-1, 1, Int32.max] {
        #expect(
          throws: ModelError.indexOutOfRange(.subgraph, place, index: Int(index), count: 1)
        ) { try options2(tag, [field: .int32(index)]) }
      }
    }
    for function in [-1, 7, Int32.max] {
      #expect(
        throws: ModelError.unknownValue(.reduceWindowFunction, place, found: Int(function))
      ) { try options2(20, [0: .int32(function)]) }
    }
  }

  @Test func returnsNoneWithoutTable() throws {
    var file = ModelFile()
    file.operators[0][4] = nil
    #expect(try options(file) == .none)
    file.operators[0][3] = nil
    #expect(try options(file) == .none)
  }

  static let operation = ModelPlace.operation(0, subgraph: 0)
  static let broken: [Broken] = [
    Broken(
      "padding 2", ModelFile().options(1, [0: .uint8(2)]),
      .unknownValue(.padding, operation, found: 2)),
    Broken(
      "padding -1", ModelFile().options(5, [0: .uint8(255)]),
      .unknownValue(.padding, operation, found: -1)),
    Broken(
      "activation 6", ModelFile().options(11, [0: .uint8(6)]),
      .unknownValue(.activation, operation, found: 6)),
    Broken(
      "mirror mode 2", ModelFile().options(77, [0: .uint8(2)]),
      .unknownValue(.mirrorPadMode, operation, found: 2)),
    Broken(
      "weights format 2", ModelFile().options(8, [1: .uint8(2)]),
      .unknownValue(.weightsFormat, operation, found: 2)),
    Broken(
      "combiner 3", ModelFile().options(20, [0: .uint8(3)]),
      .unknownValue(.combiner, operation, found: 3)),
    Broken(
      "LSTM kernel 2", ModelFile().options(14, [3: .uint8(2)]),
      .unknownValue(.lstmKernel, operation, found: 2)),
    Broken(
      "LSH projection 3", ModelFile().options(4, [0: .uint8(3)]),
      .unknownValue(.lshProjectionType, operation, found: 3)),
    Broken(
      "body out of range", ModelFile().options(93, [1: .int32(1)]),
      .indexOutOfRange(.subgraph, operation, index: 1, count: 1)),
    Broken(
      "branch below zero", ModelFile().options(92, [0: .int32(-1)]),
      .indexOutOfRange(.subgraph, operation, index: -1, count: 1)),
    Broken(
      "call out of range", ModelFile().options(16, [0: .int32(5)]),
      .indexOutOfRange(.subgraph, operation, index: 5, count: 1)),
  ]

  @Test(arguments: broken)
  func rejectsInvalidOptions(_ broken: Broken) {
    #expect(throws: broken.error) { _ = try Model(bytes: broken.file.bytes) }
  }
}
