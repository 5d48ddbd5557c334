//===--- ModelLimits.swift - what a model may ask for ---------------------===//
//
// A model's file may be an attack: a few bytes can name gigabytes, share one part a million times, or
// ask for work without end. Every limit on what a file says is here, but for two that are a part of
// what they limit: `Shape.maximumRank` and `Shape.maximumProduct`.
//
// Contract  Reading a file of n bytes takes time and memory in proportion to n and to `tables`.
// Checked   ModelLimitsTests.swift, FlatBufferTests.swift, FlexBufferTests.swift, and by fuzzing
//===----------------------------------------------------------------------===//

/// What a model may ask for before it is refused.
package enum ModelLimits {
  // MARK: FlatBuffers

  /// Tables of a FlatBuffer, each counted as often as it is reached. The largest models that are
  /// known have a tenth of that.
  package static let tables = 1_000_000
  /// Tables within tables. The schema needs eight.
  package static let tableDepth = 64
  /// Bytes of vectors, strings and custom options for each byte of the file, counted as often as
  /// they are reached. Writers share few or none.
  package static let dataPerByte = 2
  /// The bytes of those that any file may have, however small.
  package static let leastData = 1 << 20

  package static let flatBuffer = FlatBuffer.Limits(
    tables: tables, depth: tableDepth, dataPerByte: dataPerByte, leastData: leastData)

  // MARK: FlexBuffers

  /// Values of a FlexBuffer, each counted as often as it is reached.
  package static let flexValues = 65_536
  /// Values of a FlexBuffer for each of its bytes.
  package static let flexValuesPerByte = 4
  /// Bytes of all texts and blobs of a FlexBuffer, counted alike.
  package static let flexText = 1 << 20
  /// Vectors within vectors of a FlexBuffer.
  package static let flexDepth = 16

  // MARK: Tensors

  /// Axes of a sparse tensor that are split into blocks.
  package static let sparseBlocks = Shape.maximumRank
}
