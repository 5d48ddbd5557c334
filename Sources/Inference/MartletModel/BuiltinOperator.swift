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
  public var description: String {
    switch self {
    case .add: "ADD"
    case .averagePool2D: "AVERAGE_POOL_2D"
    case .concatenation: "CONCATENATION"
    case .conv2D: "CONV_2D"
    case .depthwiseConv2D: "DEPTHWISE_CONV_2D"
    case .depthToSpace: "DEPTH_TO_SPACE"
    case .dequantize: "DEQUANTIZE"
    case .embeddingLookup: "EMBEDDING_LOOKUP"
    case .floor: "FLOOR"
    case .fullyConnected: "FULLY_CONNECTED"
    case .hashtableLookup: "HASHTABLE_LOOKUP"
    case .l2Normalization: "L2_NORMALIZATION"
    case .l2Pool2D: "L2_POOL_2D"
    case .localResponseNormalization: "LOCAL_RESPONSE_NORMALIZATION"
    case .logistic: "LOGISTIC"
    case .lshProjection: "LSH_PROJECTION"
    case .lstm: "LSTM"
    case .maxPool2D: "MAX_POOL_2D"
    case .mul: "MUL"
    case .relu: "RELU"
    case .reluN1To1: "RELU_N1_TO_1"
    case .relu6: "RELU6"
    case .reshape: "RESHAPE"
    case .resizeBilinear: "RESIZE_BILINEAR"
    case .rnn: "RNN"
    case .softmax: "SOFTMAX"
    case .spaceToDepth: "SPACE_TO_DEPTH"
    case .svdf: "SVDF"
    case .tanh: "TANH"
    case .concatEmbeddings: "CONCAT_EMBEDDINGS"
    case .skipGram: "SKIP_GRAM"
    case .call: "CALL"
    case .embeddingLookupSparse: "EMBEDDING_LOOKUP_SPARSE"
    case .pad: "PAD"
    case .unidirectionalSequenceRnn: "UNIDIRECTIONAL_SEQUENCE_RNN"
    case .gather: "GATHER"
    case .batchToSpaceNd: "BATCH_TO_SPACE_ND"
    case .spaceToBatchNd: "SPACE_TO_BATCH_ND"
    case .transpose: "TRANSPOSE"
    case .mean: "MEAN"
    case .sub: "SUB"
    case .div: "DIV"
    case .squeeze: "SQUEEZE"
    case .unidirectionalSequenceLstm: "UNIDIRECTIONAL_SEQUENCE_LSTM"
    case .stridedSlice: "STRIDED_SLICE"
    case .bidirectionalSequenceRnn: "BIDIRECTIONAL_SEQUENCE_RNN"
    case .exp: "EXP"
    case .topkV2: "TOPK_V2"
    case .split: "SPLIT"
    case .logSoftmax: "LOG_SOFTMAX"
    case .bidirectionalSequenceLstm: "BIDIRECTIONAL_SEQUENCE_LSTM"
    case .cast: "CAST"
    case .prelu: "PRELU"
    case .maximum: "MAXIMUM"
    case .argMax: "ARG_MAX"
    case .minimum: "MINIMUM"
    case .less: "LESS"
    case .neg: "NEG"
    case .padv2: "PADV2"
    case .greater: "GREATER"
    case .greaterEqual: "GREATER_EQUAL"
    case .lessEqual: "LESS_EQUAL"
    case .select: "SELECT"
    case .slice: "SLICE"
    case .sin: "SIN"
    case .transposeConv: "TRANSPOSE_CONV"
    case .sparseToDense: "SPARSE_TO_DENSE"
    case .tile: "TILE"
    case .expandDims: "EXPAND_DIMS"
    case .equal: "EQUAL"
    case .notEqual: "NOT_EQUAL"
    case .log: "LOG"
    case .sum: "SUM"
    case .sqrt: "SQRT"
    case .rsqrt: "RSQRT"
    case .shape: "SHAPE"
    case .pow: "POW"
    case .argMin: "ARG_MIN"
    case .fakeQuant: "FAKE_QUANT"
    case .reduceProd: "REDUCE_PROD"
    case .reduceMax: "REDUCE_MAX"
    case .pack: "PACK"
    case .logicalOr: "LOGICAL_OR"
    case .oneHot: "ONE_HOT"
    case .logicalAnd: "LOGICAL_AND"
    case .logicalNot: "LOGICAL_NOT"
    case .unpack: "UNPACK"
    case .reduceMin: "REDUCE_MIN"
    case .floorDiv: "FLOOR_DIV"
    case .reduceAny: "REDUCE_ANY"
    case .square: "SQUARE"
    case .zerosLike: "ZEROS_LIKE"
    case .fill: "FILL"
    case .floorMod: "FLOOR_MOD"
    case .range: "RANGE"
    case .resizeNearestNeighbor: "RESIZE_NEAREST_NEIGHBOR"
    case .leakyRelu: "LEAKY_RELU"
    case .squaredDifference: "SQUARED_DIFFERENCE"
    case .mirrorPad: "MIRROR_PAD"
    case .abs: "ABS"
    case .splitV: "SPLIT_V"
    case .unique: "UNIQUE"
    case .ceil: "CEIL"
    case .reverseV2: "REVERSE_V2"
    case .addN: "ADD_N"
    case .gatherNd: "GATHER_ND"
    case .cos: "COS"
    case .where: "WHERE"
    case .rank: "RANK"
    case .elu: "ELU"
    case .reverseSequence: "REVERSE_SEQUENCE"
    case .matrixDiag: "MATRIX_DIAG"
    case .quantize: "QUANTIZE"
    case .matrixSetDiag: "MATRIX_SET_DIAG"
    case .round: "ROUND"
    case .hardSwish: "HARD_SWISH"
    case .if: "IF"
    case .while: "WHILE"
    case .nonMaxSuppressionV4: "NON_MAX_SUPPRESSION_V4"
    case .nonMaxSuppressionV5: "NON_MAX_SUPPRESSION_V5"
    case .scatterNd: "SCATTER_ND"
    case .selectV2: "SELECT_V2"
    case .densify: "DENSIFY"
    case .segmentSum: "SEGMENT_SUM"
    case .batchMatmul: "BATCH_MATMUL"
    case .cumsum: "CUMSUM"
    case .callOnce: "CALL_ONCE"
    case .broadcastTo: "BROADCAST_TO"
    case .rfft2d: "RFFT2D"
    case .conv3D: "CONV_3D"
    case .imag: "IMAG"
    case .real: "REAL"
    case .complexAbs: "COMPLEX_ABS"
    case .hashtable: "HASHTABLE"
    case .hashtableFind: "HASHTABLE_FIND"
    case .hashtableImport: "HASHTABLE_IMPORT"
    case .hashtableSize: "HASHTABLE_SIZE"
    case .reduceAll: "REDUCE_ALL"
    case .conv3DTranspose: "CONV_3D_TRANSPOSE"
    case .varHandle: "VAR_HANDLE"
    case .readVariable: "READ_VARIABLE"
    case .assignVariable: "ASSIGN_VARIABLE"
    case .broadcastArgs: "BROADCAST_ARGS"
    case .randomStandardNormal: "RANDOM_STANDARD_NORMAL"
    case .bucketize: "BUCKETIZE"
    case .randomUniform: "RANDOM_UNIFORM"
    case .multinomial: "MULTINOMIAL"
    case .gelu: "GELU"
    case .dynamicUpdateSlice: "DYNAMIC_UPDATE_SLICE"
    case .relu0To1: "RELU_0_TO_1"
    case .unsortedSegmentProd: "UNSORTED_SEGMENT_PROD"
    case .unsortedSegmentMax: "UNSORTED_SEGMENT_MAX"
    case .unsortedSegmentSum: "UNSORTED_SEGMENT_SUM"
    case .atan2: "ATAN2"
    case .unsortedSegmentMin: "UNSORTED_SEGMENT_MIN"
    case .sign: "SIGN"
    case .bitcast: "BITCAST"
    case .bitwiseXor: "BITWISE_XOR"
    case .rightShift: "RIGHT_SHIFT"
    case .stablehloLogistic: "STABLEHLO_LOGISTIC"
    case .stablehloAdd: "STABLEHLO_ADD"
    case .stablehloDivide: "STABLEHLO_DIVIDE"
    case .stablehloMultiply: "STABLEHLO_MULTIPLY"
    case .stablehloMaximum: "STABLEHLO_MAXIMUM"
    case .stablehloReshape: "STABLEHLO_RESHAPE"
    case .stablehloClamp: "STABLEHLO_CLAMP"
    case .stablehloConcatenate: "STABLEHLO_CONCATENATE"
    case .stablehloBroadcastInDim: "STABLEHLO_BROADCAST_IN_DIM"
    case .stablehloConvolution: "STABLEHLO_CONVOLUTION"
    case .stablehloSlice: "STABLEHLO_SLICE"
    case .stablehloCustomCall: "STABLEHLO_CUSTOM_CALL"
    case .stablehloReduce: "STABLEHLO_REDUCE"
    case .stablehloAbs: "STABLEHLO_ABS"
    case .stablehloAnd: "STABLEHLO_AND"
    case .stablehloCosine: "STABLEHLO_COSINE"
    case .stablehloExponential: "STABLEHLO_EXPONENTIAL"
    case .stablehloFloor: "STABLEHLO_FLOOR"
    case .stablehloLog: "STABLEHLO_LOG"
    case .stablehloMinimum: "STABLEHLO_MINIMUM"
    case .stablehloNegate: "STABLEHLO_NEGATE"
    case .stablehloOr: "STABLEHLO_OR"
    case .stablehloPower: "STABLEHLO_POWER"
    case .stablehloRemainder: "STABLEHLO_REMAINDER"
    case .stablehloRsqrt: "STABLEHLO_RSQRT"
    case .stablehloSelect: "STABLEHLO_SELECT"
    case .stablehloSubtract: "STABLEHLO_SUBTRACT"
    case .stablehloTanh: "STABLEHLO_TANH"
    case .stablehloScatter: "STABLEHLO_SCATTER"
    case .stablehloCompare: "STABLEHLO_COMPARE"
    case .stablehloConvert: "STABLEHLO_CONVERT"
    case .stablehloDynamicSlice: "STABLEHLO_DYNAMIC_SLICE"
    case .stablehloDynamicUpdateSlice: "STABLEHLO_DYNAMIC_UPDATE_SLICE"
    case .stablehloPad: "STABLEHLO_PAD"
    case .stablehloIota: "STABLEHLO_IOTA"
    case .stablehloDotGeneral: "STABLEHLO_DOT_GENERAL"
    case .stablehloReduceWindow: "STABLEHLO_REDUCE_WINDOW"
    case .stablehloSort: "STABLEHLO_SORT"
    case .stablehloWhile: "STABLEHLO_WHILE"
    case .stablehloGather: "STABLEHLO_GATHER"
    case .stablehloTranspose: "STABLEHLO_TRANSPOSE"
    case .dilate: "DILATE"
    case .stablehloRngBitGenerator: "STABLEHLO_RNG_BIT_GENERATOR"
    case .reduceWindow: "REDUCE_WINDOW"
    case .stablehloComposite: "STABLEHLO_COMPOSITE"
    case .stablehloShiftLeft: "STABLEHLO_SHIFT_LEFT"
    case .stablehloCbrt: "STABLEHLO_CBRT"
    case .stablehloCase: "STABLEHLO_CASE"
    }
  }
}
