//===--- MatrixDiagonalOperator.swift - MATRIX_DIAG, MATRIX_SET_DIAG ------===//
//
// MATRIX_DIAG      Input 0 x: [..., n], any type. Output 0 y: [..., n, n], x on the diagonals of
// matrices that are zero elsewhere. MATRIX_SET_DIAG  Inputs 0 x: [..., m, n], any type; 1
// diagonals: as many as there are matrices, of min(m, n) elements each. Output 0 y: x with these
// diagonals.
// Source           LiteRT 2.3.0 `matrix_diag.cc`, `matrix_set_diag.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs of MATRIX_SET_DIAG.
private enum Input {
  static let x = 0
  static let diagonals = 1
}

extension Registration {
  static let matrixDiag = Registration(.matrixDiag, versions: 1...1) { p throws(InferenceError) in
    try p.expect(inputs: 1...1)
    let x = try p.inputBytes(0)
    try p.shape(ofInput: 0, ranks: 1...Shape.maximumRank)
    let extents = x.shape.dimensions
    let y = try p.outputBytes(0, typedAs: 0, shape: try p.shape(extents + extents.suffix(1)))
    let copy = StridedCopy(diagonals: x, of: y)
    return { e in
      e[y].initializeMemory(as: UInt8.self, repeating: 0, count: y.byteCount)
      copy(from: e[x], to: e[y])
    }
  }

  static let matrixSetDiag = Registration(
    .matrixSetDiag, versions: 1...1
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    let x = try p.inputBytes(Input.x)
    try p.shape(ofInput: Input.x, ranks: 2...Shape.maximumRank)
    let diagonals = try p.inputBytes(Input.diagonals, typedAs: Input.x)
    let rank = x.shape.rank
    let length = min(x.shape[rank - 2], x.shape[rank - 1])
    try p.expectCount(x.shape.product(0..<rank - 2) * length, input: Input.diagonals)
    let y = try p.outputBytes(0, typedAs: Input.x, shape: x.shape)
    let copy = StridedCopy(diagonals: diagonals, of: y)
    return { e in
      e[y].copyMemory(from: e[x], byteCount: x.byteCount)
      copy(from: e[diagonals], to: e[y])
    }
  }
}

extension StridedCopy {
  /// Copies all of `x` to the diagonals of the matrices of `y`.
  fileprivate init(diagonals x: ByteOperand, of y: ByteOperand) {
    let (rows, columns) = (y.shape[y.shape.rank - 2], y.shape[y.shape.rank - 1])
    let size = y.elementSize
    let length = min(rows, columns)
    let axes = [
      Axis(
        extent: y.shape.product(0..<y.shape.rank - 2), source: length * size,
        destination: rows * columns * size),
      Axis(extent: length, source: size, destination: (columns + 1) * size),
    ]
    self.init(axes, elementSize: size)
  }
}
