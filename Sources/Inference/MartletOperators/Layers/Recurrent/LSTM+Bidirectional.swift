//===--- LSTM+Bidirectional.swift - BIDIRECTIONAL_SEQUENCE_LSTM -----------===//
//
// Two layers over one sequence; the second one processes it from the end.
//
// Inputs  0 x: [batch, time, input], or with `time_major` [time, batch, input]; float32
//         1...17 the forward layer's inputs, like those of UNIDIRECTIONAL_SEQUENCE_LSTM: weights of
//           the input and of the last output, peepholes, biases, projection and its bias; rows that
//           are multiplied by int8 matrices are quantized while the graph runs
//         18...34 the backward layer's inputs
//         35, 36 the forward layer's last output and cell state, 37, 38 the backward layer's: variables
//         39 a second input, may be absent. With weights of the layers' gates (40...43 and
//           44...47) both layers see it in addition to x; without them, the backward layer sees it
//           instead of x.
// Outputs 0 the forward results, 1 the backward ones; or both in the rows of 0
// Source  LiteRT 2.3.0 `bidirectional_sequence_lstm.cc`, which has no form for integers.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

extension LSTMInputs {
  /// The inputs of one direction, whose first weights are input `first`.
  private static func direction(
    from first: Int, lastOutput: Int, auxiliary: AuxiliaryInput, weights: Int, isReversed: Bool
  ) -> LSTMInputs {
    func four(_ offset: Int) -> [Int] { Array(first + offset..<first + offset + 4) }
    var inputs = LSTMInputs(
      x: 0, inputWeights: four(0), recurrentWeights: four(4),
      peepholes: [first + 8, first + 9, nil, first + 10], biases: four(11), projection: first + 15,
      projectionBias: first + 16, lastOutput: lastOutput, cellState: lastOutput + 1)
    switch auxiliary {
    case .none: break
    case .beside(let x): inputs.auxiliary = (x, Array(weights..<weights + 4))
    case .backward(let x): if isReversed { inputs.x = x }
    }
    return inputs
  }

  fileprivate static func forward(_ auxiliary: AuxiliaryInput) -> LSTMInputs {
    direction(from: 1, lastOutput: 35, auxiliary: auxiliary, weights: 40, isReversed: false)
  }

  fileprivate static func backward(_ auxiliary: AuxiliaryInput) -> LSTMInputs {
    direction(from: 18, lastOutput: 37, auxiliary: auxiliary, weights: 44, isReversed: true)
  }
}

extension Registration {
  static let bidirectionalSequenceLSTM = Registration(
    .bidirectionalSequenceLstm, versions: 1...3, traits: .recurrent
  ) { p throws(InferenceError) in
    guard case .bidirectionalSequenceLSTM(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    try p.expect(inputs: 48...48, outputs: options.mergeOutputs ? 1...1 : 2...2)
    let auxiliary = try p.auxiliaryInput(39, weights: Array(40..<48))
    var operands = LSTMOperands(
      layout: try p.sequence(0, isTimeMajor: options.timeMajor), activation: options.activation,
      cellClip: options.cellClip, projectionClip: options.projectionClip,
      isAsymmetric: options.asymmetricQuantizeInputs)
    let (ahead, back) = (LSTMInputs.forward(auxiliary), LSTMInputs.backward(auxiliary))
    let (aheadCell, aheadGates) = try p.lstmCell(operands, ahead)
    operands.layout.isReversed = true
    let (backCell, backGates) = try p.lstmCell(operands, back)
    let rows = try p.bidirectionalOutputs(
      forward: aheadCell.outputs, backward: backCell.outputs, isMerged: options.mergeOutputs)
    let forward = try prepareFloatLSTM(
      &p, aheadCell, ahead, aheadGates, into: rows.forward, isAsymmetric: operands.isAsymmetric)
    let backward = try prepareFloatLSTM(
      &p, backCell, back, backGates, into: rows.backward, isAsymmetric: operands.isAsymmetric)
    return { e throws(InferenceError) in
      try forward(e)
      try backward(e)
    }
  }
}
