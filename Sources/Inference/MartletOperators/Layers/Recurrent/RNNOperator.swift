//===--- RNNOperator.swift - RNN and its sequences ------------------------===//
//
// RNN, UNIDIRECTIONAL_SEQUENCE_RNN Inputs  0 x: [batch, input] for one step; for sequences [batch,
// time, input], or with `time_major` [time, batch, input]; float32 1 weights [unit, input], 2
// recurrent weights [unit, unit]; float32 or int8. Rows that are multiplied by int8 weights are
// quantized while the graph runs 3 bias [unit]; 4 the last output [batch, unit]: a variable Output
// 0 y: x's shape with `unit` elements in each row BIDIRECTIONAL_SEQUENCE_RNN Inputs  0 x; 1...4 as
// above, forward; 5...8 backward 9 a second input, may be absent. With weights of both directions
// (10 and 11), both see it in addition to x; without them, the backward direction sees it instead
// of x. Outputs 0 the forward results, 1 the backward ones; or both in the rows of 0
// Source    LiteRT 2.3.0 `basic_rnn.cc`, `unidirectional_sequence_rnn.cc`,
//           `bidirectional_sequence_rnn.cc`
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs of a layer.
private struct RNNInputs {
  var x = 0
  let weights: Int
  let recurrentWeights: Int
  let bias: Int
  let lastOutput: Int
  /// A second input beside x, and its weights.
  var auxiliary: (x: Int, weights: Int)?

  /// The inputs of a layer that begin with input `first`.
  init(from first: Int) {
    weights = first
    recurrentWeights = first + 1
    bias = first + 2
    lastOutput = first + 3
  }

  /// The inputs of one direction of two.
  init(from first: Int, auxiliary: AuxiliaryInput, weights: Int, isReversed: Bool) {
    self.init(from: first)
    switch auxiliary {
    case .none: break
    case .beside(let x): self.auxiliary = (x, weights)
    case .backward(let x): if isReversed { self.x = x }
    }
  }
}

extension Registration {
  static let rnn = Registration(.rnn, versions: 1...3, traits: .rnn) { p throws(InferenceError) in
    guard case .rnn(let options) = p.operation.options else { throw .options(node: p.node) }
    let x = try p.shape(ofInput: 0, ranks: 2...2)
    return try prepareOneDirection(&p, SequenceLayout(batches: x[0]), options)
  }

  static let unidirectionalSequenceRNN = Registration(
    .unidirectionalSequenceRnn, versions: 1...3, traits: .rnn
  ) { p throws(InferenceError) in
    guard case .sequenceRNN(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    return try prepareOneDirection(
      &p, try p.sequence(0, isTimeMajor: options.timeMajor), options)
  }

  static let bidirectionalSequenceRNN = Registration(
    .bidirectionalSequenceRnn, versions: 1...3, traits: .recurrent
  ) { p throws(InferenceError) in
    guard case .bidirectionalSequenceRNN(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    try p.expect(inputs: 12...12, outputs: options.mergeOutputs ? 1...1 : 2...2)
    let auxiliary = try p.auxiliaryInput(9, weights: [10, 11])
    let ahead = RNNInputs(from: 1, auxiliary: auxiliary, weights: 10, isReversed: false)
    let back = RNNInputs(from: 5, auxiliary: auxiliary, weights: 11, isReversed: true)
    var layout = try p.sequence(0, isTimeMajor: options.timeMajor)
    let aheadCell = try p.rnnCell(ahead, layout, options.activation)
    layout.isReversed = true
    let backCell = try p.rnnCell(back, layout, options.activation)
    let rows = try p.bidirectionalOutputs(
      forward: aheadCell.units, backward: backCell.units, isMerged: options.mergeOutputs)
    let forward = try prepareRNN(
      &p, aheadCell, ahead, into: rows.forward, isAsymmetric: options.asymmetricQuantizeInputs)
    let backward = try prepareRNN(
      &p, backCell, back, into: rows.backward, isAsymmetric: options.asymmetricQuantizeInputs)
    return { e throws(InferenceError) in
      try forward(e)
      try backward(e)
    }
  }
}

extension Preparation {
  /// The form of a layer, from its tensors.
  fileprivate func rnnCell(
    _ inputs: RNNInputs, _ layout: SequenceLayout, _ activation: Activation
  ) throws(InferenceError) -> RNNCell {
    let x = try input(inputs.x).shape
    let weights = try shape(ofInput: inputs.weights, ranks: 2...2)
    return RNNCell(
      layout: layout, inputs: x[x.rank - 1], units: weights[0],
      activation: cellActivation(activation))
  }
}

private func prepareOneDirection(
  _ p: inout Preparation, _ layout: SequenceLayout, _ options: RNNOptions
) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 5...5)
  let inputs = RNNInputs(from: 1)
  let cell = try p.rnnCell(inputs, layout, options.activation)
  let extents = Array(try p.input(0).shape.dimensions.dropLast()) + [cell.units]
  let y = try p.output(0, as: Float.self, shape: try p.shape(extents))
  return try prepareRNN(
    &p, cell, inputs, into: OutputRows(operand: y, length: cell.units),
    isAsymmetric: options.asymmetricQuantizeInputs)
}

private func prepareRNN(
  _ p: inout Preparation, _ cell: RNNCell, _ inputs: RNNInputs, into y: OutputRows,
  isAsymmetric: Bool
) throws(InferenceError) -> Evaluate {
  let isHybrid = try p.input(inputs.weights).type == .int8
  let layout = cell.layout
  let x = try p.input(inputs.x, as: Float.self)
  let bias = try p.input(inputs.bias, as: Float.self, count: cell.units)
  let state = try p.state(
    inputs.lastOutput, as: Float.self,
    count: try p.shape([layout.batches, cell.units]).elementCount)
  let product = try p.rowProduct(
    RowMatrices(
      inputs: [inputs.weights], rows: layout.rows, depth: cell.inputs, units: cell.units),
    isHybrid: isHybrid, isAsymmetric: isAsymmetric)
  let auxiliary =
    if let (x, weights) = inputs.auxiliary {
      try p.auxiliaryProduct(
        of: x, with: [weights], rows: layout.rows, units: cell.units, isHybrid: isHybrid,
        isAsymmetric: isAsymmetric)
    } else { nil as AuxiliaryProduct? }
  let recurrentProduct = try p.rowProduct(
    RowMatrices(
      inputs: [inputs.recurrentWeights], rows: layout.batches, depth: cell.units,
      units: cell.units),
    isHybrid: isHybrid, isAsymmetric: isAsymmetric)
  let sums = try p.scratch(rows: layout.rows, of: cell.units, as: Float.self)
  let recurrent = try p.scratch(rows: layout.batches, of: cell.units, as: Float.self)
  return { e in
    product.multiply(e, e[x], e[sums])
    auxiliary?.add(e, from: 0, count: layout.rows, to: e[sums])
    for step in 0..<layout.steps where !e.workers.isInterrupted {
      recurrentProduct.multiply(e, e[state], e[recurrent])
      for batch in 0..<layout.batches {
        let row = layout.row(batch, at: step)
        let result = e[state].row(batch, of: cell.units)
        cell.step(
          sums: e[sums].row(row, of: cell.units), bias: e[bias],
          recurrent: e[recurrent].row(batch, of: cell.units), into: result)
        y.store(result, e, row: row)
      }
    }
  }
}
