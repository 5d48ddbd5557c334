//===--- LSTM+Float.swift - LSTM layers on floats -------------------------===//
//
// The input part of all gates is one product for several steps; the recurrent part is one product
// per step. Signed byte weights change only the products.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletReference

/// The tensors of a float layer, except matrices.
private struct FloatLSTM {
  let cell: LSTMCell
  let steps: LSTMSteps
  let x: Operand<Float>
  let y: OutputRows
  let last: Operand<Float>
  let state: Operand<Float>
  let biases: [Operand<Float>]
  let norms: [Operand<Float>]
  let peepholes: [Peephole?]
  let projectionBias: Operand<Float>?
  // Scratch memory: the gates' vectors in order, the sums, and a step's rows.
  let bias: Operand<Float>
  let norm: Operand<Float>?
  let peephole: Operand<Float>?
  let gates: Operand<Float>
  let recurrent: Operand<Float>
  let hidden: Operand<Float>

  /// Float weights, or signed byte weights with a scale.
  enum Peephole {
    case floats(Operand<Float>)
    case bytes(Operand<Int8>, scale: Float)
  }
}

func prepareFloatLSTM(
  _ p: inout Preparation, _ cell: LSTMCell, _ inputs: LSTMInputs, _ places: LSTMGates,
  into y: OutputRows, isAsymmetric: Bool
) throws(InferenceError) -> Evaluate {
  let isHybrid = try p.input(inputs.inputWeights[3]).type == .int8
  let layer = try FloatLSTM(&p, cell, inputs, places, into: y, isHybrid: isHybrid)
  func matrices(_ inputs: [Int], rows: Int, depth: Int, units: Int) -> RowMatrices {
    RowMatrices(inputs: inputs, rows: rows, depth: depth, units: units)
  }
  let steps = layer.steps
  let input = try p.rowProduct(
    matrices(places.inputWeights, rows: steps.runRows, depth: cell.inputs, units: cell.cells),
    isHybrid: isHybrid, isAsymmetric: isAsymmetric)
  let auxiliary =
    if let x = inputs.auxiliary?.x {
      try p.auxiliaryProduct(
        of: x, with: places.auxiliaryWeights, rows: steps.runRows, units: cell.cells,
        isHybrid: isHybrid, isAsymmetric: isAsymmetric)
    } else { nil as AuxiliaryProduct? }
  let isDiagonal = try p.input(inputs.recurrentWeights[3]).shape.rank == 1
  let recurrent =
    isDiagonal
    ? try p.diagonalRowProduct(places.recurrentWeights, rows: cell.batches, units: cell.cells)
    : try p.rowProduct(
      matrices(
        places.recurrentWeights, rows: cell.batches, depth: cell.outputs, units: cell.cells),
      isHybrid: isHybrid, isAsymmetric: isAsymmetric)
  let projection =
    p.hasInput(inputs.projection)
    ? try p.rowProduct(
      matrices(
        [inputs.projection], rows: cell.batches, depth: cell.cells, units: cell.outputs),
      isHybrid: isHybrid, isAsymmetric: isAsymmetric) : nil
  return { e in
    layer.gather(e)
    for step in 0..<cell.steps where !e.workers.isInterrupted {
      steps.forEachRun(beginningAt: step) { source, row in
        let gates = e[layer.gates].rows(row, count: steps.runRows, of: cell.gateLength)
        input.multiply(e, e[layer.x].rows(source, count: steps.runRows, of: cell.inputs), gates)
        auxiliary?.add(e, from: source, count: steps.runRows, to: gates)
      }
      recurrent.multiply(e, e[layer.last], e[layer.recurrent])
      layer.step(step, e)
      if let projection {
        projection.multiply(e, e[layer.hidden], e[layer.last])
        layer.finishProjection(e)
      } else {
        _ = e[layer.last].update(fromContentsOf: e[layer.hidden])
      }
      layer.store(step, e)
    }
  }
}

extension FloatLSTM {
  init(
    _ p: inout Preparation, _ cell: LSTMCell, _ inputs: LSTMInputs, _ places: LSTMGates,
    into y: OutputRows, isHybrid: Bool
  ) throws(InferenceError) {
    self.cell = cell
    steps = LSTMSteps(cell)
    x = try p.input(inputs.x, as: Float.self)
    self.y = y
    last = try p.state(
      inputs.lastOutput, as: Float.self, count: cell.batches * cell.outputs)
    state = try p.state(
      inputs.cellState, as: Float.self, count: cell.batches * cell.cells)
    biases = try p.cellVectors(places.biases, as: Float.self, count: cell.cells)
    norms = try p.cellVectors(places.norms, as: Float.self, count: cell.cells)
    var peepholes: [Peephole?] = []
    for index in places.peepholes {
      guard let index else {
        peepholes.append(nil)
        continue
      }
      peepholes.append(
        isHybrid
          ? .bytes(
            try p.input(index, as: Int8.self, count: cell.cells),
            scale: try p.perTensorQuantization(weights: index).scale)
          : .floats(try p.input(index, as: Float.self, count: cell.cells)))
    }
    self.peepholes = peepholes
    projectionBias =
      p.hasInput(inputs.projectionBias)
      ? try p.input(inputs.projectionBias, as: Float.self, count: cell.outputs) : nil
    bias = try p.scratch(cell.gateLength, as: Float.self)
    norm = norms.isEmpty ? nil : try p.scratch(cell.gateLength, as: Float.self)
    peephole = peepholes.isEmpty ? nil : try p.scratch(cell.gateLength, as: Float.self)
    gates = try p.scratch(rows: steps.rows, of: cell.gateLength, as: Float.self)
    recurrent = try p.scratch(rows: cell.batches, of: cell.gateLength, as: Float.self)
    hidden = try p.scratch(rows: cell.batches, of: cell.cells, as: Float.self)
  }

  /// Copies the gates' vectors one after the other.
  func gather(_ e: borrowing Evaluation) {
    let (bias, norm, peephole) = (e[self.bias], e[self.norm], e[self.peephole])
    for gate in 0..<cell.gateCount {
      let first = gate * cell.cells
      let biases = e[biases[gate]]
      for i in 0..<cell.cells { bias[first + i] = biases[i] }
      if !norms.isEmpty {
        let norms = e[norms[gate]]
        for i in 0..<cell.cells { norm[first + i] = norms[i] }
      }
      guard !peepholes.isEmpty else { continue }
      switch peepholes[gate] {
      case .floats(let operand):
        for i in 0..<cell.cells { peephole[first + i] = e[operand][i] }
      case .bytes(let operand, let scale):
        for i in 0..<cell.cells { peephole[first + i] = scale * Float(e[operand][i]) }
      case nil: break
      }
    }
  }

  /// Runs one step of all batches.
  func step(_ step: Int, _ e: borrowing Evaluation) {
    let parameters = LSTMParameters(bias: e[bias], norm: e[norm], peephole: e[peephole])
    for batch in 0..<cell.batches {
      cell.step(
        gates: e[gates].row(steps.row(batch, at: step), of: cell.gateLength),
        recurrent: e[recurrent].row(batch, of: cell.gateLength),
        state: e[state].row(batch, of: cell.cells), parameters,
        into: e[hidden].row(batch, of: cell.cells))
    }
  }

  /// Adds the projection's bias and clips.
  func finishProjection(_ e: borrowing Evaluation) {
    let (rows, bias) = (e[last], e[projectionBias])
    let clip = cell.projectionClip
    for i in rows.indices {
      let value = bias.isEmpty ? rows[i] : rows[i] + bias[i % cell.outputs]
      rows[i] = clip > 0 ? min(max(value, -clip), clip) : value
    }
  }

  /// Copies a step's results to the output.
  func store(_ step: Int, _ e: borrowing Evaluation) {
    for batch in 0..<cell.batches {
      y.store(e[last].row(batch, of: cell.outputs), e, row: cell.layout.row(batch, at: step))
    }
  }
}
