//===--- RecurrentOptions.swift - options of recurrent layers -------------===//
//
// Options of recurrent layers.
// Names, the numbers of fields and defaults are those of the schema.
//
// Contract  Indices of subgraphs are valid, and enumerations have values of the schema. Extents,
//           strides and axes are checked by the operator that uses them, not here.
//===----------------------------------------------------------------------===//

package struct SVDFOptions: Sendable, Equatable {
  package var rank = 0
  package var activation = Activation.none
  package var asymmetricQuantizeInputs = false
}

extension SVDFOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    rank = try table.int32(0)
    activation = try table.activation(1)
    asymmetricQuantizeInputs = try table.bool(2)
  }
}

/// RNN and its sequence forms. `timeMajor` and `mergeOutputs` are false if the schema lacks them.
package struct RNNOptions: Sendable, Equatable {
  package var timeMajor = false
  package var activation = Activation.none
  package var mergeOutputs = false
  package var asymmetricQuantizeInputs = false
}

extension RNNOptions {
  init(cell table: SchemaTable) throws(ModelError) {
    activation = try table.activation(0)
    asymmetricQuantizeInputs = try table.bool(1)
  }

  init(sequence table: SchemaTable) throws(ModelError) {
    timeMajor = try table.bool(0)
    activation = try table.activation(1)
    asymmetricQuantizeInputs = try table.bool(2)
  }

  init(bidirectional table: SchemaTable) throws(ModelError) {
    timeMajor = try table.bool(0)
    activation = try table.activation(1)
    mergeOutputs = try table.bool(2)
    asymmetricQuantizeInputs = try table.bool(3)
  }
}

package struct LSTMOptions: Sendable, Equatable {
  package var activation = Activation.none
  /// The bound of the cell state; 0 means none.
  package var cellClip: Float = 0
  /// The bound of the projection; 0 means none.
  package var projectionClip: Float = 0
  package var kernel = LSTMKernel.full
  package var asymmetricQuantizeInputs = false
}

extension LSTMOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    activation = try table.activation(0)
    cellClip = try table.float(1)
    projectionClip = try table.float(2)
    kernel = try table.option(3, .lstmKernel)
    asymmetricQuantizeInputs = try table.bool(4)
  }
}

package struct UnidirectionalSequenceLSTMOptions: Sendable, Equatable {
  package var activation = Activation.none
  package var cellClip: Float = 0
  package var projectionClip: Float = 0
  package var timeMajor = false
  package var asymmetricQuantizeInputs = false
  package var diagonalRecurrentTensors = false
}

extension UnidirectionalSequenceLSTMOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    activation = try table.activation(0)
    cellClip = try table.float(1)
    projectionClip = try table.float(2)
    timeMajor = try table.bool(3)
    asymmetricQuantizeInputs = try table.bool(4)
    diagonalRecurrentTensors = try table.bool(5)
  }
}

package struct BidirectionalSequenceLSTMOptions: Sendable, Equatable {
  package var activation = Activation.none
  package var cellClip: Float = 0
  package var projectionClip: Float = 0
  package var mergeOutputs = false
  package var timeMajor = true
  package var asymmetricQuantizeInputs = false
}

extension BidirectionalSequenceLSTMOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    activation = try table.activation(0)
    cellClip = try table.float(1)
    projectionClip = try table.float(2)
    mergeOutputs = try table.bool(3)
    timeMajor = try table.bool(4, default: true)
    asymmetricQuantizeInputs = try table.bool(5)
  }
}
