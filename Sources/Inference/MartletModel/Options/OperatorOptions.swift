//===--- OperatorOptions.swift - options of an operator -------------------===//
//
// The option tables of the TensorFlow Lite schema as one enum, and the enumerations that they
// share. The tables themselves are in the other files of this folder.
//===----------------------------------------------------------------------===//

/// The padding of a sliding window.
package enum Padding: UInt8, Sendable, Equatable {
  case same = 0
  case valid = 1
}

/// The function applied to an operator's result before it is stored.
package enum Activation: UInt8, Sendable, Equatable {
  case none = 0
  case relu = 1
  case reluN1To1 = 2
  case relu6 = 3
  case tanh = 4
  case signBit = 5
}

extension Activation {
  /// The output range of the activation in real numbers, with infinity for an open end, or `nil` if
  /// the activation does not clamp (tanh, signBit).
  package var realRange: ClosedRange<Float>? {
    switch self {
    case .none: -Float.infinity...Float.infinity
    case .relu: 0...Float.infinity
    case .reluN1To1: -1...1
    case .relu6: 0...6
    case .tanh, .signBit: nil
    }
  }
}

/// How MIRROR_PAD reflects.
package enum MirrorPadMode: UInt8, Sendable, Equatable {
  case reflect = 0
  case symmetric = 1
}

/// The layout of fully connected weights.
package enum FullyConnectedWeightsFormat: UInt8, Sendable, Equatable {
  case normal = 0
  case shuffled4x16Int8 = 1
}

/// How EMBEDDING_LOOKUP_SPARSE joins the rows of one entry.
package enum Combiner: UInt8, Sendable, Equatable {
  case sum = 0
  case mean = 1
  case sqrtN = 2
}

/// The kind of LSTM cell.
package enum LSTMKernel: UInt8, Sendable, Equatable {
  case full = 0
  case basic = 1
}

/// How LSH_PROJECTION hashes.
package enum LSHProjectionType: UInt8, Sendable, Equatable {
  case unknown = 0
  case sparse = 1
  case dense = 2
}

/// The options of an operator, from the schema's unions `BuiltinOptions` and `BuiltinOptions2`.
package enum OperatorOptions: Sendable, Equatable {
  /// No option table in the file.
  case none
  /// A table without fields (PAD, TRANSPOSE, EXP and similar) or with an unknown tag; `tag` is the
  /// tag in `BuiltinOptions`.
  case other(tag: UInt8)
  /// A table of the second union, `BuiltinOptions2`, with a tag that is not read.
  case other2(tag: UInt8)
  case conv2D(Conv2DOptions)
  case depthwiseConv2D(DepthwiseConv2DOptions)
  case pool2D(Pool2DOptions)
  case fullyConnected(FullyConnectedOptions)
  case softmax(SoftmaxOptions)
  case concatenation(ConcatenationOptions)
  case add(AddOptions)
  case sub(AddOptions)
  case mul(ActivationOptions)
  case div(ActivationOptions)
  case l2Norm(ActivationOptions)
  case reshape(ReshapeOptions)
  case resizeBilinear(ResizeOptions)
  case resizeNearestNeighbor(ResizeOptions)
  case reducer(ReducerOptions)
  case gather(GatherOptions)
  case stridedSlice(StridedSliceOptions)
  case argMax(ArgOptions)
  case argMin(ArgOptions)
  case mirrorPad(MirrorPadOptions)
  case pack(PackOptions)
  case unpack(PackOptions)
  case split(SplitOptions)
  case splitV(SplitOptions)
  case squeeze(SqueezeOptions)
  case transposeConv(TransposeConvOptions)
  case spaceToDepth(BlockOptions)
  case depthToSpace(BlockOptions)
  case leakyRelu(LeakyReluOptions)
  case conv3D(Conv3DOptions)
  case localResponseNormalization(LocalResponseNormalizationOptions)
  case cast(CastOptions)
  case shape(ArgOptions)
  case unique(ArgOptions)
  case sparseToDense(SparseToDenseOptions)
  case fakeQuant(FakeQuantOptions)
  case oneHot(OneHotOptions)
  case reverseSequence(ReverseSequenceOptions)
  case batchMatMul(BatchMatMulOptions)
  case cumsum(CumsumOptions)
  case bucketize(BucketizeOptions)
  case gelu(GeluOptions)
  case random(RandomOptions)
  case skipGram(SkipGramOptions)
  case embeddingLookupSparse(EmbeddingLookupSparseOptions)
  case lshProjection(LSHProjectionOptions)
  case concatEmbeddings(ConcatEmbeddingsOptions)
  case svdf(SVDFOptions)
  case rnn(RNNOptions)
  case sequenceRNN(RNNOptions)
  case bidirectionalSequenceRNN(RNNOptions)
  case lstm(LSTMOptions)
  case unidirectionalSequenceLSTM(UnidirectionalSequenceLSTMOptions)
  case bidirectionalSequenceLSTM(BidirectionalSequenceLSTMOptions)
  case `if`(IfOptions)
  case `while`(WhileOptions)
  case call(CallOptions)
  case callOnce(CallOptions)
  case composite(CompositeOptions)
  case varHandle(VarHandleOptions)
  case hashtable(HashtableOptions)
  case stableHLOReduceWindow(StableHLOReduceWindowOptions)
  case stableHLOScatter(StableHLOScatterOptions)
  case stableHLOGather(StableHLOGatherOptions)
  case stableHLOPad(StableHLOPadOptions)
  case reduceWindow(ReduceWindowOptions)
}
