//===--- LSTM.swift - LSTM and UNIDIRECTIONAL_SEQUENCE_LSTM ---------------===//
//
// Inputs  0 x: [batch, input] for one step; for sequences [batch, time, input], or with `time_major`
//           [time, batch, input]; float32 or int8
//         1...4 input weights [cell, input] of the gates: input, forget, cell, output; of x's type,
//           or int8 with float32: then rows are quantized while the graph runs. Without the first
//           one, the input gate is one minus the forget gate.
//         5...8 recurrent weights [cell, output]; for sequences of floats also diagonals [cell]
//         9...11 peephole weights [cell] of the input, forget and output gates; int16 with int8.
//           May be absent.
//         12...15 biases [cell]; float32, int32 with int8
//         16 projection [output, cell], 17 its bias [output]. May be absent.
//         18 the last output, 19 the cell state (int16 with int8): variables
//         20...23 layer normalization [cell]; float32, int16 with int8. May be absent.
// Output  0 y: x's shape with `output` elements in each row
// Source  LiteRT 2.3.0 `lstm.cc`, `unidirectional_sequence_lstm.cc`, `lstm_eval.cc`. Its integer
//         form with 8-bit gates (twelve intermediates) is rejected. The five-input form of LSTM is
//         in `LSTM+Basic.swift`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The input indices of a layer; per-gate ones are in the order of `LSTMCell`'s gates.
struct LSTMInputs {
  var x: Int
  let inputWeights: [Int]
  let recurrentWeights: [Int]
  /// The cell gate has no peephole.
  let peepholes: [Int?]
  let biases: [Int]
  let projection: Int
  let projectionBias: Int
  let lastOutput: Int
  let cellState: Int
  /// Empty if the operator has no normalization.
  var norms: [Int] = []
  /// A second input in addition to x, with its own weights.
  var auxiliary: (x: Int, weights: [Int])?

  /// The inputs of LSTM and UNIDIRECTIONAL_SEQUENCE_LSTM.
  static let layer = LSTMInputs(
    x: 0, inputWeights: [1, 2, 3, 4], recurrentWeights: [5, 6, 7, 8], peepholes: [9, 10, nil, 11],
    biases: [12, 13, 14, 15], projection: 16, projectionBias: 17, lastOutput: 18, cellState: 19,
    norms: [20, 21, 22, 23])
}

extension Registration {
  static let lstm = Registration(.lstm, versions: 1...4, traits: .lstm) {
    p throws(InferenceError) in
    guard case .lstm(let options) = p.operation.options else { throw .options(node: p.node) }
    guard options.kernel == .full else { return try prepareBasicLSTM(&p) }
    let x = try p.shape(ofInput: LSTMInputs.layer.x, ranks: 2...2)
    return try prepareLSTM(
      &p,
      LSTMOperands(
        layout: SequenceLayout(batches: x[0]), activation: options.activation,
        cellClip: options.cellClip, projectionClip: options.projectionClip,
        isAsymmetric: options.asymmetricQuantizeInputs))
  }

  static let unidirectionalSequenceLSTM = Registration(
    .unidirectionalSequenceLstm, versions: 1...4, traits: .lstm
  ) { p throws(InferenceError) in
    guard case .unidirectionalSequenceLSTM(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    return try prepareLSTM(
      &p,
      LSTMOperands(
        layout: try p.sequence(LSTMInputs.layer.x, isTimeMajor: options.timeMajor),
        activation: options.activation, cellClip: options.cellClip,
        projectionClip: options.projectionClip, isAsymmetric: options.asymmetricQuantizeInputs))
  }
}

/// The options and shapes of the operators, in one form.
struct LSTMOperands {
  var layout: SequenceLayout
  let activation: Activation
  let cellClip: Float
  let projectionClip: Float
  let isAsymmetric: Bool
}

/// The tensor indices of a layer's gates, in the order of `LSTMCell`'s gates.
struct LSTMGates {
  let inputWeights: [Int]
  let recurrentWeights: [Int]
  let biases: [Int]
  /// `nil` for a gate without a peephole; empty if no gate has one.
  let peepholes: [Int?]
  /// Empty if the layer has no normalization.
  let norms: [Int]
  /// The weights of a second input; empty if there is none.
  let auxiliaryWeights: [Int]
}

private func prepareLSTM(
  _ p: inout Preparation, _ operands: LSTMOperands
) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 20...24)
  let inputs = LSTMInputs.layer
  let (cell, gates) = try p.lstmCell(operands, inputs)
  switch try p.input(inputs.x).type {
  case .float32:
    let shape = try p.lstmOutputShape(cell, x: inputs.x)
    let rows = OutputRows(
      operand: try p.output(0, as: Float.self, shape: shape), length: cell.outputs)
    return try prepareFloatLSTM(
      &p, cell, inputs, gates, into: rows, isAsymmetric: operands.isAsymmetric)
  case .int8: return try prepareQuantizedLSTM(&p, cell, gates)
  case let found: throw .unsupportedType(node: p.node, operand: .input(inputs.x), found: found)
  }
}

extension Preparation {
  /// The activation of a recurrent cell, in real numbers.
  func cellActivation(_ activation: Activation) -> CellActivation {
    switch activation {
    case .tanh: .tanh
    case .signBit: .sign
    case .relu: .clamp(0...Float.infinity)
    case .none, .reluN1To1, .relu6:
      .clamp(activation.boundedRange ?? -Float.infinity...Float.infinity)
    }
  }

  /// The row layout of the sequence in input `index`.
  func sequence(_ index: Int, isTimeMajor: Bool) throws(InferenceError) -> SequenceLayout {
    let x = try shape(ofInput: index, ranks: 3...3)
    return SequenceLayout(
      batches: x[isTimeMajor ? 1 : 0], steps: x[isTimeMajor ? 0 : 1], isTimeMajor: isTimeMajor)
  }

  /// The form of a layer, from its tensors.
  func lstmCell(
    _ operands: LSTMOperands, _ inputs: LSTMInputs
  ) throws(InferenceError) -> (LSTMCell, LSTMGates) {
    let x = try input(inputs.x).shape
    let weights = try shape(ofInput: inputs.inputWeights[3], ranks: 2...2)
    let recurrent = try shape(ofInput: inputs.recurrentWeights[3], ranks: 1...2)
    var cell = LSTMCell(
      batches: operands.layout.batches, inputs: x[x.rank - 1], cells: weights[0],
      outputs: recurrent[recurrent.rank - 1])
    cell.layout = operands.layout
    cell.isCoupled = !hasInput(inputs.inputWeights[0])
    cell.activation = cellActivation(operands.activation)
    cell.cellClip = operands.cellClip
    cell.projectionClip = operands.projectionClip
    guard cell.cells > 0, cell.outputs > 0,
      hasInput(inputs.projection) || cell.cells == cell.outputs
    else {
      throw .extent(
        node: node, operand: .input(inputs.recurrentWeights[3]), axis: 1, found: cell.outputs,
        expected: cell.cells)
    }
    // A coupled layer has no tensor of the input gate; any other layer has all of them.
    let inputGate = [inputs.inputWeights[0], inputs.recurrentWeights[0], inputs.biases[0]]
    for index in inputGate where hasInput(index) == cell.isCoupled {
      throw .missingOperand(node: node, operand: .input(cell.isCoupled ? inputGate[0] : index))
    }
    let first = cell.isCoupled ? 1 : 0
    let hasPeepholes = inputs.peepholes.contains { $0.map(hasInput) ?? false }
    let hasNorms = inputs.norms.contains(where: hasInput)
    return (
      cell,
      LSTMGates(
        inputWeights: Array(inputs.inputWeights[first...]),
        recurrentWeights: Array(inputs.recurrentWeights[first...]),
        biases: Array(inputs.biases[first...]),
        peepholes: hasPeepholes ? Array(inputs.peepholes[first...]) : [],
        norms: hasNorms ? Array(inputs.norms[first...]) : [],
        auxiliaryWeights: inputs.auxiliary.map { Array($0.weights[first...]) } ?? [])
    )
  }

  /// The inputs at `indices`, each a vector with one element for each of `count` cells.
  func cellVectors<Scalar: Element>(
    _ indices: [Int], as type: Scalar.Type, count: Int
  ) throws(InferenceError) -> [Operand<Scalar>] {
    var operands: [Operand<Scalar>] = []
    for index in indices { operands.append(try input(index, as: type, count: count)) }
    return operands
  }

  /// The shape of input `x` with `cell.outputs` elements in each row.
  func lstmOutputShape(_ cell: LSTMCell, x: Int) throws(InferenceError) -> Shape {
    try shape(Array(try input(x).shape.dimensions.dropLast()) + [cell.outputs])
  }
}

extension Activation {
  /// The interval of an activation that is bounded on both sides; otherwise `nil`.
  fileprivate var boundedRange: ClosedRange<Float>? {
    switch self {
    case .reluN1To1: -1...1
    case .relu6: 0...6
    case .none, .relu, .tanh, .signBit: nil
    }
  }
}
