//===--- LSTMCell.swift - LSTM layout and float step ----------------------===//
//
// i = σ(Wi x + Ri h + Pi c + bi), f likewise; g = tanh(Wg x + Rg h + bg)
// c ← clip(f c + i g);  o = σ(Wo x + Ro h + Po c + bo);  h ← clip(W (o tanh(c)) + b)
//
// Contract  TFLite LSTM and UNIDIRECTIONAL_SEQUENCE_LSTM. With coupled gates i = 1 - f. Peepholes P
//           are diagonal. With layer normalization a gate's sum is normalized over its cells and
//           weighted, then the bias is added. Gates are stored in the order i, f, g, o; coupled
//           ones lack i.
// Order     A gate's sum is bias, input, recurrent part, peephole.
// Cost      cells · gates, besides the products.
//===----------------------------------------------------------------------===//

import MartletBase

/// The extents and options of an LSTM layer.
package struct LSTMCell: Sendable {
  package var layout: SequenceLayout
  package var inputs: Int
  package var cells: Int
  package var outputs: Int
  /// Whether the input gate is one minus the forget gate.
  package var isCoupled = false
  package var activation = CellActivation.tanh
  /// The bounds of the cell state and of the projection; 0 means none.
  package var cellClip: Float = 0
  package var projectionClip: Float = 0

  package init(batches: Int, inputs: Int, cells: Int, outputs: Int) {
    layout = SequenceLayout(batches: batches)
    self.inputs = inputs
    self.cells = cells
    self.outputs = outputs
  }

  package var batches: Int { layout.batches }
  package var steps: Int { layout.steps }

  /// The number of gates that have weights.
  package var gateCount: Int { isCoupled ? 3 : 4 }
  /// The elements of all gates of one row.
  package var gateLength: Int { gateCount * cells }

  /// The start of each gate's elements in a row; the input gate is the first if there is one.
  package var forget: Int { isCoupled ? 0 : cells }
  package var update: Int { forget + cells }
  package var output: Int { forget + 2 * cells }
}

/// The activation of a cell.
package enum CellActivation: Sendable {
  case clamp(ClosedRange<Float>)
  case tanh
  /// 1 for negative numbers, 0 for others.
  case sign

  /// Applies the function to each element.
  package func callAsFunction(
    _ x: UnsafeMutableBufferPointer<Float>, into y: UnsafeMutableBufferPointer<Float>
  ) {
    switch self {
    case .clamp(let range):
      for i in x.indices { y[i] = min(max(x[i], range.lowerBound), range.upperBound) }
    case .tanh: Reference.mapLanes(x, into: y) { VectorMath.tanh($0) }
    case .sign: for i in x.indices { y[i] = x[i].sign == .minus ? 1 : 0 }
    }
  }
}

/// The parameters of a cell's gates other than matrices, one gate after another.
package struct LSTMParameters {
  package let bias: UnsafeMutableBufferPointer<Float>
  /// Weights of the layer normalization; empty if there is none.
  package let norm: UnsafeMutableBufferPointer<Float>
  /// Weights of the cell state, for each gate; empty if there are none.
  package let peephole: UnsafeMutableBufferPointer<Float>

  package init(
    bias: UnsafeMutableBufferPointer<Float>, norm: UnsafeMutableBufferPointer<Float>,
    peephole: UnsafeMutableBufferPointer<Float>
  ) {
    self.bias = bias
    self.norm = norm
    self.peephole = peephole
  }
}

extension LSTMCell {
  /// Computes one step of one row: `gates` holds the input's part of the gates' sums, `recurrent`
  /// the recurrent part. The cell state is updated in place, and `hidden` receives o · tanh(c).
  package func step(
    gates: UnsafeMutableBufferPointer<Float>, recurrent: UnsafeMutableBufferPointer<Float>,
    state: UnsafeMutableBufferPointer<Float>, _ parameters: LSTMParameters,
    into hidden: UnsafeMutableBufferPointer<Float>
  ) {
    let isNormal = parameters.norm.isEmpty
    for i in gates.indices {
      gates[i] = (isNormal ? parameters.bias[i] + gates[i] : gates[i]) + recurrent[i]
    }
    if !isCoupled { gate(0, of: gates, state, parameters) }
    gate(forget, of: gates, state, parameters)
    let candidates = sums(update, of: gates, nil, parameters)
    activation(candidates, into: candidates)
    for i in 0..<cells {
      let kept = gates[forget + i]
      let taken = isCoupled ? 1 - kept : gates[i]
      let value = kept * state[i] + candidates[i] * taken
      state[i] = cellClip > 0 ? min(max(value, -cellClip), cellClip) : value
    }
    gate(output, of: gates, state, parameters)
    activation(state, into: hidden)
    for i in 0..<cells { hidden[i] *= gates[output + i] }
  }

  /// Applies the gate's activation to the sums at `first`.
  private func gate(
    _ first: Int, of gates: UnsafeMutableBufferPointer<Float>,
    _ state: UnsafeMutableBufferPointer<Float>, _ parameters: LSTMParameters
  ) {
    let gate = sums(first, of: gates, state, parameters)
    Reference.mapLanes(gate, into: gate) { VectorMath.logistic($0) }
  }

  /// Completes the sums of the gate at `first` with its peephole and normalization.
  private func sums(
    _ first: Int, of gates: UnsafeMutableBufferPointer<Float>,
    _ state: UnsafeMutableBufferPointer<Float>?, _ parameters: LSTMParameters
  ) -> UnsafeMutableBufferPointer<Float> {
    let gate = UnsafeMutableBufferPointer(rebasing: gates[first..<first + cells])
    if let state, !parameters.peephole.isEmpty {
      for i in 0..<cells { gate[i] += parameters.peephole[first + i] * state[i] }
    }
    guard !parameters.norm.isEmpty else { return gate }
    Reference.standardize(gate)
    for i in 0..<cells {
      gate[i] = gate[i] * parameters.norm[first + i] + parameters.bias[first + i]
    }
    return gate
  }
}

extension Reference {
  /// Normalizes to mean 0 and standard deviation 1.
  package static func standardize(_ x: UnsafeMutableBufferPointer<Float>) {
    let count = Float(x.count)
    var sum: Float = 0
    for value in x { sum += value }
    let mean = sum / count
    var squares: Float = 0
    for value in x { squares += (value - mean) * (value - mean) }
    let factor = 1 / (squares / count + 1e-8).squareRoot()
    for i in x.indices { x[i] = (x[i] - mean) * factor }
  }
}
