//===--- ArrayOptions.swift - options of operators that move elements -----===//
//
// Options of operators that move, select or gather elements.
// Names, field numbers and defaults are those of the schema.
//
// Contract  Indices of subgraphs are valid, and enumerations have values of the schema. Extents,
//           strides and axes are checked by the operator that uses them, not here.
// Checked   Tests/MartletModelTests/OperatorOptionsTests.swift
//===----------------------------------------------------------------------===//

package struct ConcatenationOptions: Sendable, Equatable {
  package var axis = 0
  package var activation = Activation.none
}

extension ConcatenationOptions {
  private enum Field {
    static let axis = 0
    static let activation = 1
  }

  init(_ table: SchemaTable) throws(ModelError) {
    axis = try table.int32(Field.axis)
    activation = try table.activation(Field.activation)
  }
}

package struct ReshapeOptions: Sendable, Equatable {
  /// The new extents, or `nil` if the file has none.
  package var newShape: [Int]?
}

extension ReshapeOptions {
  private enum Field {
    static let newShape = 0
  }

  init(_ table: SchemaTable) throws(ModelError) {
    newShape = try table.int32s(Field.newShape)
  }
}

package struct SqueezeOptions: Sendable, Equatable {
  package var dimensions: [Int] = []
}

extension SqueezeOptions {
  private enum Field {
    static let dimensions = 0
  }

  init(_ table: SchemaTable) throws(ModelError) {
    dimensions = try table.int32s(Field.dimensions) ?? []
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
  private enum Field {
    static let beginMask = 0
    static let endMask = 1
    static let ellipsisMask = 2
    static let newAxisMask = 3
    static let shrinkAxisMask = 4
    static let offset = 5
  }

  init(_ table: SchemaTable) throws(ModelError) {
    beginMask = try table.int32(Field.beginMask)
    endMask = try table.int32(Field.endMask)
    ellipsisMask = try table.int32(Field.ellipsisMask)
    newAxisMask = try table.int32(Field.newAxisMask)
    shrinkAxisMask = try table.int32(Field.shrinkAxisMask)
    offset = try table.bool(Field.offset)
  }
}

package struct GatherOptions: Sendable, Equatable {
  package var axis = 0
  package var batchDimensions = 0
}

extension GatherOptions {
  private enum Field {
    static let axis = 0
    static let batchDimensions = 1
  }

  init(_ table: SchemaTable) throws(ModelError) {
    axis = try table.int32(Field.axis)
    batchDimensions = try table.int32(Field.batchDimensions)
  }
}

package struct MirrorPadOptions: Sendable, Equatable {
  package var mode = MirrorPadMode.reflect
}

extension MirrorPadOptions {
  private enum Field {
    static let mode = 0
  }

  init(_ table: SchemaTable) throws(ModelError) {
    mode = try table.option(Field.mode, .mirrorPadMode)
  }
}

package struct PackOptions: Sendable, Equatable {
  package var valuesCount = 0
  package var axis = 0
}

extension PackOptions {
  private enum Field {
    static let valuesCount = 0
    static let axis = 1
  }

  init(_ table: SchemaTable) throws(ModelError) {
    valuesCount = try table.int32(Field.valuesCount)
    axis = try table.int32(Field.axis)
  }
}

package struct SplitOptions: Sendable, Equatable {
  package var splitCount = 0
}

extension SplitOptions {
  private enum Field {
    static let splitCount = 0
  }

  init(_ table: SchemaTable) throws(ModelError) {
    splitCount = try table.int32(Field.splitCount)
  }
}

package struct BlockOptions: Sendable, Equatable {
  package var blockSize = 0
}

extension BlockOptions {
  private enum Field {
    static let blockSize = 0
  }

  init(_ table: SchemaTable) throws(ModelError) {
    blockSize = try table.int32(Field.blockSize)
  }
}

package struct SparseToDenseOptions: Sendable, Equatable {
  package var validateIndices = false
}

extension SparseToDenseOptions {
  private enum Field {
    static let validateIndices = 0
  }

  init(_ table: SchemaTable) throws(ModelError) {
    validateIndices = try table.bool(Field.validateIndices)
  }
}

package struct OneHotOptions: Sendable, Equatable {
  package var axis = 0
}

extension OneHotOptions {
  private enum Field {
    static let axis = 0
  }

  init(_ table: SchemaTable) throws(ModelError) {
    axis = try table.int32(Field.axis)
  }
}

package struct ReverseSequenceOptions: Sendable, Equatable {
  package var sequenceAxis = 0
  package var batchAxis = 0
}

extension ReverseSequenceOptions {
  private enum Field {
    static let sequenceAxis = 0
    static let batchAxis = 1
  }

  init(_ table: SchemaTable) throws(ModelError) {
    sequenceAxis = try table.int32(Field.sequenceAxis)
    batchAxis = try table.int32(Field.batchAxis)
  }
}
