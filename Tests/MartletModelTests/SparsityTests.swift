import MartletTestSupport
import Testing

@testable import MartletModel

/// A [2, 4] matrix in compressed rows: (0, 1) and (1, 0), (1, 3) are stored.
@Suite struct SparsityTests {
  static let weights = ModelPlace.tensor(1, subgraph: 0)

  /// A dense level, with one entry per element of its axis.
  static func dense(_ size: Int32) -> [Int: FlatField] { [1: .int32(size)] }

  /// A level with stored entries, whose vectors have one byte per element.
  static func compressed(_ segments: [UInt8], _ indices: [UInt8]) -> [Int: FlatField] {
    [
      0: .uint8(1), 2: .uint8(3), 3: .table([0: .bytes(segments)]), 4: .uint8(3),
      5: .table([0: .bytes(indices)]),
    ]
  }

  static func file(
    shape: [Int32] = [2, 4], order: [Int32] = [0, 1], blocks: [Int32] = [],
    levels: [[Int: FlatField]] = [dense(2), compressed([0, 1, 3], [1, 0, 3])]
  ) -> ModelFile {
    ModelFile().quantized([:]).tensor(1, 0, .int32s(shape))
      .tensor(1, 6, .table([0: .int32s(order), 1: .int32s(blocks), 2: .tables(levels)]))
  }

  private func sparsity(_ file: ModelFile) throws -> Sparsity? {
    try Model(bytes: file.bytes).subgraphs[0].tensors[1].sparsity
  }

  @Test func readsCompressedRows() throws {
    let layout = try #require(try sparsity(SparsityTests.file()))
    #expect(layout.traversalOrder == [0, 1])
    #expect(layout.blockMap.isEmpty)
    #expect(
      layout.levels == [.dense(size: 2), .compressed(segments: [0, 1, 3], indices: [1, 0, 3])])
    #expect(layout.storedCount == 3)
  }

  @Test func readsBlocks() throws {
    // [4, 8] in blocks of 2 along axis 0: two rows of blocks, with two stored blocks.
    let layout = try #require(
      try sparsity(
        SparsityTests.file(
          shape: [4, 8], order: [0, 1, 2], blocks: [0],
          levels: [
            SparsityTests.dense(2), SparsityTests.compressed([0, 1, 2], [7, 0]),
            SparsityTests.dense(2),
          ])))
    #expect(layout.storedCount == 4)
  }

  @Test func readsIndicesOfEveryWidth() throws {
    let wide: [Int: FlatField] = [
      0: .uint8(1), 2: .uint8(1), 3: .table([0: .int32s([0, 1, 3])]), 4: .uint8(2),
      5: .table([0: .node(.uint16s([1, 0, 3]))]),
    ]
    #expect(
      try sparsity(SparsityTests.file(levels: [SparsityTests.dense(2), wide]))?.levels[1]
        == .compressed(segments: [0, 1, 3], indices: [1, 0, 3]))
  }

  static let broken: [Broken] = [
    Broken(
      "order names an axis twice", file(order: [1, 1]),
      .indexOutOfRange(.axis, weights, index: 1, count: 2)),
    Broken(
      "order names no axis", file(order: [0, 2]),
      .indexOutOfRange(.axis, weights, index: 2, count: 2)),
    Broken("order too short", file(order: [0]), .sparseAxes(weights, found: 1, expected: 2)),
    Broken(
      "block of no axis", file(order: [0, 1, 2], blocks: [2]),
      .indexOutOfRange(.axis, weights, index: 2, count: 2)),
    Broken(
      "too few levels", file(levels: [dense(2)]), .sparseAxes(weights, found: 1, expected: 2)),
    Broken(
      "dense level of another size", file(levels: [dense(3), compressed([0, 0, 0, 0], [])]),
      .sparseIndex(weights, level: 0, found: 3)),
    Broken(
      "dense level below zero", file(levels: [dense(-2), dense(4)]),
      .sparseIndex(weights, level: 0, found: -2)),
    Broken(
      "unknown format", file(levels: [[0: .uint8(2)], dense(4)]),
      .unknownValue(.sparseFormat, weights, found: 2)),
    Broken(
      "no indices", file(levels: [dense(2), [0: .uint8(1)]]), .missing(.sparseIndices, weights)),
    Broken(
      "indices of an unknown width",
      file(levels: [dense(2), [0: .uint8(1), 2: .uint8(4), 3: .table([:])]]),
      .unknownValue(.sparseIndexType, weights, found: 4)),
    Broken(
      "segments from one", file(levels: [dense(2), compressed([1, 1, 3], [1, 0, 3])]),
      .sparseSegments(weights, level: 1, found: 1, expected: 0)),
    Broken(
      "segments that decrease", file(levels: [dense(2), compressed([0, 2, 1], [1])]),
      .sparseSegments(weights, level: 1, found: 1, expected: 2)),
    Broken(
      "segments that end early", file(levels: [dense(2), compressed([0, 1, 2], [1, 0, 3])]),
      .sparseSegments(weights, level: 1, found: 2, expected: 3)),
    Broken(
      "too few segments", file(levels: [dense(2), compressed([0, 3], [1, 0, 3])]),
      .sparseSegments(weights, level: 1, found: 2, expected: 3)),
    Broken(
      "index outside the axis", file(levels: [dense(2), compressed([0, 1, 3], [1, 0, 4])]),
      .sparseIndex(weights, level: 1, found: 4)),
    Broken(
      "elements of four bits", file().tensor(1, 1, .uint8(17)),
      .sparseType(weights, bitWidth: 4)),
    Broken(
      "more stored than there is data",
      file(shape: [2, 5], levels: [dense(2), dense(5)]),
      .dataSize(weights, found: 8, expected: 10)),
  ]

  @Test(arguments: broken)
  func rejectsInvalidSparsity(_ broken: Broken) {
    #expect(throws: broken.error) { _ = try Model(bytes: broken.file.bytes) }
  }
}
