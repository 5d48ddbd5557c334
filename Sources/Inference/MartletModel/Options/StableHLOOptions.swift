//===--- StableHLOOptions.swift - options of StableHLO operators ----------===//
//
// Options of the operators that converters take from StableHLO, and of REDUCE_WINDOW.
// Names, field numbers and defaults are those of the schema.
//
// Contract  Indices of subgraphs are valid, and enumerations have values of the schema. Extents,
//           strides and axes are checked by the operator that uses them, not here.
// Checked   Tests/MartletModelTests/OperatorOptionsTests.swift
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
  private enum Field {
    static let extents = 0
    static let strides = 1
    static let baseDilations = 2
    static let windowDilations = 3
    static let padding = 4
    static let bodySubgraph = 5
  }

  init(_ table: SchemaTable, subgraphCount: Int) throws(ModelError) {
    extents = try table.integers(Field.extents)
    strides = try table.integers(Field.strides)
    baseDilations = try table.integers(Field.baseDilations)
    windowDilations = try table.integers(Field.windowDilations)
    padding = try table.integers(Field.padding)
    bodySubgraph = try table.subgraph(Field.bodySubgraph, count: subgraphCount)
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
  private enum Field {
    static let function = 0
  }

  init(_ table: SchemaTable) throws(ModelError) {
    let found = try table.int32(Field.function)
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
  private enum Field {
    static let updateWindowAxes = 1
    static let insertedWindowAxes = 2
    static let scatterAxesToOperandAxes = 3
    static let indexVectorAxis = 4
    static let computationSubgraph = 6
  }

  init(_ table: SchemaTable, subgraphCount: Int) throws(ModelError) {
    updateWindowAxes = try table.integers(Field.updateWindowAxes)
    insertedWindowAxes = try table.integers(Field.insertedWindowAxes)
    scatterAxesToOperandAxes = try table.integers(Field.scatterAxesToOperandAxes)
    indexVectorAxis = Int(clamping: try table.int64(Field.indexVectorAxis))
    computationSubgraph = try table.subgraph(Field.computationSubgraph, count: subgraphCount)
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
  private enum Field {
    static let offsetAxes = 0
    static let collapsedSliceAxes = 1
    static let startIndexMap = 2
    static let indexVectorAxis = 3
    static let sliceExtents = 4
  }

  init(_ table: SchemaTable) throws(ModelError) {
    offsetAxes = try table.integers(Field.offsetAxes)
    collapsedSliceAxes = try table.integers(Field.collapsedSliceAxes)
    startIndexMap = try table.integers(Field.startIndexMap)
    indexVectorAxis = Int(clamping: try table.int64(Field.indexVectorAxis))
    sliceExtents = try table.integers(Field.sliceExtents)
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
  private enum Field {
    static let before = 0
    static let after = 1
    static let between = 2
  }

  init(_ table: SchemaTable) throws(ModelError) {
    before = try table.integers(Field.before)
    after = try table.integers(Field.after)
    between = try table.integers(Field.between)
  }
}

extension SchemaTable {
  /// The elements of a vector of 64-bit integers, clamped to `Int`; empty if the file has none.
  fileprivate func integers(_ field: Int) throws(ModelError) -> [Int] {
    try int64s(field)?.map { Int(clamping: $0) } ?? []
  }
}
