//===--- LSTM+Quantized.swift - LSTM layers on integers -------------------===//
//
// The form of full integer quantization: byte inputs and outputs, 16-bit gates and cell state.
//
// Contract  Factors are LiteRT's, computed in single precision.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The tensors of an integer layer, except matrices.
private struct QuantizedLSTM {
  let cell: QuantizedLSTMCell
  let projection: ByteProjection?
  let x: Operand<Int8>
  let y: Operand<Int8>
  let last: Operand<Int8>
  let state: Operand<Int16>
  let biases: [Operand<Int32>]
  let norms: [Operand<Int16>]
  let peepholes: [Operand<Int16>?]
  // Scratch memory: the gates' vectors in order, and a step's rows.
  let bias: Operand<Int32>
  let norm: Operand<Int16>?
  let peephole: Operand<Int16>?
  let gates: Operand<Int16>
  let hidden: Operand<Int8>
}

/// The projection of a step's hidden row.
private struct ByteProjection {
  let product: ByteRowProduct
  let sums: Operand<Int32>
  let bias: Operand<Int32>?
  let factor: FixedPointMultiplier
  let zeroPoint: Int32
  /// The bound of the result; 0 means none.
  let clip: Int8
}

func prepareQuantizedLSTM(
  _ p: inout Preparation, _ cell: LSTMCell, _ places: LSTMGates
) throws(InferenceError) -> Evaluate {
  guard p.operation.intermediates.count == 5 else {
    throw .option(
      node: p.node, name: "intermediates", value: p.operation.intermediates.count)
  }
  let layer = try QuantizedLSTM(&p, cell, places)
  let steps = LSTMSteps(cell)
  let input = try p.byteRowProduct(
    RowMatrices(
      inputs: places.inputWeights, rows: steps.runRows, depth: cell.inputs, units: cell.cells),
    zeroPoint: try p.perTensorQuantization(input: LSTMInputs.layer.x).zeroPoint)
  let recurrent = try p.byteRowProduct(
    RowMatrices(
      inputs: places.recurrentWeights, rows: cell.batches, depth: cell.outputs,
      units: cell.cells),
    zeroPoint: try p.perTensorQuantization(input: LSTMInputs.layer.lastOutput).zeroPoint)
  let inputSums = try p.scratch(rows: steps.rows, of: input.sumLength, as: Int32.self)
  let recurrentSums = try p.scratch(
    rows: cell.batches, of: recurrent.sumLength, as: Int32.self)
  return { e in
    layer.gather(e)
    for step in 0..<cell.steps where !e.workers.isInterrupted {
      steps.forEachRun(beginningAt: step) { source, row in
        input.multiply(
          e, e[layer.x].rows(source, count: steps.runRows, of: cell.inputs),
          e[inputSums].rows(row, count: steps.runRows, of: input.sumLength))
      }
      recurrent.multiply(e, e[layer.last], e[recurrentSums])
      for batch in 0..<cell.batches {
        layer.step(
          batch, input: e[inputSums].row(steps.row(batch, at: step), of: input.sumLength),
          recurrent: e[recurrentSums].row(batch, of: recurrent.sumLength), e)
      }
      layer.finish(step, e)
    }
  }
}

extension Preparation {
  /// The logarithm to base 2 of the cell state's scale, which must be a power of two.
  fileprivate func stateExponent() throws(InferenceError) -> Int32 {
    let scale = try perTensorQuantization(input: LSTMInputs.layer.cellState).scale
    let exponent = (-15 ... -9).first { exponent in
      (scale / Float(sign: .plus, exponent: exponent, significand: 1) - 1).magnitude < 7e-4
    }
    guard let exponent else {
      throw .quantization(node: node, operand: .input(LSTMInputs.layer.cellState))
    }
    return Int32(exponent)
  }

  /// The scaling of gate `gate` of the four; input `place` has its peephole weights.
  fileprivate func lstmGate(
    _ gate: Int, stateExponent: Int32, peephole place: Int?, isNormalized: Bool
  ) throws(InferenceError) -> QuantizedLSTMGate {
    let x = try perTensorQuantization(input: LSTMInputs.layer.x).scale
    let last = try perTensorQuantization(input: LSTMInputs.layer.lastOutput).scale
    let steps = isNormalized ? try intermediateQuantization(gate).scale : 0x1p-12
    func factor(_ index: Int, _ scale: Float) throws(InferenceError) -> FixedPointMultiplier {
      let weights = try perTensorQuantization(weights: index)
      guard weights.zeroPoint == 0 else {
        throw .zeroPoint(
          node: node, operand: .input(index), found: weights.zeroPoint, expected: 0...0)
      }
      return FixedPointMultiplier(Double(weights.scale * scale / steps))
    }
    var peephole = FixedPointMultiplier(1)
    if let place {
      let scale = try perTensorQuantization(weights: place).scale
      let state = Double(sign: .plus, exponent: Int(stateExponent), significand: 1)
      peephole = FixedPointMultiplier(Double(Float(state * Double(scale) / Double(steps))))
    }
    let norms = LSTMInputs.layer.norms
    let norm = isNormalized ? try perTensorQuantization(input: norms[gate]).scale : 1
    return QuantizedLSTMGate(
      input: try factor(LSTMInputs.layer.inputWeights[gate], x),
      recurrent: try factor(LSTMInputs.layer.recurrentWeights[gate], last), peephole: peephole,
      norm: FixedPointMultiplier(Double(norm)),
      varianceGuard: max(1, Int32(min(10000 * norm, 0x1p30))))
  }

  fileprivate func quantizedCell(
    _ cell: LSTMCell, _ places: LSTMGates
  ) throws(InferenceError) -> QuantizedLSTMCell {
    let exponent = try stateExponent()
    var gates: [QuantizedLSTMGate] = []
    for gate in (cell.isCoupled ? 1 : 0)..<4 {
      gates.append(
        try lstmGate(
          gate, stateExponent: exponent,
          peephole: places.peepholes.isEmpty ? nil : LSTMInputs.layer.peepholes[gate],
          isNormalized: !places.norms.isEmpty))
    }
    let hidden = try intermediateQuantization(4)
    let stateScale = try perTensorQuantization(input: LSTMInputs.layer.cellState).scale
    let clip = cell.cellClip > 0 ? min(cell.cellClip / stateScale, 32767) : 0
    return QuantizedLSTMCell(
      cell: cell, gates: gates, stateExponent: exponent, cellClip: Int16(clip),
      hidden: FixedPointMultiplier(Double(Float(0x1p-15 / Double(hidden.scale) * 0x1p-15))),
      // LiteRT's projection subtracts the zero point with the wrong sign; this reproduces it.
      hiddenZero: Int32(
        hasInput(LSTMInputs.layer.projection) ? -hidden.zeroPoint : hidden.zeroPoint))
  }

  fileprivate mutating func byteProjection(
    _ cell: LSTMCell
  ) throws(InferenceError) -> ByteProjection? {
    guard hasInput(LSTMInputs.layer.projection) else { return nil }
    let hidden = try intermediateQuantization(4)
    let result = try perTensorQuantization(input: LSTMInputs.layer.lastOutput)
    let weights = try perTensorQuantization(weights: LSTMInputs.layer.projection).scale
    let product = try byteRowProduct(
      RowMatrices(
        inputs: [LSTMInputs.layer.projection], rows: cell.batches, depth: cell.cells,
        units: cell.outputs),
      zeroPoint: -hidden.zeroPoint)
    let clip = cell.projectionClip / (try perTensorQuantization(output: 0).scale)
    return ByteProjection(
      product: product,
      sums: try scratch(rows: cell.batches, of: product.sumLength, as: Int32.self),
      bias: hasInput(LSTMInputs.layer.projectionBias)
        ? try input(LSTMInputs.layer.projectionBias, as: Int32.self, count: cell.outputs) : nil,
      factor: FixedPointMultiplier(Double(weights * hidden.scale / result.scale)),
      zeroPoint: Int32(result.zeroPoint), clip: clip > 0 ? Int8(min(clip, 127)) : 0)
  }
}

extension QuantizedLSTM {
  init(
    _ p: inout Preparation, _ cell: LSTMCell, _ places: LSTMGates
  ) throws(InferenceError) {
    x = try p.input(LSTMInputs.layer.x, as: Int8.self)
    y = try p.output(0, as: Int8.self, shape: try p.lstmOutputShape(cell, x: LSTMInputs.layer.x))
    last = try p.state(
      LSTMInputs.layer.lastOutput, as: Int8.self, count: cell.batches * cell.outputs)
    state = try p.state(
      LSTMInputs.layer.cellState, as: Int16.self, count: cell.batches * cell.cells)
    self.cell = try p.quantizedCell(cell, places)
    projection = try p.byteProjection(cell)
    biases = try p.cellVectors(places.biases, as: Int32.self, count: cell.cells)
    norms = try p.cellVectors(places.norms, as: Int16.self, count: cell.cells)
    var peepholes: [Operand<Int16>?] = []
    for index in places.peepholes {
      guard let index else {
        peepholes.append(nil)
        continue
      }
      peepholes.append(try p.input(index, as: Int16.self, count: cell.cells))
    }
    self.peepholes = peepholes
    bias = try p.scratch(cell.gateLength, as: Int32.self)
    norm = norms.isEmpty ? nil : try p.scratch(cell.gateLength, as: Int16.self)
    peephole = peepholes.isEmpty ? nil : try p.scratch(cell.gateLength, as: Int16.self)
    gates = try p.scratch(cell.gateLength, as: Int16.self)
    hidden = try p.scratch(rows: cell.batches, of: cell.cells, as: Int8.self)
  }

  /// Copies the gates' vectors one after the other.
  func gather(_ e: borrowing Evaluation) {
    let count = cell.cell.cells
    for gate in 0..<cell.cell.gateCount {
      _ = e[bias].row(gate, of: count).update(fromContentsOf: e[biases[gate]])
      if !norms.isEmpty { _ = e[norm].row(gate, of: count).update(fromContentsOf: e[norms[gate]]) }
      if !peepholes.isEmpty, let weights = peepholes[gate] {
        _ = e[peephole].row(gate, of: count).update(fromContentsOf: e[weights])
      }
    }
  }

  /// Runs one step of one batch.
  func step(
    _ batch: Int, input: UnsafeMutableBufferPointer<Int32>,
    recurrent: UnsafeMutableBufferPointer<Int32>, _ e: borrowing Evaluation
  ) {
    guard let input = input.baseAddress, let recurrent = recurrent.baseAddress else { return }
    cell.step(
      input: input, recurrent: recurrent, state: e[state].row(batch, of: cell.cell.cells),
      QuantizedLSTMParameters(bias: e[bias], norm: e[norm], peephole: e[peephole]),
      gates: e[gates], into: e[hidden].row(batch, of: cell.cell.cells))
  }

  /// Projects the hidden rows of a step and copies them to the output.
  func finish(_ step: Int, _ e: borrowing Evaluation) {
    let last = e[self.last]
    if let projection {
      projection(e[hidden], e, into: last, outputs: cell.cell.outputs)
    } else {
      _ = last.update(fromContentsOf: e[hidden])
    }
    for batch in 0..<cell.cell.batches {
      _ = e[y].row(cell.cell.layout.row(batch, at: step), of: cell.cell.outputs).update(
        fromContentsOf: last.row(batch, of: cell.cell.outputs))
    }
  }
}

extension ByteProjection {
  func callAsFunction(
    _ hidden: UnsafeMutableBufferPointer<Int8>, _ e: borrowing Evaluation,
    into rows: UnsafeMutableBufferPointer<Int8>, outputs: Int
  ) {
    let (sums, bias) = (e[sums], e[self.bias])
    product.multiply(e, hidden, sums)
    for i in rows.indices {
      let unit = i % outputs
      let sum = sums[i / outputs * product.sumLength + unit]
      let value = Int8(clamping: factor(bias.isEmpty ? sum : sum &+ bias[unit]) &+ zeroPoint)
      rows[i] = clip > 0 ? min(max(value, -clip), clip) : value
    }
  }
}
