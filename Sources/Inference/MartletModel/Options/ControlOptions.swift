//===--- ControlOptions.swift - options of control flow -------------------===//
//
// Options of control flow, variables and hash tables.
// Names, the numbers of fields and defaults are those of the schema.
//
// Contract  Indices of subgraphs are valid, and enumerations have values of the schema. Extents,
//           strides and axes are checked by the operator that uses them, not here.
//===----------------------------------------------------------------------===//

/// IF: indices of subgraphs that exist.
package struct IfOptions: Sendable, Equatable {
  package var thenSubgraph = 0
  package var elseSubgraph = 0
}

extension IfOptions {
  init(_ table: SchemaTable, subgraphCount: Int) throws(ModelError) {
    thenSubgraph = try table.subgraph(0, count: subgraphCount)
    elseSubgraph = try table.subgraph(1, count: subgraphCount)
  }
}

/// WHILE: indices of subgraphs that exist.
package struct WhileOptions: Sendable, Equatable {
  package var conditionSubgraph = 0
  package var bodySubgraph = 0
}

extension WhileOptions {
  init(_ table: SchemaTable, subgraphCount: Int) throws(ModelError) {
    conditionSubgraph = try table.subgraph(0, count: subgraphCount)
    bodySubgraph = try table.subgraph(1, count: subgraphCount)
  }
}

/// CALL and CALL_ONCE: the index of a subgraph that exists.
package struct CallOptions: Sendable, Equatable {
  package var subgraph = 0
}

extension CallOptions {
  init(_ table: SchemaTable, subgraphCount: Int) throws(ModelError) {
    subgraph = try table.subgraph(0, count: subgraphCount)
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
  init(_ table: SchemaTable, subgraphCount: Int) throws(ModelError) {
    name = try table.string(0) ?? ""
    subgraph = try table.subgraph(1, count: subgraphCount)
    attributes = try table.sharedBytes(2) ?? 0..<0
    version = try table.int32(4)
  }
}

package struct VarHandleOptions: Sendable, Hashable {
  package var container = ""
  package var sharedName = ""
}

extension VarHandleOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    container = try table.string(0) ?? ""
    sharedName = try table.string(1) ?? ""
  }
}

/// HASHTABLE: types are raw values of `ElementType`.
package struct HashtableOptions: Sendable, Hashable {
  package var tableIdentifier = 0
  package var keyType: UInt8 = 0
  package var valueType: UInt8 = 0
}

extension HashtableOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    tableIdentifier = try table.int32(0)
    keyType = try table.uint8(1)
    valueType = try table.uint8(2)
  }
}
