//===--- OperatorOptions+Reading.swift - reading option tables ------------===//
//
// The tags of the schema's unions, and the table that each tag identifies. Whether the operator
// needs that table is not checked here.
//
// Contract  An unknown tag is kept as a number.
// Checked   Tests/MartletModelTests/OperatorOptionsTests.swift
//===----------------------------------------------------------------------===//

/// The tags of `BuiltinOptions` whose tables have fields, by the names of the schema.
private enum OptionsTag: UInt8 {
  case conv2D = 1
  case depthwiseConv2D = 2
  case concatEmbeddings = 3
  case lshProjection = 4
  case pool2D = 5
  case svdf = 6
  case rnn = 7
  case fullyConnected = 8
  case softmax = 9
  case concatenation = 10
  case add = 11
  case l2Norm = 12
  case localResponseNormalization = 13
  case lstm = 14
  case resizeBilinear = 15
  case call = 16
  case reshape = 17
  case skipGram = 18
  case spaceToDepth = 19
  case embeddingLookupSparse = 20
  case mul = 21
  case gather = 23
  case reducer = 27
  case sub = 28
  case div = 29
  case squeeze = 30
  case sequenceRNN = 31
  case stridedSlice = 32
  case split = 35
  case cast = 37
  case argMax = 40
  case transposeConv = 49
  case sparseToDense = 50
  case shape = 55
  case argMin = 57
  case fakeQuant = 58
  case pack = 59
  case oneHot = 61
  case unpack = 64
  case bidirectionalSequenceLSTM = 69
  case bidirectionalSequenceRNN = 70
  case unidirectionalSequenceLSTM = 71
  case resizeNearestNeighbor = 74
  case leakyRelu = 75
  case mirrorPad = 77
  case splitV = 79
  case unique = 80
  case reverseSequence = 87
  case `if` = 92
  case `while` = 93
  case depthToSpace = 94
  case batchMatMul = 101
  case cumsum = 102
  case callOnce = 103
  case conv3D = 106
  case hashtable = 107
  case varHandle = 111
  case random = 114
  case bucketize = 115
  case gelu = 116
}

/// The tags of `BuiltinOptions2` whose tables are read.
private enum Options2Tag: UInt8 {
  case stableHLOScatter = 7
  case stableHLOPad = 10
  case stableHLOReduceWindow = 13
  case stableHLOGather = 16
  case reduceWindow = 20
  case stableHLOComposite = 21
}

extension OperatorOptions {
  /// The fields of an operator's table that hold its options.
  private enum Field {
    static let builtinOptions = 3
    static let builtinOptions2 = 11
  }

  /// Returns the options of an operator and the offset of their table; `.none` if it has none.
  static func read(
    of operation: SchemaTable, subgraphCount: Int
  ) throws(ModelError) -> (options: OperatorOptions, start: Int?) {
    if let (tag, table) = try operation.union(Field.builtinOptions) {
      guard let known = OptionsTag(rawValue: tag) else {
        return (.other(tag: tag), table.table.offset)
      }
      return (try OperatorOptions(known, table, subgraphCount), table.table.offset)
    }
    if let (tag, table) = try operation.union(Field.builtinOptions2) {
      guard let known = Options2Tag(rawValue: tag) else {
        return (.other2(tag: tag), table.table.offset)
      }
      return (try OperatorOptions(known, table, subgraphCount), table.table.offset)
    }
    return (.none, nil)
  }

  /// Reads the table of a tag in `BuiltinOptions`.
  private init(
    _ tag: OptionsTag, _ table: SchemaTable, _ subgraphCount: Int
  ) throws(ModelError) {
    self =
      switch tag {
      case .conv2D: .conv2D(try Conv2DOptions(table))
      case .depthwiseConv2D: .depthwiseConv2D(try DepthwiseConv2DOptions(table))
      case .concatEmbeddings: .concatEmbeddings(try ConcatEmbeddingsOptions(table))
      case .lshProjection: .lshProjection(try LSHProjectionOptions(table))
      case .pool2D: .pool2D(try Pool2DOptions(table))
      case .svdf: .svdf(try SVDFOptions(table))
      case .rnn: .rnn(try RNNOptions(cell: table))
      case .fullyConnected: .fullyConnected(try FullyConnectedOptions(table))
      case .softmax: .softmax(try SoftmaxOptions(table))
      case .concatenation: .concatenation(try ConcatenationOptions(table))
      case .add: .add(try AddOptions(table))
      case .l2Norm: .l2Norm(try ActivationOptions(table))
      case .localResponseNormalization:
        .localResponseNormalization(try LocalResponseNormalizationOptions(table))
      case .lstm: .lstm(try LSTMOptions(table))
      case .resizeBilinear: .resizeBilinear(try ResizeOptions(bilinear: table))
      case .call: .call(try CallOptions(table, subgraphCount: subgraphCount))
      case .reshape: .reshape(try ReshapeOptions(table))
      case .skipGram: .skipGram(try SkipGramOptions(table))
      case .spaceToDepth: .spaceToDepth(try BlockOptions(table))
      case .embeddingLookupSparse: .embeddingLookupSparse(try EmbeddingLookupSparseOptions(table))
      case .mul: .mul(try ActivationOptions(table))
      case .gather: .gather(try GatherOptions(table))
      case .reducer: .reducer(try ReducerOptions(table))
      case .sub: .sub(try AddOptions(table))
      case .div: .div(try ActivationOptions(table))
      case .squeeze: .squeeze(try SqueezeOptions(table))
      case .sequenceRNN: .sequenceRNN(try RNNOptions(sequence: table))
      case .stridedSlice: .stridedSlice(try StridedSliceOptions(table))
      case .split: .split(try SplitOptions(table))
      case .cast: .cast(try CastOptions(table))
      case .argMax: .argMax(try ArgOptions(table))
      case .transposeConv: .transposeConv(try TransposeConvOptions(table))
      case .sparseToDense: .sparseToDense(try SparseToDenseOptions(table))
      case .shape: .shape(try ArgOptions(table))
      case .argMin: .argMin(try ArgOptions(table))
      case .fakeQuant: .fakeQuant(try FakeQuantOptions(table))
      case .pack: .pack(try PackOptions(table))
      case .oneHot: .oneHot(try OneHotOptions(table))
      case .unpack: .unpack(try PackOptions(table))
      case .bidirectionalSequenceLSTM:
        .bidirectionalSequenceLSTM(try BidirectionalSequenceLSTMOptions(table))
      case .bidirectionalSequenceRNN:
        .bidirectionalSequenceRNN(try RNNOptions(bidirectional: table))
      case .unidirectionalSequenceLSTM:
        .unidirectionalSequenceLSTM(try UnidirectionalSequenceLSTMOptions(table))
      case .resizeNearestNeighbor: .resizeNearestNeighbor(try ResizeOptions(nearestNeighbor: table))
      case .leakyRelu: .leakyRelu(try LeakyReluOptions(table))
      case .mirrorPad: .mirrorPad(try MirrorPadOptions(table))
      case .splitV: .splitV(try SplitOptions(table))
      case .unique: .unique(try ArgOptions(table, default: ElementType.int32.rawValue))
      case .reverseSequence: .reverseSequence(try ReverseSequenceOptions(table))
      case .if: .if(try IfOptions(table, subgraphCount: subgraphCount))
      case .while: .while(try WhileOptions(table, subgraphCount: subgraphCount))
      case .depthToSpace: .depthToSpace(try BlockOptions(table))
      case .batchMatMul: .batchMatMul(try BatchMatMulOptions(table))
      case .cumsum: .cumsum(try CumsumOptions(table))
      case .callOnce: .callOnce(try CallOptions(table, subgraphCount: subgraphCount))
      case .conv3D: .conv3D(try Conv3DOptions(table))
      case .hashtable: .hashtable(try HashtableOptions(table))
      case .varHandle: .varHandle(try VarHandleOptions(table))
      case .random: .random(try RandomOptions(table))
      case .bucketize: .bucketize(try BucketizeOptions(table))
      case .gelu: .gelu(try GeluOptions(table))
      }
  }

  /// Reads the table of a tag in `BuiltinOptions2`.
  private init(
    _ tag: Options2Tag, _ table: SchemaTable, _ subgraphCount: Int
  ) throws(ModelError) {
    self =
      switch tag {
      case .stableHLOComposite:
        .composite(try CompositeOptions(table, subgraphCount: subgraphCount))
      case .stableHLOReduceWindow:
        .stableHLOReduceWindow(
          try StableHLOReduceWindowOptions(table, subgraphCount: subgraphCount))
      case .stableHLOScatter:
        .stableHLOScatter(try StableHLOScatterOptions(table, subgraphCount: subgraphCount))
      case .stableHLOGather: .stableHLOGather(try StableHLOGatherOptions(table))
      case .stableHLOPad: .stableHLOPad(try StableHLOPadOptions(table))
      case .reduceWindow: .reduceWindow(try ReduceWindowOptions(table))
      }
  }
}

extension SchemaTable {
  /// Reads the index of a subgraph; throws unless it is less than `count`.
  func subgraph(_ field: Int, count: Int) throws(ModelError) -> Int {
    let index = try int32(field)
    try check(index, of: .subgraph, count: count)
    return index
  }
}
