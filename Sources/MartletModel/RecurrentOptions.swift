//===--- RecurrentOptions.swift - options of operators with a memory ------===//
//
// The option tables of recurrent layers, of control flow, and of variables. Names are the schema's;
// defaults are the schema's.
//
// Checked   Tests/MartletModelTests/OperatorOptionsTests.swift
//===----------------------------------------------------------------------===//

package struct SVDFOptions: Sendable, Hashable {
  package var rank = 0
  package var activation = Activation.none
  package var asymmetricQuantizeInputs = false
}

/// RNN and the sequence forms; `timeMajor` and `mergeOutputs` are false where the schema has no
/// such field.
package struct RNNOptions: Sendable, Hashable {
  package var timeMajor = false
  package var activation = Activation.none
  package var mergeOutputs = false
  package var asymmetricQuantizeInputs = false
}

package struct LSTMOptions: Sendable, Hashable {
  package var activation = Activation.none
  /// The bound on the cell state; 0 means none.
  package var cellClip: Float = 0
  /// The bound on the projection; 0 means none.
  package var projectionClip: Float = 0
  package var kernel = LSTMKernel.full
  package var asymmetricQuantizeInputs = false
}

package struct UnidirectionalSequenceLSTMOptions: Sendable, Hashable {
  package var activation = Activation.none
  package var cellClip: Float = 0
  package var projectionClip: Float = 0
  package var timeMajor = false
  package var asymmetricQuantizeInputs = false
  package var diagonalRecurrentTensors = false
}

package struct BidirectionalSequenceLSTMOptions: Sendable, Hashable {
  package var activation = Activation.none
  package var cellClip: Float = 0
  package var projectionClip: Float = 0
  package var mergeOutputs = false
  package var timeMajor = true
  package var asymmetricQuantizeInputs = false
}

/// IF: indices of subgraphs that exist.
package struct IfOptions: Sendable, Hashable {
  package var thenSubgraph = 0
  package var elseSubgraph = 0
}

/// WHILE: indices of subgraphs that exist.
package struct WhileOptions: Sendable, Hashable {
  package var conditionSubgraph = 0
  package var bodySubgraph = 0
}

/// CALL and CALL_ONCE: the index of a subgraph that exists.
package struct CallOptions: Sendable, Hashable {
  package var subgraph = 0
}

/// STABLEHLO_COMPOSITE: an operator by name that a subgraph spells out.
package struct CompositeOptions: Sendable, Hashable {
  package var name = ""
  /// The index of a subgraph that exists.
  package var subgraph = 0
  /// The range of the model's bytes that the attributes take, a FlexBuffer; empty if none.
  package var attributes = 0..<0
  package var version = 0
}

package struct VarHandleOptions: Sendable, Hashable {
  package var container = ""
  package var sharedName = ""
}

/// HASHTABLE: types are raw values of `ElementType`.
package struct HashtableOptions: Sendable, Hashable {
  package var tableIdentifier = 0
  package var keyType: UInt8 = 0
  package var valueType: UInt8 = 0
}
