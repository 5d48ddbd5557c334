//===--- RNNCell.swift - a plain recurrent cell ---------------------------===//
//
// h ← f(W x + b + R h), and the result is h
//
// Contract  TFLite RNN and its sequences. A second input has its own weights; its product is part
//           of W x here.
// Order     A sum is the input's part, bias, recurrent part.
// Cost      A pass over the units, besides the products.
//===----------------------------------------------------------------------===//

/// A recurrent layer.
package struct RNNCell: Sendable {
  package let layout: SequenceLayout
  package let inputs: Int
  package let units: Int
  package let activation: CellActivation

  package init(layout: SequenceLayout, inputs: Int, units: Int, activation: CellActivation) {
    self.layout = layout
    self.inputs = inputs
    self.units = units
    self.activation = activation
  }

  /// Computes one step of one row: `sums` holds the input's part of the sums, `recurrent` the
  /// recurrent part, and `state` receives the result.
  package func step(
    sums: UnsafeMutableBufferPointer<Float>, bias: UnsafeMutableBufferPointer<Float>,
    recurrent: UnsafeMutableBufferPointer<Float>, into state: UnsafeMutableBufferPointer<Float>
  ) {
    for i in 0..<units { state[i] = sums[i] + bias[i] + recurrent[i] }
    activation(state, into: state)
  }
}
