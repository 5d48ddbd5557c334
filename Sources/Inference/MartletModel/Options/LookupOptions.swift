//===--- LookupOptions.swift - options of look-ups ------------------------===//
//
// Options of lookups and of text features.
// Names, the numbers of fields and defaults are those of the schema.
//
// Contract  Indices of subgraphs are valid, and enumerations have values of the schema. Extents,
//           strides and axes are checked by the operator that uses them, not here.
//===----------------------------------------------------------------------===//

package struct SkipGramOptions: Sendable, Equatable {
  package var ngramSize = 0
  package var maximumSkipSize = 0
  package var includeAllNgrams = false
}

extension SkipGramOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    ngramSize = try table.int32(0)
    maximumSkipSize = try table.int32(1)
    includeAllNgrams = try table.bool(2)
  }
}

package struct EmbeddingLookupSparseOptions: Sendable, Equatable {
  package var combiner = Combiner.sum
}

extension EmbeddingLookupSparseOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    combiner = try table.option(0, .combiner)
  }
}

package struct LSHProjectionOptions: Sendable, Equatable {
  package var type = LSHProjectionType.unknown
}

extension LSHProjectionOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    type = try table.option(0, .lshProjectionType)
  }
}

package struct ConcatEmbeddingsOptions: Sendable, Equatable {
  package var channelCount = 0
  package var columnsPerChannel: [Int] = []
  package var embeddingDimensionsPerChannel: [Int] = []
}

extension ConcatEmbeddingsOptions {
  init(_ table: SchemaTable) throws(ModelError) {
    channelCount = try table.int32(0)
    columnsPerChannel = try table.int32s(1) ?? []
    embeddingDimensionsPerChannel = try table.int32s(2) ?? []
  }
}
