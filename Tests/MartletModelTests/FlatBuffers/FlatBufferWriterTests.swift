import MartletTestSupport
import Testing

@testable import MartletModel

/// Tests the writer with the reader, which is tested on its own (`FlatBufferTests`).
@Suite struct FlatBufferWriterTests {
  private let limits = FlatBuffer.Limits(
    tables: 100, depth: 10, dataPerByte: 4, leastData: 1000)

  private func root(_ bytes: [UInt8]) throws -> Table {
    try FlatBuffer(FileBytes(bytes), in: 0..<bytes.count, limits: limits).root(
      identifier: 0x5453_4554)
  }

  @Test func newTablesReferToExistingOnes() throws {
    let old = FlatBufferWriter(
      .table([
        0: .string("first"), 1: .tables([[0: .int64(7)], [0: .int64(8)]]),
        2: .node(.marked("words", .nodes([.string("a"), .string("b")]))),
      ]), identifier: "TEST")
    let table = try root(old.bytes)
    let tables = try #require(try table.tables(1))
    let new = FlatBufferWriter(
      .table([
        0: .node(.nodes([.existing(tables[1].offset), .table([0: .int64(9)])])),
        1: .node(.existing(try #require(try table.target(of: 2)))),
      ]), identifier: "TEST", inFrontOf: old.bytes)
    #expect(new.restStart.isMultiple(of: 64))
    #expect(Array(new.bytes[new.restStart...]) == old.bytes)
    let read = try root(new.bytes)
    #expect(try read.tables(0)?.map { try $0.int64(0) } == [8, 9])
    #expect(try read.strings(1) == ["a", "b"])
    #expect(try table.target(of: 2) == old.marks["words"])
    #expect(try table.target(of: 9) == nil)
  }

  /// The format aligns elements to their size; the schema of models aligns bytes to 16.
  @Test(arguments: [(1, 16), (2, 4), (4, 4), (8, 8)])
  func alignsElements(_ elementSize: Int, _ alignment: Int) throws {
    for count in 0..<16 {
      let elements = FlatNode.vector(
        elementSize: elementSize, [UInt8](repeating: 0, count: elementSize))
      let writer = FlatBufferWriter(
        .table([
          0: .string(String(repeating: "a", count: count)), 1: .node(.marked("it", elements)),
        ]), identifier: "TEST")
      let length = try #require(writer.marks["it"])
      #expect((length + 4).isMultiple(of: alignment), "behind \(count) bytes")
    }
  }
}
