//===--- Registry+Elementwise.swift - functions of each element -----------===//
//
// Elementary functions, powers and divisions, running sums, and tensors made of one value. Their
// rooms are in `Operators/`.
//===----------------------------------------------------------------------===//

extension Registry {
  static let elementwiseOperators: [Registration] = [
    .elu, .gelu, .logSoftmax, .sin, .cos, .atan2, .sign,
    .pow, .floorDiv, .floorMod, .bitwiseXor, .rightShift, .addN, .cumsum,
    .zerosLike, .fill, .range, .rank, .broadcastArgs, .bitcast,
    .real, .imag, .complexAbs, .localResponseNormalization,
  ]
}
