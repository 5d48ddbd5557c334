//===--- SequenceRows.swift - input and output rows of sequences ----------===//
//
// Layers over sequences share these: results next to those of another direction, and a second input
// whose products are added to those of the first.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

/// The destination of a layer's results: a part of each row of an output.
struct OutputRows: Sendable {
  let operand: Operand<Float>
  /// The number of elements in a whole row.
  let length: Int
  /// The offset of the layer's first element in a row.
  var first = 0

  /// Copies a result to row `index`.
  func store(
    _ result: UnsafeMutableBufferPointer<Float>, _ e: borrowing Evaluation, row index: Int
  ) {
    let start = index * length + first
    for i in result.indices { e[operand][start + i] = result[i] }
  }
}

/// The products of a second input, to be added to those of the first.
struct AuxiliaryProduct: Sendable {
  private let x: Operand<Float>
  private let depth: Int
  private let product: FloatRowProduct
  private let sums: Operand<Float>

  /// Adds the products of `count` rows, starting at row `source`, to `target`.
  func add(
    _ e: borrowing Evaluation, from source: Int, count: Int,
    to target: UnsafeMutableBufferPointer<Float>
  ) {
    let sums = e[sums]
    product.multiply(e, e[x].rows(source, count: count, of: depth), sums)
    for i in target.indices { target[i] += sums[i] }
  }

  fileprivate init(
    _ p: inout Preparation, x: Int, _ weights: [Int], rows: Int, units: Int, isHybrid: Bool,
    isAsymmetric: Bool
  ) throws(InferenceError) {
    self.x = try p.input(x, as: Float.self)
    depth = self.x.shape[self.x.shape.rank - 1]
    let matrices = RowMatrices(inputs: weights, rows: rows, depth: depth, units: units)
    product = try p.rowProduct(matrices, isHybrid: isHybrid, isAsymmetric: isAsymmetric)
    sums = try p.scratch(rows: rows, of: matrices.columns, as: Float.self)
  }
}

/// The second input of a bidirectional layer.
enum AuxiliaryInput {
  case none
  /// Both directions see it, with its own weights.
  case beside(Int)
  /// The backward direction sees it instead of the first input.
  case backward(Int)
}

extension Preparation {
  /// The products of input `x` with its weights; its rows are laid out like the first input's.
  mutating func auxiliaryProduct(
    of x: Int, with weights: [Int], rows: Int, units: Int, isHybrid: Bool, isAsymmetric: Bool
  ) throws(InferenceError) -> AuxiliaryProduct {
    try AuxiliaryProduct(
      &self, x: x, weights, rows: rows, units: units, isHybrid: isHybrid,
      isAsymmetric: isAsymmetric)
  }

  /// The role of input `index` in a bidirectional layer; `weights` are its own.
  func auxiliaryInput(_ index: Int, weights: [Int]) throws(InferenceError) -> AuxiliaryInput {
    guard hasInput(index) else {
      for other in weights where hasInput(other) {
        throw .missingOperand(node: node, operand: .input(index))
      }
      return .none
    }
    let x = try shape(ofInput: 0, ranks: 3...3)
    let other = try shape(ofInput: index, ranks: 3...3)
    let isBeside = weights.contains(where: hasInput)
    for axis in 0..<(isBeside ? 2 : 3) {
      try expect(other, ofInput: index, axis: axis, extent: x[axis])
    }
    return isBeside ? .beside(index) : .backward(index)
  }

  /// Sets the shapes of the outputs of a bidirectional layer. The forward direction has `forward`
  /// results for each row of `layout`; both directions are in output 0 if `isMerged`.
  mutating func bidirectionalOutputs(
    forward: Int, backward: Int, isMerged: Bool
  ) throws(InferenceError) -> (forward: OutputRows, backward: OutputRows) {
    let x = try shape(ofInput: 0, ranks: 3...3)
    func rows(_ length: Int) throws(InferenceError) -> Shape { try shape([x[0], x[1], length]) }
    if isMerged {
      let length = forward + backward
      let y = try output(0, as: Float.self, shape: try rows(length))
      return (
        OutputRows(operand: y, length: length),
        OutputRows(operand: y, length: length, first: forward)
      )
    }
    return (
      OutputRows(
        operand: try output(0, as: Float.self, shape: try rows(forward)), length: forward),
      OutputRows(
        operand: try output(1, as: Float.self, shape: try rows(backward)), length: backward)
    )
  }
}

extension UnsafeMutableBufferPointer {
  /// Row `index` of rows of `length` elements.
  func row(_ index: Int, of length: Int) -> Self {
    rows(index, count: 1, of: length)
  }

  /// `count` rows of `length` elements, starting at row `index`.
  func rows(_ index: Int, count: Int, of length: Int) -> Self {
    Self(rebasing: self[index * length..<(index + count) * length])
  }
}
