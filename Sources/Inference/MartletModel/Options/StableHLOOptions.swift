//===--- StableHLOOptions.swift - options of StableHLO operators ----------===//
//
// Options of the operators that converters take from StableHLO, and of REDUCE_WINDOW.
// Names, the numbers of fields and defaults are those of the schema.
//
// Contract  Indices of subgraphs are valid, and enumerations have values of the schema. Extents,
//           strides and axes are checked by the operator that uses them, not here.
//===----------------------------------------------------------------------===//

/// STABLEHLO_REDUCE_WINDOW. An empty list stands for the default along every axis: 1, or no padding.
package struct StableHLOReduceWindowOptions: Sendable, Equatable {
  package var extents: [Int] = []
  package var strides: [Int] = []
  package var baseDilations: [Int] = []
  package var windowDilations: [Int] = []
  /// The elements to add before and after each axis, negative to remove some.
  package var padding: [Int] = []
  /// The index of a subgraph that exists.
  package var bodySubgraph = 0
}

extension StableHLOReduceWindowOptions {
  init(_ table: SchemaTable, subgraphCount: Int) throws(ModelError) {
    extents = try table.integers(0)
    strides = try table.integers(1)
    baseDilations = try table.integers(2)
    windowDilations = try table.integers(3)
    padding = try table.integers(4)
    bodySubgraph = try table.subgraph(5, count: subgraphCount)
  }
}

/// How REDUCE_WINDOW combines elements.
package enum ReduceWindowFunction: Int, Sendable, Equatable {
  case unsupported = 0
  case add = 1
  case multiply = 2
  case minimum = 3
  case maximum = 4
  case all = 5
  case any = 6
}

package struct ReduceWindowOptions: Sendable, Equatable {
  package var function = ReduceWindowFunction.unsupported
}

extension ReduceWindowOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    let found = try table.int32(0)
    guard let function = ReduceWindowFunction(rawValue: found) else {
      throw .unknownValue(.reduceWindowFunction, table.place, found: found)
    }
    self.function = function
  }
}

/// STABLEHLO_SCATTER.
package struct StableHLOScatterOptions: Sendable, Equatable {
  package var updateWindowAxes: [Int] = []
  package var insertedWindowAxes: [Int] = []
  package var scatterAxesToOperandAxes: [Int] = []
  package var indexVectorAxis = 0
  /// The index of a subgraph that exists.
  package var computationSubgraph = 0
}

extension StableHLOScatterOptions {
  init(_ table: SchemaTable, subgraphCount: Int) throws(ModelError) {
    updateWindowAxes = try table.integers(1)
    insertedWindowAxes = try table.integers(2)
    scatterAxesToOperandAxes = try table.integers(3)
    indexVectorAxis = Int(clamping: try table.int64(4))
    computationSubgraph = try table.subgraph(6, count: subgraphCount)
  }
}

/// STABLEHLO_GATHER.
package struct StableHLOGatherOptions: Sendable, Equatable {
  package var offsetAxes: [Int] = []
  package var collapsedSliceAxes: [Int] = []
  package var startIndexMap: [Int] = []
  package var indexVectorAxis = 0
  package var sliceExtents: [Int] = []
}

extension StableHLOGatherOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    offsetAxes = try table.integers(0)
    collapsedSliceAxes = try table.integers(1)
    startIndexMap = try table.integers(2)
    indexVectorAxis = Int(clamping: try table.int64(3))
    sliceExtents = try table.integers(4)
  }
}

/// STABLEHLO_PAD: the elements to add before, after and between those of each axis. Negative numbers
/// at the edges remove some.
package struct StableHLOPadOptions: Sendable, Equatable {
  package var before: [Int] = []
  package var after: [Int] = []
  package var between: [Int] = []
}

extension StableHLOPadOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    before = try table.integers(0)
    after = try table.integers(1)
    between = try table.integers(2)
  }
}

extension SchemaTable {
  /// The elements of a vector of 64-bit integers, clamped to `Int`; empty if the file has none.
  fileprivate func integers(_ field: Int) throws(ModelError) -> [Int] {
    try int64s(field)?.map { Int(clamping: $0) } ?? []
  }
}
