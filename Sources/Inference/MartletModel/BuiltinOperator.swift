//===--- BuiltinOperator.swift - the operators of the schema --------------===//
//
// `BuiltinOperator` of the TensorFlow Lite schema, version 3 (LiteRT 2.3.0): the number that a file
// carries and the name that converters print.
//===----------------------------------------------------------------------===//

/// A builtin operator; the raw value is the schema's.
public enum BuiltinOperator: Int32, Sendable, Equatable, CaseIterable {
  case add = 0
  case averagePool2D = 1
  case concatenation = 2
  case conv2D = 3
  case depthwiseConv2D = 4
  case depthToSpace = 5
  case dequantize = 6
  case embeddingLookup = 7
  case floor = 8
  case fullyConnected = 9
  case hashtableLookup = 10
  case l2Normalization = 11
  case l2Pool2D = 12
  case localResponseNormalization = 13
  case logistic = 14
  case lshProjection = 15
  case lstm = 16
  case maxPool2D = 17
  case mul = 18
  case relu = 19
  case reluN1To1 = 20
  case relu6 = 21
  case reshape = 22
  case resizeBilinear = 23
  case rnn = 24
  case softmax = 25
  case spaceToDepth = 26
  case svdf = 27
  case tanh = 28
  case concatEmbeddings = 29
  case skipGram = 30
  case call = 31
  case embeddingLookupSparse = 33
  case pad = 34
  case unidirectionalSequenceRnn = 35
  case gather = 36
  case batchToSpaceNd = 37
  case spaceToBatchNd = 38
  case transpose = 39
  case mean = 40
  case sub = 41
  case div = 42
  case squeeze = 43
  case unidirectionalSequenceLstm = 44
  case stridedSlice = 45
  case bidirectionalSequenceRnn = 46
  case exp = 47
  case topkV2 = 48
  case split = 49
  case logSoftmax = 50
  case bidirectionalSequenceLstm = 52
  case cast = 53
  case prelu = 54
  case maximum = 55
  case argMax = 56
  case minimum = 57
  case less = 58
  case neg = 59
  case padv2 = 60
  case greater = 61
  case greaterEqual = 62
  case lessEqual = 63
  case select = 64
  case slice = 65
  case sin = 66
  case transposeConv = 67
  case sparseToDense = 68
  case tile = 69
  case expandDims = 70
  case equal = 71
  case notEqual = 72
  case log = 73
  case sum = 74
  case sqrt = 75
  case rsqrt = 76
  case shape = 77
  case pow = 78
  case argMin = 79
  case fakeQuant = 80
  case reduceProd = 81
  case reduceMax = 82
  case pack = 83
  case logicalOr = 84
  case oneHot = 85
  case logicalAnd = 86
  case logicalNot = 87
  case unpack = 88
  case reduceMin = 89
  case floorDiv = 90
  case reduceAny = 91
  case square = 92
  case zerosLike = 93
  case fill = 94
  case floorMod = 95
  case range = 96
  case resizeNearestNeighbor = 97
  case leakyRelu = 98
  case squaredDifference = 99
  case mirrorPad = 100
  case abs = 101
  case splitV = 102
  case unique = 103
  case ceil = 104
  case reverseV2 = 105
  case addN = 106
  case gatherNd = 107
  case cos = 108
  case `where` = 109
  case rank = 110
  case elu = 111
  case reverseSequence = 112
  case matrixDiag = 113
  case quantize = 114
  case matrixSetDiag = 115
  case round = 116
  case hardSwish = 117
  case `if` = 118
  case `while` = 119
  case nonMaxSuppressionV4 = 120
  case nonMaxSuppressionV5 = 121
  case scatterNd = 122
  case selectV2 = 123
  case densify = 124
  case segmentSum = 125
  case batchMatmul = 126
  case cumsum = 128
  case callOnce = 129
  case broadcastTo = 130
  case rfft2d = 131
  case conv3D = 132
  case imag = 133
  case real = 134
  case complexAbs = 135
  case hashtable = 136
  case hashtableFind = 137
  case hashtableImport = 138
  case hashtableSize = 139
  case reduceAll = 140
  case conv3DTranspose = 141
  case varHandle = 142
  case readVariable = 143
  case assignVariable = 144
  case broadcastArgs = 145
  case randomStandardNormal = 146
  case bucketize = 147
  case randomUniform = 148
  case multinomial = 149
  case gelu = 150
  case dynamicUpdateSlice = 151
  case relu0To1 = 152
  case unsortedSegmentProd = 153
  case unsortedSegmentMax = 154
  case unsortedSegmentSum = 155
  case atan2 = 156
  case unsortedSegmentMin = 157
  case sign = 158
  case bitcast = 159
  case bitwiseXor = 160
  case rightShift = 161
  case stablehloLogistic = 162
  case stablehloAdd = 163
  case stablehloDivide = 164
  case stablehloMultiply = 165
  case stablehloMaximum = 166
  case stablehloReshape = 167
  case stablehloClamp = 168
  case stablehloConcatenate = 169
  case stablehloBroadcastInDim = 170
  case stablehloConvolution = 171
  case stablehloSlice = 172
  case stablehloCustomCall = 173
  case stablehloReduce = 174
  case stablehloAbs = 175
  case stablehloAnd = 176
  case stablehloCosine = 177
  case stablehloExponential = 178
  case stablehloFloor = 179
  case stablehloLog = 180
  case stablehloMinimum = 181
  case stablehloNegate = 182
  case stablehloOr = 183
  case stablehloPower = 184
  case stablehloRemainder = 185
  case stablehloRsqrt = 186
  case stablehloSelect = 187
  case stablehloSubtract = 188
  case stablehloTanh = 189
  case stablehloScatter = 190
  case stablehloCompare = 191
  case stablehloConvert = 192
  case stablehloDynamicSlice = 193
  case stablehloDynamicUpdateSlice = 194
  case stablehloPad = 195
  case stablehloIota = 196
  case stablehloDotGeneral = 197
  case stablehloReduceWindow = 198
  case stablehloSort = 199
  case stablehloWhile = 200
  case stablehloGather = 201
  case stablehloTranspose = 202
  case dilate = 203
  case stablehloRngBitGenerator = 204
  case reduceWindow = 205
  case stablehloComposite = 206
  case stablehloShiftLeft = 207
  case stablehloCbrt = 208
  case stablehloCase = 209
}

extension BuiltinOperator: CustomStringConvertible {
  /// The schema's name, as `CONV_2D`.
  public var description: String { BuiltinOperator.names[Int(rawValue)] }

  /// The schema's names by number; 32, 51 and 127 are not operators.
  private static let names = [
    // 0
    "ADD", "AVERAGE_POOL_2D", "CONCATENATION", "CONV_2D", "DEPTHWISE_CONV_2D", "DEPTH_TO_SPACE",
    "DEQUANTIZE", "EMBEDDING_LOOKUP", "FLOOR", "FULLY_CONNECTED",
    // 10
    "HASHTABLE_LOOKUP", "L2_NORMALIZATION", "L2_POOL_2D", "LOCAL_RESPONSE_NORMALIZATION",
    "LOGISTIC", "LSH_PROJECTION", "LSTM", "MAX_POOL_2D", "MUL", "RELU",
    // 20
    "RELU_N1_TO_1", "RELU6", "RESHAPE", "RESIZE_BILINEAR", "RNN", "SOFTMAX", "SPACE_TO_DEPTH",
    "SVDF", "TANH", "CONCAT_EMBEDDINGS",
    // 30
    "SKIP_GRAM", "CALL", "CUSTOM", "EMBEDDING_LOOKUP_SPARSE", "PAD", "UNIDIRECTIONAL_SEQUENCE_RNN",
    "GATHER", "BATCH_TO_SPACE_ND", "SPACE_TO_BATCH_ND", "TRANSPOSE",
    // 40
    "MEAN", "SUB", "DIV", "SQUEEZE", "UNIDIRECTIONAL_SEQUENCE_LSTM", "STRIDED_SLICE",
    "BIDIRECTIONAL_SEQUENCE_RNN", "EXP", "TOPK_V2", "SPLIT",
    // 50
    "LOG_SOFTMAX", "DELEGATE", "BIDIRECTIONAL_SEQUENCE_LSTM", "CAST", "PRELU", "MAXIMUM", "ARG_MAX",
    "MINIMUM", "LESS", "NEG",
    // 60
    "PADV2", "GREATER", "GREATER_EQUAL", "LESS_EQUAL", "SELECT", "SLICE", "SIN", "TRANSPOSE_CONV",
    "SPARSE_TO_DENSE", "TILE",
    // 70
    "EXPAND_DIMS", "EQUAL", "NOT_EQUAL", "LOG", "SUM", "SQRT", "RSQRT", "SHAPE", "POW", "ARG_MIN",
    // 80
    "FAKE_QUANT", "REDUCE_PROD", "REDUCE_MAX", "PACK", "LOGICAL_OR", "ONE_HOT", "LOGICAL_AND",
    "LOGICAL_NOT", "UNPACK", "REDUCE_MIN",
    // 90
    "FLOOR_DIV", "REDUCE_ANY", "SQUARE", "ZEROS_LIKE", "FILL", "FLOOR_MOD", "RANGE",
    "RESIZE_NEAREST_NEIGHBOR", "LEAKY_RELU", "SQUARED_DIFFERENCE",
    // 100
    "MIRROR_PAD", "ABS", "SPLIT_V", "UNIQUE", "CEIL", "REVERSE_V2", "ADD_N", "GATHER_ND", "COS",
    "WHERE",
    // 110
    "RANK", "ELU", "REVERSE_SEQUENCE", "MATRIX_DIAG", "QUANTIZE", "MATRIX_SET_DIAG", "ROUND",
    "HARD_SWISH", "IF", "WHILE",
    // 120
    "NON_MAX_SUPPRESSION_V4", "NON_MAX_SUPPRESSION_V5", "SCATTER_ND", "SELECT_V2", "DENSIFY",
    "SEGMENT_SUM", "BATCH_MATMUL", "PLACEHOLDER_FOR_GREATER_OP_CODES", "CUMSUM", "CALL_ONCE",
    // 130
    "BROADCAST_TO", "RFFT2D", "CONV_3D", "IMAG", "REAL", "COMPLEX_ABS", "HASHTABLE",
    "HASHTABLE_FIND", "HASHTABLE_IMPORT", "HASHTABLE_SIZE",
    // 140
    "REDUCE_ALL", "CONV_3D_TRANSPOSE", "VAR_HANDLE", "READ_VARIABLE", "ASSIGN_VARIABLE",
    "BROADCAST_ARGS", "RANDOM_STANDARD_NORMAL", "BUCKETIZE", "RANDOM_UNIFORM", "MULTINOMIAL",
    // 150
    "GELU", "DYNAMIC_UPDATE_SLICE", "RELU_0_TO_1", "UNSORTED_SEGMENT_PROD", "UNSORTED_SEGMENT_MAX",
    "UNSORTED_SEGMENT_SUM", "ATAN2", "UNSORTED_SEGMENT_MIN", "SIGN", "BITCAST",
    // 160
    "BITWISE_XOR", "RIGHT_SHIFT", "STABLEHLO_LOGISTIC", "STABLEHLO_ADD", "STABLEHLO_DIVIDE",
    "STABLEHLO_MULTIPLY", "STABLEHLO_MAXIMUM", "STABLEHLO_RESHAPE", "STABLEHLO_CLAMP",
    "STABLEHLO_CONCATENATE",
    // 170
    "STABLEHLO_BROADCAST_IN_DIM", "STABLEHLO_CONVOLUTION", "STABLEHLO_SLICE",
    "STABLEHLO_CUSTOM_CALL", "STABLEHLO_REDUCE", "STABLEHLO_ABS", "STABLEHLO_AND",
    "STABLEHLO_COSINE", "STABLEHLO_EXPONENTIAL", "STABLEHLO_FLOOR",
    // 180
    "STABLEHLO_LOG", "STABLEHLO_MINIMUM", "STABLEHLO_NEGATE", "STABLEHLO_OR", "STABLEHLO_POWER",
    "STABLEHLO_REMAINDER", "STABLEHLO_RSQRT", "STABLEHLO_SELECT", "STABLEHLO_SUBTRACT",
    "STABLEHLO_TANH",
    // 190
    "STABLEHLO_SCATTER", "STABLEHLO_COMPARE", "STABLEHLO_CONVERT", "STABLEHLO_DYNAMIC_SLICE",
    "STABLEHLO_DYNAMIC_UPDATE_SLICE", "STABLEHLO_PAD", "STABLEHLO_IOTA", "STABLEHLO_DOT_GENERAL",
    "STABLEHLO_REDUCE_WINDOW", "STABLEHLO_SORT",
    // 200
    "STABLEHLO_WHILE", "STABLEHLO_GATHER", "STABLEHLO_TRANSPOSE", "DILATE",
    "STABLEHLO_RNG_BIT_GENERATOR", "REDUCE_WINDOW", "STABLEHLO_COMPOSITE", "STABLEHLO_SHIFT_LEFT",
    "STABLEHLO_CBRT", "STABLEHLO_CASE",
  ]
}
