//===--- QuantizedLSTMCell.swift - LSTM on integers -----------------------===//
//
// The cell of `LSTMCell` with bytes for inputs and outputs, 16-bit gates in Q3.12 and a 16-bit cell
// state whose scale is a power of two.
//
// Contract  Bit for bit LiteRT 2.3.0's `EvalInteger8x8_16`, except for peepholes with a
//           projection to another number of outputs than cells: LiteRT uses as many weights as
//           outputs, this one uses all. Sums, and products before they are scaled, wrap.
// Cost      cells · gates, besides the products.
//===----------------------------------------------------------------------===//

import MartletBase

/// The scales of a gate's integers.
package struct QuantizedLSTMGate: Sendable {
  package let input: FixedPointMultiplier
  package let recurrent: FixedPointMultiplier
  package let peephole: FixedPointMultiplier
  package let norm: FixedPointMultiplier
  /// The replacement for a variance below one.
  package let varianceGuard: Int32

  package init(
    input: FixedPointMultiplier, recurrent: FixedPointMultiplier, peephole: FixedPointMultiplier,
    norm: FixedPointMultiplier, varianceGuard: Int32
  ) {
    self.input = input
    self.recurrent = recurrent
    self.peephole = peephole
    self.norm = norm
    self.varianceGuard = varianceGuard
  }
}

/// The parameters of a cell's gates other than matrices, one gate after another.
package struct QuantizedLSTMParameters {
  package let bias: UnsafeMutableBufferPointer<Int32>
  /// Weights of the layer normalization and of the cell state; empty if there are none.
  package let norm: UnsafeMutableBufferPointer<Int16>
  package let peephole: UnsafeMutableBufferPointer<Int16>

  package init(
    bias: UnsafeMutableBufferPointer<Int32>, norm: UnsafeMutableBufferPointer<Int16>,
    peephole: UnsafeMutableBufferPointer<Int16>
  ) {
    self.bias = bias
    self.norm = norm
    self.peephole = peephole
  }
}

/// The arithmetic of a cell on integers.
package struct QuantizedLSTMCell: Sendable {
  package let cell: LSTMCell
  /// One for each gate of the cell, in its order.
  package let gates: [QuantizedLSTMGate]
  /// The power of two of the cell state's scale, -15 ... -9.
  package let stateExponent: Int32
  /// The bound of the cell state; 0 means none.
  package let cellClip: Int16
  /// From o · tanh(c) to bytes, and their zero point.
  package let hidden: FixedPointMultiplier
  package let hiddenZero: Int32

  package init(
    cell: LSTMCell, gates: [QuantizedLSTMGate], stateExponent: Int32, cellClip: Int16,
    hidden: FixedPointMultiplier, hiddenZero: Int32
  ) {
    self.cell = cell
    self.gates = gates
    self.stateExponent = stateExponent
    self.cellClip = cellClip
    self.hidden = hidden
    self.hiddenZero = hiddenZero
  }

  /// Computes one step of one row from the sums of the input and of the recurrent part. `gates` is
  /// scratch memory for all gates of a row.
  package func step(
    input: UnsafeMutablePointer<Int32>, recurrent: UnsafeMutablePointer<Int32>,
    state: UnsafeMutableBufferPointer<Int16>, _ parameters: QuantizedLSTMParameters,
    gates: UnsafeMutableBufferPointer<Int16>, into result: UnsafeMutableBufferPointer<Int8>
  ) {
    addParts(input, recurrent, parameters, into: gates)
    let count = cell.cells
    if !cell.isCoupled { gate(0, of: gates, state, parameters) }
    gate(cell.forget, of: gates, state, parameters)
    finish(cell.update, of: gates, nil, parameters)
    for i in 0..<count {
      let kept = gates[cell.forget + i]
      let taken = cell.isCoupled ? Int16.max &- kept : gates[i]
      let candidate = FixedPoint.tanh(gates[cell.update + i], bits: 3)
      let old = roundingShiftRight(Int32(kept) * Int32(state[i]), by: 15)
      let new = roundingShiftRight(Int32(taken) * Int32(candidate), by: 30 + stateExponent)
      let sum = Int16(
        clamping: Int32(Int16(truncatingIfNeeded: old)) + Int32(Int16(truncatingIfNeeded: new)))
      state[i] = cellClip > 0 ? min(max(sum, -cellClip), cellClip) : sum
    }
    gate(cell.output, of: gates, state, parameters)
    for i in 0..<count {
      let level = FixedPoint.tanh(state[i], bits: Int16(15 + stateExponent))
      let product = Int32(gates[cell.output + i]) * Int32(level)
      result[i] = Int8(clamping: hidden(product) &+ hiddenZero)
    }
  }

  /// Scales both parts to Q3.12 and adds them, with saturation.
  private func addParts(
    _ input: UnsafeMutablePointer<Int32>, _ recurrent: UnsafeMutablePointer<Int32>,
    _ parameters: QuantizedLSTMParameters, into gates: UnsafeMutableBufferPointer<Int16>
  ) {
    for (index, gate) in self.gates.enumerated() {
      for i in index * cell.cells..<(index + 1) * cell.cells {
        let bias = parameters.norm.isEmpty ? parameters.bias[i] : 0
        let first = Int16(clamping: gate.input(input[i] &+ bias))
        gates[i] = Int16(clamping: gate.recurrent(recurrent[i]) &+ Int32(first))
      }
    }
  }

  private func gate(
    _ first: Int, of gates: UnsafeMutableBufferPointer<Int16>,
    _ state: UnsafeMutableBufferPointer<Int16>, _ parameters: QuantizedLSTMParameters
  ) {
    finish(first, of: gates, state, parameters)
    for i in first..<first + cell.cells { gates[i] = FixedPoint.logistic(gates[i]) }
  }

  /// Completes the sums of the gate at `first` with its peephole, and normalizes them.
  private func finish(
    _ first: Int, of gates: UnsafeMutableBufferPointer<Int16>,
    _ state: UnsafeMutableBufferPointer<Int16>?, _ parameters: QuantizedLSTMParameters
  ) {
    let scales = self.gates[first / max(cell.cells, 1)]
    if let state, !parameters.peephole.isEmpty {
      for i in 0..<cell.cells {
        let product = Int32(parameters.peephole[first + i]) * Int32(state[i])
        gates[first + i] = Int16(clamping: scales.peephole(product) &+ Int32(gates[first + i]))
      }
    }
    guard !parameters.norm.isEmpty else { return }
    let range = first..<first + cell.cells
    Reference.standardize(
      UnsafeMutableBufferPointer(rebasing: gates[range]),
      weights: UnsafeMutableBufferPointer(rebasing: parameters.norm[range]),
      bias: UnsafeMutableBufferPointer(rebasing: parameters.bias[range]), scale: scales.norm,
      varianceGuard: scales.varianceGuard)
  }
}

extension Reference {
  /// Normalizes to mean 0 and standard deviation 1, multiplies by weights, and adds a bias; the
  /// result is Q3.12.
  package static func standardize(
    _ x: UnsafeMutableBufferPointer<Int16>, weights: UnsafeMutableBufferPointer<Int16>,
    bias: UnsafeMutableBufferPointer<Int32>, scale: FixedPointMultiplier, varianceGuard: Int32
  ) {
    let count = Int64(max(x.count, 1))
    var sum: Int64 = 0
    var squares: Int64 = 0
    for value in x {
      sum += Int64(value)
      squares += Int64(value) * Int64(value)
    }
    // Ten more bits than the elements have.
    let mean = Int32(truncatingIfNeeded: sum * 1024 / count)
    let spread = squares * ((1 << 20) / count) - Int64(mean) * Int64(mean)
    let variance = Int32(truncatingIfNeeded: spread / (1 << 20))
    let factor = FixedPointMultiplier.inverseSquareRoot(
      of: variance < 1 ? varianceGuard : variance)
    let wider = FixedPointMultiplier(mantissa: scale.mantissa, shift: scale.shift + 12)
    for i in x.indices {
      let standard = factor(1024 &* Int32(x[i]) &- mean)
      let weighed = Int64(standard &* Int32(weights[i]) &+ bias[i])
      let rounded = (weighed > 0 ? weighed + 512 : weighed - 512) / 1024
      x[i] = Int16(clamping: wider(Int32(truncatingIfNeeded: rounded)))
    }
  }
}
