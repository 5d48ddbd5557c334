//===--- ModelLimits.swift - limits for models ----------------------------===//
//
// A model file may be malicious: a few bytes can claim gigabytes, share one part a million times,
// or require unlimited work. All limits on file contents are here, except `Shape.maximumRank` and
// `Shape.maximumProduct`.
//
// Contract  Reading a file of n bytes takes time and memory in proportion to n and to `tables`.
//===----------------------------------------------------------------------===//

/// Limits beyond which a model is rejected.
package enum ModelLimits {
  // MARK: FlatBuffers

  /// The number of tables of a FlatBuffer; each counts as often as it is reached. The largest known
  /// models have a tenth of this.
  package static let tables = 1_000_000
  /// Nesting depth of tables. The schema needs eight.
  package static let tableDepth = 64
  /// Bytes of vectors, strings and custom options per byte of the file; each counts as often as it
  /// is reached. Writers share few or none.
  package static let dataPerByte = 2
  /// Bytes of vectors, strings and custom options allowed for a file of any size.
  package static let leastData = 1 << 20

  package static let flatBuffer = FlatBuffer.Limits(
    tables: tables, depth: tableDepth, dataPerByte: dataPerByte, leastData: leastData)

  // MARK: FlexBuffers

  /// Values of a FlexBuffer, each counted as often as it is reached.
  package static let flexValues = 65_536
  /// Values of a FlexBuffer for each of its bytes.
  package static let flexValuesPerByte = 4
  /// Bytes of all strings and blobs of a FlexBuffer, each counted as often as it is reached.
  package static let flexText = 1 << 20
  /// Nesting depth of vectors of a FlexBuffer.
  package static let flexDepth = 16

  // MARK: Tensors

  /// The number of axes of a sparse tensor that are split into blocks.
  package static let sparseBlocks = Shape.maximumRank
  /// Elements of an operand that holds extents, axes, offsets or similar values.
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
  /// The default limit on the work of one run, in units of about four nanoseconds of one core:
  /// about five minutes. On systems with 32-bit integers it is the largest integer, about nine
  /// seconds.
  package static let work = Int(clamping: Int64(1) << 36)
  /// The work of preparing a node in the middle of a run.
  package static let preparationWork = 1 << 13
  /// Iterations of all loops of one run, unless an interpreter's options say otherwise.
  package static let loopIterations = 1 << 22
  /// Nesting depth of subgraph calls.
  package static let nesting = 32
  /// Nodes of all calls of subgraphs, each counted as often as it is called.
  package static let nestedNodes = 1 << 18
  /// Blocks of a memory plan that share memory. With more blocks planning would take too long; they
  /// are then laid out one after another.
  package static let sharingBlocks = 20_000

  /// The limit on the bytes of packed weights and precomputed data of channels, for a file of this
  /// size: many times the need of a file whose nodes do not share weights, and enough for small
  /// files whose nodes do.
  package static func packed(fileSize: Int) -> Int { (64 << 20) + 8 * fileSize }
}
