//===--- ArrayOptions.swift - options of operators that move elements -----===//
//
// Options of operators that move, select or gather elements.
// Names, the numbers of fields and defaults are those of the schema.
//
// Contract  Indices of subgraphs are valid, and enumerations have values of the schema. Extents,
//           strides and axes are checked by the operator that uses them, not here.
//===----------------------------------------------------------------------===//

package struct ConcatenationOptions: Sendable, Equatable {
  package var axis = 0
  package var activation = Activation.none
}

extension ConcatenationOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    axis = try table.int32(0)
    activation = try table.activation(1)
  }
}

package struct ReshapeOptions: Sendable, Equatable {
  /// The new extents, or `nil` if the file has none.
  package var newShape: [Int]?
}

extension ReshapeOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    newShape = try table.int32s(0)
  }
}

package struct SqueezeOptions: Sendable, Equatable {
  package var dimensions: [Int] = []
}

extension SqueezeOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    dimensions = try table.int32s(0) ?? []
  }
}

package struct StridedSliceOptions: Sendable, Equatable {
  package var beginMask = 0
  package var endMask = 0
  package var ellipsisMask = 0
  package var newAxisMask = 0
  package var shrinkAxisMask = 0
  package var offset = false
}

extension StridedSliceOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    beginMask = try table.int32(0)
    endMask = try table.int32(1)
    ellipsisMask = try table.int32(2)
    newAxisMask = try table.int32(3)
    shrinkAxisMask = try table.int32(4)
    offset = try table.bool(5)
  }
}

package struct GatherOptions: Sendable, Equatable {
  package var axis = 0
  package var batchDimensions = 0
}

extension GatherOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    axis = try table.int32(0)
    batchDimensions = try table.int32(1)
  }
}

package struct MirrorPadOptions: Sendable, Equatable {
  package var mode = MirrorPadMode.reflect
}

extension MirrorPadOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    mode = try table.option(0, .mirrorPadMode)
  }
}

package struct PackOptions: Sendable, Equatable {
  package var valuesCount = 0
  package var axis = 0
}

extension PackOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    valuesCount = try table.int32(0)
    axis = try table.int32(1)
  }
}

package struct SplitOptions: Sendable, Equatable {
  package var splitCount = 0
}

extension SplitOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    splitCount = try table.int32(0)
  }
}

package struct BlockOptions: Sendable, Equatable {
  package var blockSize = 0
}

extension BlockOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    blockSize = try table.int32(0)
  }
}

package struct SparseToDenseOptions: Sendable, Equatable {
  package var validateIndices = false
}

extension SparseToDenseOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    validateIndices = try table.bool(0)
  }
}

package struct OneHotOptions: Sendable, Equatable {
  package var axis = 0
}

extension OneHotOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    axis = try table.int32(0)
  }
}

package struct ReverseSequenceOptions: Sendable, Equatable {
  package var sequenceAxis = 0
  package var batchAxis = 0
}

extension ReverseSequenceOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    sequenceAxis = try table.int32(0)
    batchAxis = try table.int32(1)
  }
}
