//===--- ControlOptions.swift - options of control flow -------------------===//
//
// Options of control flow, variables and hash tables.
// Names, field numbers and defaults are those of the schema.
//
// Contract  Indices of subgraphs are valid, and enumerations have values of the schema. Extents,
//           strides and axes are checked by the operator that uses them, not here.
// Checked   Tests/MartletModelTests/OperatorOptionsTests.swift
//===----------------------------------------------------------------------===//

/// IF: indices of subgraphs that exist.
package struct IfOptions: Sendable, Equatable {
  package var thenSubgraph = 0
  package var elseSubgraph = 0
}

extension IfOptions {
  private enum Field {
    static let thenSubgraph = 0
    static let elseSubgraph = 1
  }

  init(_ table: SchemaTable, subgraphCount: Int) throws(ModelError) {
    thenSubgraph = try table.subgraph(Field.thenSubgraph, count: subgraphCount)
    elseSubgraph = try table.subgraph(Field.elseSubgraph, count: subgraphCount)
  }
}

/// WHILE: indices of subgraphs that exist.
package struct WhileOptions: Sendable, Equatable {
  package var conditionSubgraph = 0
  package var bodySubgraph = 0
}

extension WhileOptions {
  private enum Field {
    static let conditionSubgraph = 0
    static let bodySubgraph = 1
  }

  init(_ table: SchemaTable, subgraphCount: Int) throws(ModelError) {
    conditionSubgraph = try table.subgraph(Field.conditionSubgraph, count: subgraphCount)
    bodySubgraph = try table.subgraph(Field.bodySubgraph, count: subgraphCount)
  }
}

/// CALL and CALL_ONCE: the index of a subgraph that exists.
package struct CallOptions: Sendable, Equatable {
  package var subgraph = 0
}

extension CallOptions {
  private enum Field {
    static let subgraph = 0
  }

  init(_ table: SchemaTable, subgraphCount: Int) throws(ModelError) {
    subgraph = try table.subgraph(Field.subgraph, count: subgraphCount)
  }
}

/// STABLEHLO_COMPOSITE: a named operator that a subgraph implements.
package struct CompositeOptions: Sendable, Equatable {
  package var name = ""
  /// The index of a subgraph that exists.
  package var subgraph = 0
  /// The range of the model's bytes that the attributes take, a FlexBuffer; empty if none.
  package var attributes = 0..<0
  package var version = 0
}

extension CompositeOptions {
  private enum Field {
    static let name = 0
    static let subgraph = 1
    static let attributes = 2
    static let version = 4
  }

  init(_ table: SchemaTable, subgraphCount: Int) throws(ModelError) {
    name = try table.string(Field.name) ?? ""
    subgraph = try table.subgraph(Field.subgraph, count: subgraphCount)
    attributes = try table.sharedBytes(Field.attributes) ?? 0..<0
    version = try table.int32(Field.version)
  }
}

package struct VarHandleOptions: Sendable, Hashable {
  package var container = ""
  package var sharedName = ""
}

extension VarHandleOptions {
  private enum Field {
    static let container = 0
    static let sharedName = 1
  }

  init(_ table: SchemaTable) throws(ModelError) {
    container = try table.string(Field.container) ?? ""
    sharedName = try table.string(Field.sharedName) ?? ""
  }
}

/// HASHTABLE: types are raw values of `ElementType`.
package struct HashtableOptions: Sendable, Hashable {
  package var tableIdentifier = 0
  package var keyType: UInt8 = 0
  package var valueType: UInt8 = 0
}

extension HashtableOptions {
  private enum Field {
    static let tableIdentifier = 0
    static let keyType = 1
    static let valueType = 2
  }

  init(_ table: SchemaTable) throws(ModelError) {
    tableIdentifier = try table.int32(Field.tableIdentifier)
    keyType = try table.uint8(Field.keyType)
    valueType = try table.uint8(Field.valueType)
  }
}
