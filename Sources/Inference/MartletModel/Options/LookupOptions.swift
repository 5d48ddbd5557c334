//===--- LookupOptions.swift - options of look-ups ------------------------===//
//
// Options of lookups and of text features.
// Names, field numbers and defaults are those of the schema.
//
// Contract  Indices of subgraphs are valid, and enumerations have values of the schema. Extents,
//           strides and axes are checked by the operator that uses them, not here.
// Checked   Tests/MartletModelTests/OperatorOptionsTests.swift
//===----------------------------------------------------------------------===//

package struct SkipGramOptions: Sendable, Equatable {
  package var ngramSize = 0
  package var maximumSkipSize = 0
  package var includeAllNgrams = false
}

extension SkipGramOptions {
  private enum Field {
    static let ngramSize = 0
    static let maximumSkipSize = 1
    static let includeAllNgrams = 2
  }

  init(_ table: SchemaTable) throws(ModelError) {
    ngramSize = try table.int32(Field.ngramSize)
    maximumSkipSize = try table.int32(Field.maximumSkipSize)
    includeAllNgrams = try table.bool(Field.includeAllNgrams)
  }
}

package struct EmbeddingLookupSparseOptions: Sendable, Equatable {
  package var combiner = Combiner.sum
}

extension EmbeddingLookupSparseOptions {
  private enum Field {
    static let combiner = 0
  }

  init(_ table: SchemaTable) throws(ModelError) {
    combiner = try table.option(Field.combiner, .combiner)
  }
}

package struct LSHProjectionOptions: Sendable, Equatable {
  package var type = LSHProjectionType.unknown
}

extension LSHProjectionOptions {
  private enum Field {
    static let type = 0
  }

  init(_ table: SchemaTable) throws(ModelError) {
    type = try table.option(Field.type, .lshProjectionType)
  }
}

package struct ConcatEmbeddingsOptions: Sendable, Equatable {
  package var channelCount = 0
  package var columnsPerChannel: [Int] = []
  package var embeddingDimensionsPerChannel: [Int] = []
}

extension ConcatEmbeddingsOptions {
  private enum Field {
    static let channelCount = 0
    static let columnsPerChannel = 1
    static let embeddingDimensionsPerChannel = 2
  }

  init(_ table: SchemaTable) throws(ModelError) {
    channelCount = try table.int32(Field.channelCount)
    columnsPerChannel = try table.int32s(Field.columnsPerChannel) ?? []
    embeddingDimensionsPerChannel = try table.int32s(Field.embeddingDimensionsPerChannel) ?? []
  }
}
