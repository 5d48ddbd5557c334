//===--- ModelLimits.swift - limits for models ----------------------------===//
//
// A model's file may be an attack: a few bytes can name gigabytes, share one part a million times, or
// ask for work without end. Every limit on what a file says is here, but for two that are a part of
// what they limit: `Shape.maximumRank` and `Shape.maximumProduct`.
//
// Contract  Reading a file of n bytes takes time and memory in proportion to n and to `tables`.
// Checked   Tests/MartletModelTests/ModelLimitsTests.swift, FlexBufferTests.swift,
//           Tests/MartletFlatBuffersTests/FlatBufferTests.swift, and by fuzzing
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
  /// Elements of an operand whose values are extents, axes, offsets and the like.
  package static let values = 1 << 20

  // MARK: Text files

  /// Bytes of a list of labels or calibrations.
  package static let textBytes = 16 << 20
  /// Lines of such a file. The longest known list, of landmarks, has 99,000.
  package static let textLines = 1 << 18
  /// Bytes of one line.
  package static let textLineBytes = 4096

  // MARK: Memory and time of a graph

  /// Bytes of tensors, variables and scratch memory, unless an interpreter's options say otherwise.
  package static let memory = 1 << 30
  /// The default limit on the work of one run, in units of about four nanoseconds of one core: about
  /// five minutes. On systems with 32-bit integers it is the largest integer, about nine seconds.
  package static let work = Int(clamping: Int64(1) << 36)
  /// The work of preparing a node in the middle of a run.
  package static let preparationWork = 1 << 13
  /// Iterations of all loops of one run, unless an interpreter's options say otherwise.
  package static let loopIterations = 1 << 22
  /// Subgraphs that call each other.
  package static let nesting = 32
  /// Nodes of all calls of subgraphs, each counted as often as it is called.
  package static let nestedNodes = 1 << 18
  /// Blocks of a memory plan that share memory. Beyond, planning would take too long, and they are
  /// laid out one after another.
  package static let sharingBlocks = 20_000

  /// Bytes of packed weights, and of what is worked out beforehand for each channel, for a file of
  /// this size: many times what a file takes whose nodes have weights of their own, and enough for
  /// small files that share them.
  package static func packed(fileSize: Int) -> Int { (64 << 20) + 8 * fileSize }
}
