//===--- OperatorOptions+Reading.swift - option tables from a file --------===//
//
// One line a field, one case a tag of the schema's union `BuiltinOptions`. Whether the table is the
// one that the operator needs is not asked here.
//
// Contract  Indices of subgraphs lead somewhere; values of enumerations are the schema's. Extents,
//           strides and axes are as the file says them, checked by the operator that uses them.
// Checked   Tests/MartletModelTests/OperatorOptionsTests.swift
//===----------------------------------------------------------------------===//

extension OperatorOptions {
  /// The options in an operator's table, and where that starts; `.none` where it has none.
  static func read(
    of operation: SchemaTable, subgraphCount: Int
  ) throws(ModelError) -> (options: OperatorOptions, start: Int?) {
    if let (tag, table) = try operation.union(3) {
      return (try read(tag, table, subgraphCount) ?? .other(tag: tag), table.table.offset)
    }
    if let (tag, table) = try operation.union(11) {
      return (try readSecond(tag, table, subgraphCount) ?? .other2(tag: tag), table.table.offset)
    }
    return (.none, nil)
  }

  /// The table of a tag in `BuiltinOptions`, or `nil` where this reader knows no field of it.
  private static func read(
    _ tag: UInt8, _ table: SchemaTable, _ subgraphCount: Int
  ) throws(ModelError) -> OperatorOptions? {
    if let options = try table.layerOptions(tag) { return options }
    if let options = try table.arrayOptions(tag) { return options }
    if let options = try table.recurrentOptions(tag) { return options }
    return try table.controlOptions(tag, subgraphCount)
  }

  /// The table of a tag in `BuiltinOptions2`.
  private static func readSecond(
    _ tag: UInt8, _ table: SchemaTable, _ subgraphCount: Int
  ) throws(ModelError) -> OperatorOptions? {
    guard tag == 21 else { return nil }
    return .composite(
      CompositeOptions(
        name: try table.string(0) ?? "", subgraph: try table.subgraph(1, count: subgraphCount),
        attributes: try table.sharedBytes(2) ?? 0..<0, version: try table.int32(4)))
  }
}

extension SchemaTable {
  /// The index of a subgraph that exists.
  fileprivate func subgraph(_ field: Int, count: Int) throws(ModelError) -> Int {
    let index = try int32(field)
    try check(index, of: .subgraph, count: count)
    return index
  }

  /// Layers that compute: convolution, pooling, arithmetic, normalisation, resizing.
  fileprivate func layerOptions(_ tag: UInt8) throws(ModelError) -> OperatorOptions? {
    switch tag {
    case 1:
      return .conv2D(
        Conv2DOptions(
          padding: try padding(0), strideWidth: try int32(1), strideHeight: try int32(2),
          dilationWidth: try int32(4, default: 1), dilationHeight: try int32(5, default: 1),
          activation: try activation(3), quantizedBiasType: try uint8(6)))
    case 2:
      return .depthwiseConv2D(
        DepthwiseConv2DOptions(
          padding: try padding(0), strideWidth: try int32(1), strideHeight: try int32(2),
          depthMultiplier: try int32(3), dilationWidth: try int32(5, default: 1),
          dilationHeight: try int32(6, default: 1), activation: try activation(4)))
    case 5:
      return .pool2D(
        Pool2DOptions(
          padding: try padding(0), strideWidth: try int32(1), strideHeight: try int32(2),
          filterWidth: try int32(3), filterHeight: try int32(4), activation: try activation(5)))
    case 8:
      return .fullyConnected(
        FullyConnectedOptions(
          activation: try activation(0), weightsFormat: try option(1, .weightsFormat),
          keepDimensions: try bool(2), asymmetricQuantizeInputs: try bool(3),
          quantizedBiasType: try uint8(4)))
    case 9:
      return .softmax(SoftmaxOptions(beta: try float(0)))
    case 11:
      return .add(
        AddOptions(activation: try activation(0), potScaleInt16: try bool(1, default: true)))
    case 12:
      return .l2Norm(ActivationOptions(activation: try activation(0)))
    case 13:
      return .localResponseNormalization(
        LocalResponseNormalizationOptions(
          radius: try int32(0), bias: try float(1), alpha: try float(2), beta: try float(3)))
    case 15:
      return .resizeBilinear(
        ResizeOptions(alignCorners: try bool(2), halfPixelCenters: try bool(3)))
    case 21:
      return .mul(ActivationOptions(activation: try activation(0)))
    case 28:
      return .sub(
        AddOptions(activation: try activation(0), potScaleInt16: try bool(1, default: true)))
    case 29:
      return .div(ActivationOptions(activation: try activation(0)))
    case 49:
      return .transposeConv(
        TransposeConvOptions(
          padding: try padding(0), strideWidth: try int32(1), strideHeight: try int32(2),
          activation: try activation(3), quantizedBiasType: try uint8(4)))
    case 58:
      return .fakeQuant(
        FakeQuantOptions(
          minimum: try float(0), maximum: try float(1), bitCount: try int32(2),
          narrowRange: try bool(3)))
    case 74:
      return .resizeNearestNeighbor(
        ResizeOptions(alignCorners: try bool(0), halfPixelCenters: try bool(1)))
    case 75:
      return .leakyRelu(LeakyReluOptions(alpha: try float(0)))
    case 101:
      return .batchMatMul(
        BatchMatMulOptions(
          adjointX: try bool(0), adjointY: try bool(1), asymmetricQuantizeInputs: try bool(2)))
    case 106:
      return .conv3D(
        Conv3DOptions(
          padding: try padding(0), strideDepth: try int32(1), strideWidth: try int32(2),
          strideHeight: try int32(3), activation: try activation(4),
          dilationDepth: try int32(5, default: 1), dilationWidth: try int32(6, default: 1),
          dilationHeight: try int32(7, default: 1)))
    case 116:
      return .gelu(GeluOptions(approximate: try bool(0)))
    default: return nil
    }
  }

  /// Operators that move, choose or gather elements.
  fileprivate func arrayOptions(_ tag: UInt8) throws(ModelError) -> OperatorOptions? {
    switch tag {
    case 3:
      return .concatEmbeddings(
        ConcatEmbeddingsOptions(
          channelCount: try int32(0), columnsPerChannel: try int32s(1) ?? [],
          embeddingDimensionsPerChannel: try int32s(2) ?? []))
    case 4:
      return .lshProjection(LSHProjectionOptions(type: try option(0, .lshProjectionType)))
    case 10:
      return .concatenation(ConcatenationOptions(axis: try int32(0), activation: try activation(1)))
    case 17:
      return .reshape(ReshapeOptions(newShape: try int32s(0)))
    case 18:
      return .skipGram(
        SkipGramOptions(
          ngramSize: try int32(0), maximumSkipSize: try int32(1), includeAllNgrams: try bool(2)))
    case 19:
      return .spaceToDepth(BlockOptions(blockSize: try int32(0)))
    case 20:
      return .embeddingLookupSparse(
        EmbeddingLookupSparseOptions(combiner: try option(0, .combiner)))
    case 23:
      return .gather(GatherOptions(axis: try int32(0), batchDimensions: try int32(1)))
    case 27:
      return .reducer(ReducerOptions(keepDimensions: try bool(0)))
    case 30:
      return .squeeze(SqueezeOptions(dimensions: try int32s(0) ?? []))
    case 32:
      return .stridedSlice(
        StridedSliceOptions(
          beginMask: try int32(0), endMask: try int32(1), ellipsisMask: try int32(2),
          newAxisMask: try int32(3), shrinkAxisMask: try int32(4), offset: try bool(5)))
    case 35:
      return .split(SplitOptions(splitCount: try int32(0)))
    case 37:
      return .cast(CastOptions(inputType: try uint8(0), outputType: try uint8(1)))
    case 40:
      return .argMax(ArgOptions(outputType: try uint8(0)))
    case 50:
      return .sparseToDense(SparseToDenseOptions(validateIndices: try bool(0)))
    case 55:
      return .shape(ArgOptions(outputType: try uint8(0)))
    case 57:
      return .argMin(ArgOptions(outputType: try uint8(0)))
    case 59:
      return .pack(PackOptions(valuesCount: try int32(0), axis: try int32(1)))
    case 61:
      return .oneHot(OneHotOptions(axis: try int32(0)))
    case 64:
      return .unpack(PackOptions(valuesCount: try int32(0), axis: try int32(1)))
    case 77:
      return .mirrorPad(MirrorPadOptions(mode: try option(0, .mirrorPadMode)))
    case 79:
      return .splitV(SplitOptions(splitCount: try int32(0)))
    case 80:
      return .unique(ArgOptions(outputType: try uint8(0, default: ElementType.int32.rawValue)))
    case 87:
      return .reverseSequence(
        ReverseSequenceOptions(sequenceAxis: try int32(0), batchAxis: try int32(1)))
    case 94:
      return .depthToSpace(BlockOptions(blockSize: try int32(0)))
    case 102:
      return .cumsum(CumsumOptions(exclusive: try bool(0), reverse: try bool(1)))
    case 114:
      return .random(RandomOptions(seed: try int64(0), seed2: try int64(1)))
    case 115:
      return .bucketize(BucketizeOptions(boundaries: try floats(0) ?? []))
    default: return nil
    }
  }

  /// Recurrent layers.
  fileprivate func recurrentOptions(_ tag: UInt8) throws(ModelError) -> OperatorOptions? {
    switch tag {
    case 6:
      return .svdf(
        SVDFOptions(
          rank: try int32(0), activation: try activation(1), asymmetricQuantizeInputs: try bool(2)))
    case 7:
      return .rnn(RNNOptions(activation: try activation(0), asymmetricQuantizeInputs: try bool(1)))
    case 14:
      return .lstm(
        LSTMOptions(
          activation: try activation(0), cellClip: try float(1), projectionClip: try float(2),
          kernel: try option(3, .lstmKernel), asymmetricQuantizeInputs: try bool(4)))
    case 31:
      return .sequenceRNN(
        RNNOptions(
          timeMajor: try bool(0), activation: try activation(1),
          asymmetricQuantizeInputs: try bool(2)))
    case 69:
      return .bidirectionalSequenceLSTM(
        BidirectionalSequenceLSTMOptions(
          activation: try activation(0), cellClip: try float(1), projectionClip: try float(2),
          mergeOutputs: try bool(3), timeMajor: try bool(4, default: true),
          asymmetricQuantizeInputs: try bool(5)))
    case 70:
      return .bidirectionalSequenceRNN(
        RNNOptions(
          timeMajor: try bool(0), activation: try activation(1), mergeOutputs: try bool(2),
          asymmetricQuantizeInputs: try bool(3)))
    case 71:
      return .unidirectionalSequenceLSTM(
        UnidirectionalSequenceLSTMOptions(
          activation: try activation(0), cellClip: try float(1), projectionClip: try float(2),
          timeMajor: try bool(3), asymmetricQuantizeInputs: try bool(4),
          diagonalRecurrentTensors: try bool(5)))
    default: return nil
    }
  }

  /// Control flow, variables and tables.
  fileprivate func controlOptions(
    _ tag: UInt8, _ subgraphCount: Int
  ) throws(ModelError) -> OperatorOptions? {
    switch tag {
    case 16:
      return .call(CallOptions(subgraph: try subgraph(0, count: subgraphCount)))
    case 92:
      return .if(
        IfOptions(
          thenSubgraph: try subgraph(0, count: subgraphCount),
          elseSubgraph: try subgraph(1, count: subgraphCount)))
    case 93:
      return .while(
        WhileOptions(
          conditionSubgraph: try subgraph(0, count: subgraphCount),
          bodySubgraph: try subgraph(1, count: subgraphCount)))
    case 103:
      return .callOnce(CallOptions(subgraph: try subgraph(0, count: subgraphCount)))
    case 107:
      return .hashtable(
        HashtableOptions(
          tableIdentifier: try int32(0), keyType: try uint8(1), valueType: try uint8(2)))
    case 111:
      return .varHandle(
        VarHandleOptions(container: try string(0) ?? "", sharedName: try string(1) ?? ""))
    default: return nil
    }
  }
}
