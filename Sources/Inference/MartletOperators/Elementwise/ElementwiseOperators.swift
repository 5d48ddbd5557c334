//===--- ElementwiseOperators.swift - arithmetic and activations ----------===//
//
// Checked   Tests/MartletToolTests/ConformanceTests.swift
//===----------------------------------------------------------------------===//

extension Registration {
  /// Every operator of this folder: each result element depends on one element of each input.
  package static let elementwise: [Registration] = [
    // Activation
    .elu, .gelu, .hardSwish, .prelu, .leakyRelu, .relu, .relu6, .reluN1To1, .relu0To1,
    .logistic, .tanh,
    // Arithmetic
    .abs, .neg, .sign, .square, .floor, .ceil, .round, .add, .sub, .bitwiseXor, .rightShift,
    .cast, .fakeQuant, .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual, .logicalAnd,
    .logicalOr, .logicalNot, .real, .imag, .complexAbs, .div, .exp, .log, .sqrt, .rsqrt,
    .floorDiv, .floorMod, .maximum, .minimum, .mul, .pow, .quantize, .dequantize, .select,
    .selectV2, .sin, .cos, .atan2, .squaredDifference, .stableHLOAdd, .stableHLOMultiply,
    .stableHLOMaximum, .stableHLOMinimum,
  ]
}
