//===--- RNNCell.swift - a plain recurrent cell ---------------------------===//
//
// h ← f(W x + b + R h), and the result is h
//
// Contract  TFLite RNN and its sequences. A second input beside x has weights of its own; its
//           product is part of W x here.
// Order     A sum is the input's part, bias, recurrent part.
// Cost      A pass over the units, besides the products.
// Checked   Tests/MartletReferenceTests/RNNCellTests.swift, operator cases
//===----------------------------------------------------------------------===//

/// A layer of units whose last results are also inputs.
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

  /// Makes one step of one row: `sums` holds the input's part of the sums, `recurrent` the other,
  /// and `state` receives the result.
  package func step(
    sums: UnsafeMutableBufferPointer<Float>, bias: UnsafeMutableBufferPointer<Float>,
    recurrent: UnsafeMutableBufferPointer<Float>, into state: UnsafeMutableBufferPointer<Float>
  ) {
    for i in 0..<units { state[i] = sums[i] + bias[i] + recurrent[i] }
    activation(state, into: state)
  }
}
