//===--- OperatorOptions+Reading.swift - reading option tables ------------===//
//
// The table that each tag of the schema's unions identifies, by the numbers of the schema. Whether
// the operator needs that table is not checked here.
//
// Contract  An unknown tag is kept as a number.
//===----------------------------------------------------------------------===//

extension OperatorOptions {
  /// Returns the options of an operator, from its field 3 or 11, and the offset of their table;
  /// `.none` if it has none.
  static func read(
    of operation: SchemaTable, subgraphCount: Int
  ) throws(ModelError) -> (options: OperatorOptions, start: Int?) {
    if let (tag, table) = try operation.union(3) {
      return (try OperatorOptions(tag, table, subgraphCount), table.table.offset)
    }
    if let (tag, table) = try operation.union(11) {
      return (try OperatorOptions(tag2: tag, table, subgraphCount), table.table.offset)
    }
    return (.none, nil)
  }

  /// Reads the table of a tag in `BuiltinOptions`.
  private init(
    _ tag: UInt8, _ table: SchemaTable, _ subgraphCount: Int
  ) throws(ModelError) {
    self =
      switch tag {
      case 1: .conv2D(try Conv2DOptions(table))
      case 2: .depthwiseConv2D(try DepthwiseConv2DOptions(table))
      case 3: .concatEmbeddings(try ConcatEmbeddingsOptions(table))
      case 4: .lshProjection(try LSHProjectionOptions(table))
      case 5: .pool2D(try Pool2DOptions(table))
      case 6: .svdf(try SVDFOptions(table))
      case 7: .rnn(try RNNOptions(cell: table))
      case 8: .fullyConnected(try FullyConnectedOptions(table))
      case 9: .softmax(try SoftmaxOptions(table))
      case 10: .concatenation(try ConcatenationOptions(table))
      case 11: .add(try AddOptions(table))
      case 12: .l2Norm(try ActivationOptions(table))
      case 13:
        .localResponseNormalization(try LocalResponseNormalizationOptions(table))
      case 14: .lstm(try LSTMOptions(table))
      case 15: .resizeBilinear(try ResizeOptions(bilinear: table))
      case 16: .call(try CallOptions(table, subgraphCount: subgraphCount))
      case 17: .reshape(try ReshapeOptions(table))
      case 18: .skipGram(try SkipGramOptions(table))
      case 19: .spaceToDepth(try BlockOptions(table))
      case 20: .embeddingLookupSparse(try EmbeddingLookupSparseOptions(table))
      case 21: .mul(try ActivationOptions(table))
      case 23: .gather(try GatherOptions(table))
      case 27: .reducer(try ReducerOptions(table))
      case 28: .sub(try AddOptions(table))
      case 29: .div(try ActivationOptions(table))
      case 30: .squeeze(try SqueezeOptions(table))
      case 31: .sequenceRNN(try RNNOptions(sequence: table))
      case 32: .stridedSlice(try StridedSliceOptions(table))
      case 35: .split(try SplitOptions(table))
      case 37: .cast(try CastOptions(table))
      case 40: .argMax(try ArgOptions(table))
      case 49: .transposeConv(try TransposeConvOptions(table))
      case 50: .sparseToDense(try SparseToDenseOptions(table))
      case 55: .shape(try ArgOptions(table))
      case 57: .argMin(try ArgOptions(table))
      case 58: .fakeQuant(try FakeQuantOptions(table))
      case 59: .pack(try PackOptions(table))
      case 61: .oneHot(try OneHotOptions(table))
      case 64: .unpack(try PackOptions(table))
      case 69:
        .bidirectionalSequenceLSTM(try BidirectionalSequenceLSTMOptions(table))
      case 70:
        .bidirectionalSequenceRNN(try RNNOptions(bidirectional: table))
      case 71:
        .unidirectionalSequenceLSTM(try UnidirectionalSequenceLSTMOptions(table))
      case 74: .resizeNearestNeighbor(try ResizeOptions(nearestNeighbor: table))
      case 75: .leakyRelu(try LeakyReluOptions(table))
      case 77: .mirrorPad(try MirrorPadOptions(table))
      case 79: .splitV(try SplitOptions(table))
      case 80: .unique(try ArgOptions(table, default: ElementType.int32.rawValue))
      case 87: .reverseSequence(try ReverseSequenceOptions(table))
      case 92: .if(try IfOptions(table, subgraphCount: subgraphCount))
      case 93: .while(try WhileOptions(table, subgraphCount: subgraphCount))
      case 94: .depthToSpace(try BlockOptions(table))
      case 101: .batchMatMul(try BatchMatMulOptions(table))
      case 102: .cumsum(try CumsumOptions(table))
      case 103: .callOnce(try CallOptions(table, subgraphCount: subgraphCount))
      case 106: .conv3D(try Conv3DOptions(table))
      case 107: .hashtable(try HashtableOptions(table))
      case 111: .varHandle(try VarHandleOptions(table))
      case 114: .random(try RandomOptions(table))
      case 115: .bucketize(try BucketizeOptions(table))
      case 116: .gelu(try GeluOptions(table))
      default: .other(tag: tag)
      }
  }

  /// Reads the table of a tag in `BuiltinOptions2`.
  private init(
    tag2 tag: UInt8, _ table: SchemaTable, _ subgraphCount: Int
  ) throws(ModelError) {
    self =
      switch tag {
      case 7:
        .stableHLOScatter(try StableHLOScatterOptions(table, subgraphCount: subgraphCount))
      case 10: .stableHLOPad(try StableHLOPadOptions(table))
      case 13:
        .stableHLOReduceWindow(
          try StableHLOReduceWindowOptions(table, subgraphCount: subgraphCount))
      case 16: .stableHLOGather(try StableHLOGatherOptions(table))
      case 20: .reduceWindow(try ReduceWindowOptions(table))
      case 21:
        .composite(try CompositeOptions(table, subgraphCount: subgraphCount))
      default: .other2(tag: tag)
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
