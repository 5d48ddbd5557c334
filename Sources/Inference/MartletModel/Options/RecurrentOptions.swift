//===--- RecurrentOptions.swift - options of recurrent layers -------------===//
//
// Options of recurrent layers.
// Names, field numbers and defaults are those of the schema.
//
// Contract  Indices of subgraphs are valid, and enumerations have values of the schema. Extents,
//           strides and axes are checked by the operator that uses them, not here.
// Checked   Tests/MartletModelTests/OperatorOptionsTests.swift
//===----------------------------------------------------------------------===//

package struct SVDFOptions: Sendable, Equatable {
  package var rank = 0
  package var activation = Activation.none
  package var asymmetricQuantizeInputs = false
}

extension SVDFOptions {
  private enum Field {
    static let rank = 0
    static let activation = 1
    static let asymmetricQuantizeInputs = 2
  }

  init(_ table: SchemaTable) throws(ModelError) {
    rank = try table.int32(Field.rank)
    activation = try table.activation(Field.activation)
    asymmetricQuantizeInputs = try table.bool(Field.asymmetricQuantizeInputs)
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
  private enum CellField {
    static let activation = 0
    static let asymmetricQuantizeInputs = 1
  }

  private enum SequenceField {
    static let timeMajor = 0
    static let activation = 1
    static let asymmetricQuantizeInputs = 2
  }

  private enum BidirectionalField {
    static let timeMajor = 0
    static let activation = 1
    static let mergeOutputs = 2
    static let asymmetricQuantizeInputs = 3
  }

  init(cell table: SchemaTable) throws(ModelError) {
    activation = try table.activation(CellField.activation)
    asymmetricQuantizeInputs = try table.bool(CellField.asymmetricQuantizeInputs)
  }

  init(sequence table: SchemaTable) throws(ModelError) {
    timeMajor = try table.bool(SequenceField.timeMajor)
    activation = try table.activation(SequenceField.activation)
    asymmetricQuantizeInputs = try table.bool(SequenceField.asymmetricQuantizeInputs)
  }

  init(bidirectional table: SchemaTable) throws(ModelError) {
    timeMajor = try table.bool(BidirectionalField.timeMajor)
    activation = try table.activation(BidirectionalField.activation)
    mergeOutputs = try table.bool(BidirectionalField.mergeOutputs)
    asymmetricQuantizeInputs = try table.bool(BidirectionalField.asymmetricQuantizeInputs)
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
  private enum Field {
    static let activation = 0
    static let cellClip = 1
    static let projectionClip = 2
    static let kernel = 3
    static let asymmetricQuantizeInputs = 4
  }

  init(_ table: SchemaTable) throws(ModelError) {
    activation = try table.activation(Field.activation)
    cellClip = try table.float(Field.cellClip)
    projectionClip = try table.float(Field.projectionClip)
    kernel = try table.option(Field.kernel, .lstmKernel)
    asymmetricQuantizeInputs = try table.bool(Field.asymmetricQuantizeInputs)
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
  private enum Field {
    static let activation = 0
    static let cellClip = 1
    static let projectionClip = 2
    static let timeMajor = 3
    static let asymmetricQuantizeInputs = 4
    static let diagonalRecurrentTensors = 5
  }

  init(_ table: SchemaTable) throws(ModelError) {
    activation = try table.activation(Field.activation)
    cellClip = try table.float(Field.cellClip)
    projectionClip = try table.float(Field.projectionClip)
    timeMajor = try table.bool(Field.timeMajor)
    asymmetricQuantizeInputs = try table.bool(Field.asymmetricQuantizeInputs)
    diagonalRecurrentTensors = try table.bool(Field.diagonalRecurrentTensors)
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
  private enum Field {
    static let activation = 0
    static let cellClip = 1
    static let projectionClip = 2
    static let mergeOutputs = 3
    static let timeMajor = 4
    static let asymmetricQuantizeInputs = 5
  }

  init(_ table: SchemaTable) throws(ModelError) {
    activation = try table.activation(Field.activation)
    cellClip = try table.float(Field.cellClip)
    projectionClip = try table.float(Field.projectionClip)
    mergeOutputs = try table.bool(Field.mergeOutputs)
    timeMajor = try table.bool(Field.timeMajor, default: true)
    asymmetricQuantizeInputs = try table.bool(Field.asymmetricQuantizeInputs)
  }
}
