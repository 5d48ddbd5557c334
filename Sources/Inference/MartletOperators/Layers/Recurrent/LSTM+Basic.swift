//===--- LSTM+Basic.swift - LSTM with five inputs -------------------------===//
//
// Inputs  0 x: [batch, input]; float32 or uint8
//         1 the last output: [batch, cell], of x's type
//         2 weights: [4 · cell, input + cell], of x's type
//         3 bias: [4 · cell]; float32 or int32
//         4 cell state: [batch, cell]; float32 or int16
// Outputs 0 y and 1 the new cell state; 2 x and the last output, joined; 3 the gates' sums, 16 bits
//         wide for uint8. Inputs 1 and 4 receive the values of outputs 0 and 1.
// Source  LiteRT 2.3.0 `lstm.cc` and `reference_ops.h`: the kernel type BASIC.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let x = 0
  static let lastOutput = 1
  static let weights = 2
  static let bias = 3
  static let cellState = 4
}

/// The tensors of a basic cell.
private struct BasicLSTM<Scalar: Element, Bias: Element, State: Element> {
  let cell: BasicLSTMCell
  let x: Operand<Scalar>
  let last: Operand<Scalar>
  let weights: Operand<Scalar>
  let bias: Operand<Bias>
  let state: Operand<State>
  let y: Operand<Scalar>
  let newState: Operand<State>
  let joined: Operand<Scalar>
  let sums: Operand<State>

  init(_ p: inout Preparation) throws(InferenceError) {
    let shape = try p.shape(ofInput: Input.x, ranks: 2...2)
    let last = try p.shape(ofInput: Input.lastOutput, ranks: 2...2)
    try p.expect(last, ofInput: Input.lastOutput, axis: 0, extent: shape[0])
    cell = BasicLSTMCell(batches: shape[0], inputs: shape[1], cells: last[1])
    let weights = try p.shape(ofInput: Input.weights, ranks: 2...2)
    try p.expect(weights, ofInput: Input.weights, axis: 0, extent: 4 * cell.cells)
    try p.expect(weights, ofInput: Input.weights, axis: 1, extent: cell.depth)
    x = try p.input(Input.x, as: Scalar.self)
    self.last = try p.writableInput(
      Input.lastOutput, as: Scalar.self, count: cell.batches * cell.cells)
    self.weights = try p.input(Input.weights, as: Scalar.self)
    bias = try p.input(Input.bias, as: Bias.self, count: 4 * cell.cells)
    state = try p.writableInput(Input.cellState, as: State.self, count: cell.batches * cell.cells)
    let rows = try p.shape([cell.batches, cell.cells])
    y = try p.output(0, as: Scalar.self, shape: rows)
    newState = try p.output(1, as: State.self, shape: rows)
    joined = try p.output(2, as: Scalar.self, shape: p.shape([cell.batches, cell.depth]))
    sums = try p.output(3, as: State.self, shape: p.shape([cell.batches, 4 * cell.cells]))
  }

  /// Copies x and the last output next to each other in each row.
  func join(_ e: borrowing Evaluation) {
    for batch in 0..<cell.batches {
      let row = e[joined].row(batch, of: cell.depth)
      _ = row.update(fromContentsOf: e[x].row(batch, of: cell.inputs))
      _ = UnsafeMutableBufferPointer(rebasing: row[cell.inputs...]).update(
        fromContentsOf: e[last].row(batch, of: cell.cells))
    }
  }

  /// Stores the results for the next run.
  func keep(_ e: borrowing Evaluation) {
    _ = e[last].update(fromContentsOf: e[y])
    _ = e[state].update(fromContentsOf: e[newState])
  }
}

func prepareBasicLSTM(_ p: inout Preparation) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 5...5, outputs: 4...4)
  switch try p.input(Input.x).type {
  case .float32: return try prepareFloat(&p)
  case .uint8: return try prepareByte(&p)
  case let found: throw .unsupportedType(node: p.node, operand: .input(Input.x), found: found)
  }
}

private func prepareFloat(_ p: inout Preparation) throws(InferenceError) -> Evaluate {
  let layer = try BasicLSTM<Float, Float, Float>(&p)
  let cell = layer.cell
  let product = try p.rowProduct(
    RowMatrices(inputs: [2], rows: cell.batches, depth: cell.depth, units: 4 * cell.cells),
    isHybrid: false, isAsymmetric: false)
  return { e in
    layer.join(e)
    product.multiply(e, e[layer.joined], e[layer.sums])
    cell.step(
      sums: e[layer.sums], bias: e[layer.bias], state: e[layer.state], into: e[layer.newState],
      e[layer.y])
    layer.keep(e)
  }
}

private func prepareByte(_ p: inout Preparation) throws(InferenceError) -> Evaluate {
  let layer = try BasicLSTM<UInt8, Int32, Int16>(&p)
  // LiteRT's arithmetic supports only one scale of the cell state, 2⁻¹¹.
  guard (try p.perTensorQuantization(output: 1).scale / 0x1p-11 - 1).magnitude < 7e-4 else {
    throw .quantization(node: p.node, operand: .output(1))
  }
  let factor = FixedPointMultiplier(
    4096 * Double(try p.perTensorQuantization(input: Input.bias).scale))
  let zeroPoint = Int32(try p.perTensorQuantization(input: Input.weights).zeroPoint)
  let cell = layer.cell
  return { e in
    layer.join(e)
    cell.multiply(
      e[layer.joined], by: e[layer.weights], zeroPoint: zeroPoint, bias: e[layer.bias],
      scaledBy: factor, into: e[layer.sums])
    cell.step(sums: e[layer.sums], state: e[layer.state], into: e[layer.newState], e[layer.y])
    layer.keep(e)
  }
}

extension Preparation {
  /// A handle to input `index` of `count` elements that the node may write: a variable, an input of
  /// the graph, or the output of another node.
  fileprivate func writableInput<Scalar: Element>(
    _ index: Int, as type: Scalar.Type, count: Int
  ) throws(InferenceError) -> Operand<Scalar> {
    guard try !input(index).isConstant else {
      throw .notVariable(node: node, operand: .input(index))
    }
    return try input(index, as: type, count: count)
  }
}
