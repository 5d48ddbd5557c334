//===--- LSTM.swift - LSTM and UNIDIRECTIONAL_SEQUENCE_LSTM ---------------===//
//
// Inputs  0 x: [batch, input] for one step; for sequences [batch, time, input], or with `time_major`
//           [time, batch, input]; float32 or int8
//         1...4 input weights [cell, input] of the gates: input, forget, cell, output; of x's type,
//           or int8 with float32, whose rows are then quantised as the graph runs. Without the first
//           the input gate is one less the forget gate.
//         5...8 recurrent weights [cell, output]; for sequences of floats also diagonals [cell]
//         9...11 peephole weights [cell] of the input, forget and output gates; int16 with int8.
//           May be absent.
//         12...15 biases [cell]; float32, int32 with int8
//         16 projection [output, cell], 17 its bias [output]. May be absent.
//         18 the last output, 19 the cell state (int16 with int8): variables
//         20...23 layer normalisation [cell]; float32, int16 with int8. May be absent.
// Output  0 y: x's shape with `output` elements in each row
// Source  LiteRT 2.3.0 `lstm.cc`, `unidirectional_sequence_lstm.cc`, `lstm_eval.cc`. Its integer form
//         with 8-bit gates (twelve intermediates) is refused. The five-input form of LSTM is in
//         `LSTM+Basic.swift`.
//===----------------------------------------------------------------------===//

import MartletGraph
import MartletModel
import MartletReference
import MartletTensor

/// The inputs; those that the gates have, in the order of `LSTMCell`'s gates.
enum LSTMInput {
  static let x = 0
  static let inputWeights = [1, 2, 3, 4]
  static let recurrentWeights = [5, 6, 7, 8]
  /// The cell gate has none.
  static let peepholes = [9, 10, nil, 11]
  static let biases = [12, 13, 14, 15]
  static let projection = 16
  static let projectionBias = 17
  static let lastOutput = 18
  static let cellState = 19
  static let norms = [20, 21, 22, 23]
}

extension Registration {
  static let lstm = Registration(.lstm, versions: 1...4) { p throws(InferenceError) in
    guard case .lstm(let options) = p.operation.options else { throw .options(node: p.node) }
    guard options.kernel == .full else { return try prepareBasicLSTM(&p) }
    let x = try p.shape(ofInput: LSTMInput.x, ranks: 2...2)
    return try prepareLSTM(
      &p,
      LSTMOperands(
        batches: x[0], steps: 1, isTimeMajor: true, activation: options.activation,
        cellClip: options.cellClip, projectionClip: options.projectionClip,
        isAsymmetric: options.asymmetricQuantizeInputs))
  }

  static let unidirectionalSequenceLSTM = Registration(
    .unidirectionalSequenceLstm, versions: 1...3
  ) { p throws(InferenceError) in
    guard case .unidirectionalSequenceLSTM(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    let x = try p.shape(ofInput: LSTMInput.x, ranks: 3...3)
    return try prepareLSTM(
      &p,
      LSTMOperands(
        batches: x[options.timeMajor ? 1 : 0], steps: x[options.timeMajor ? 0 : 1],
        isTimeMajor: options.timeMajor, activation: options.activation,
        cellClip: options.cellClip, projectionClip: options.projectionClip,
        isAsymmetric: options.asymmetricQuantizeInputs))
  }
}

/// What the two operators' options and shapes say, in one form.
struct LSTMOperands {
  let batches: Int
  let steps: Int
  let isTimeMajor: Bool
  let activation: Activation
  let cellClip: Float
  let projectionClip: Float
  let isAsymmetric: Bool
}

/// Where the tensors of a layer's gates are, in the order of `LSTMCell`'s gates.
struct LSTMGates {
  let inputWeights: [Int]
  let recurrentWeights: [Int]
  let biases: [Int]
  /// `nil` for the gate that has no peephole; empty where no gate has one.
  let peepholes: [Int?]
  /// Empty where nothing is normalised.
  let norms: [Int]
}

private func prepareLSTM(
  _ p: inout Preparation, _ operands: LSTMOperands
) throws(InferenceError) -> Evaluate {
  try p.expect(inputs: 20...24)
  let (cell, gates) = try p.lstmCell(operands)
  switch try p.input(LSTMInput.x).type {
  case .float32:
    return try prepareFloatLSTM(&p, cell, gates, isAsymmetric: operands.isAsymmetric)
  case .int8: return try prepareQuantizedLSTM(&p, cell, gates)
  case let found: throw .unsupportedType(node: p.node, operand: .input(LSTMInput.x), found: found)
  }
}

extension Preparation {
  /// What a recurrent cell's activation does, in real numbers.
  func cellActivation(_ activation: Activation) -> CellActivation {
    switch activation {
    case .tanh: .tanh
    case .signBit: .sign
    case .relu: .clamp(0...Float.infinity)
    case .none, .reluN1To1, .relu6:
      .clamp(activation.boundedRange ?? -Float.infinity...Float.infinity)
    }
  }

  /// The layer's form as its tensors say.
  fileprivate func lstmCell(
    _ operands: LSTMOperands
  ) throws(InferenceError) -> (LSTMCell, LSTMGates) {
    let x = try input(LSTMInput.x).shape
    let weights = try shape(ofInput: LSTMInput.inputWeights[3], ranks: 2...2)
    let recurrent = try shape(ofInput: LSTMInput.recurrentWeights[3], ranks: 1...2)
    var cell = LSTMCell(
      batches: operands.batches, inputs: x[x.rank - 1], cells: weights[0],
      outputs: recurrent[recurrent.rank - 1])
    cell.steps = operands.steps
    cell.isTimeMajor = operands.isTimeMajor
    cell.isCoupled = !hasInput(LSTMInput.inputWeights[0])
    cell.activation = cellActivation(operands.activation)
    cell.cellClip = operands.cellClip
    cell.projectionClip = operands.projectionClip
    guard cell.cells > 0, cell.outputs > 0,
      hasInput(LSTMInput.projection) || cell.cells == cell.outputs
    else {
      throw .extent(
        node: node, operand: .input(LSTMInput.recurrentWeights[3]), axis: 1, found: cell.outputs,
        expected: cell.cells)
    }
    // A coupled layer lacks all that belongs to the input gate, another lacks nothing.
    let inputGate = [
      LSTMInput.inputWeights[0], LSTMInput.recurrentWeights[0], LSTMInput.biases[0],
    ]
    for index in inputGate where hasInput(index) == cell.isCoupled {
      throw .missingOperand(node: node, operand: .input(cell.isCoupled ? inputGate[0] : index))
    }
    let first = cell.isCoupled ? 1 : 0
    let hasPeepholes = LSTMInput.peepholes.contains { $0.map(hasInput) ?? false }
    let hasNorms = LSTMInput.norms.contains(where: hasInput)
    return (
      cell,
      LSTMGates(
        inputWeights: Array(LSTMInput.inputWeights[first...]),
        recurrentWeights: Array(LSTMInput.recurrentWeights[first...]),
        biases: Array(LSTMInput.biases[first...]),
        peepholes: hasPeepholes ? Array(LSTMInput.peepholes[first...]) : [],
        norms: hasNorms ? Array(LSTMInput.norms[first...]) : [])
    )
  }

  /// The inputs at `indices`, each a vector of one element for each of `count` cells.
  func cellVectors<Scalar: Element>(
    _ indices: [Int], as type: Scalar.Type, count: Int
  ) throws(InferenceError) -> [Operand<Scalar>] {
    var operands: [Operand<Scalar>] = []
    for index in indices { operands.append(try input(index, as: type, count: count)) }
    return operands
  }

  /// States the shape of output 0: that of the input with `cell.outputs` elements in each row.
  mutating func lstmOutput<Scalar: Element>(
    _ cell: LSTMCell, as type: Scalar.Type
  ) throws(InferenceError) -> Operand<Scalar> {
    let extents = try input(LSTMInput.x).shape.dimensions.dropLast() + [cell.outputs]
    return try output(0, as: type, shape: try shape(Array(extents)))
  }
}

extension Activation {
  /// The interval of an activation that bounds its result on both sides.
  fileprivate var boundedRange: ClosedRange<Float>? {
    switch self {
    case .reluN1To1: -1...1
    case .relu6: 0...6
    case .none, .relu, .tanh, .signBit: nil
    }
  }
}
