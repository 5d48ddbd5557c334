import MartletModel
import MartletTestSupport
import Testing

@Suite struct TableVectorTests {
  private func root(_ fields: [Int: FlatField]) throws -> Table {
    let bytes = FlatBufferWriter(.table(fields), identifier: "TEST").bytes
    return try FlatBuffer(FileBytes(bytes), in: 0..<bytes.count, limits: testLimits).root(
      identifier: testIdentifier)
  }

  @Test func readsNumbersOfEveryWidth() throws {
    let table = try root([
      0: .bytes([1, 255]), 1: .int32s([.min, .max]), 2: .int64s([.min, .max]),
      3: .floats([1.5, -0.0]), 4: .node(.uint16s([65535])), 5: .int64(-7), 6: .float(0.25),
      7: .bool(true), 8: .uint8(0x80),
    ])
    #expect(try table.uint8s(0) == [1, 255])
    #expect(try table.int32s(1) == [.min, .max])
    #expect(try table.uint32s(1) == [0x8000_0000, 0x7FFF_FFFF])
    #expect(try table.int64s(2) == [.min, .max])
    #expect(try table.floats(3)?.map(\.bitPattern) == [0x3FC0_0000, 0x8000_0000])
    #expect(try table.uint16s(4) == [65535])
    #expect(try table.int64(5) == -7)
    #expect(try table.uint64(5) == UInt64(bitPattern: -7))
    #expect(try table.float(6) == 0.25)
    #expect(try table.bool(7))
    #expect(try table.int8(8) == -128)
    #expect(try table.uint32(20, default: 5) == 5)
  }

  @Test func distinguishesEmptyFromAbsent() throws {
    let table = try root([0: .int32s([]), 1: .string(""), 2: .node(.nodes([]))])
    #expect(try table.int32s(0) == [])
    #expect(try table.string(1) == "")
    #expect(try table.tables(2)?.count == 0)
    #expect(try table.strings(2) == [])
    #expect(try table.int32s(3) == nil)
    #expect(try table.tables(3) == nil)
    #expect(try table.strings(3) == nil)
    #expect(try table.table(3) == nil)
    #expect(try table.bytes(3) == nil)
  }

  @Test func readsTablesAndStringsInOrder() throws {
    let table = try root([
      0: .tables([[0: .int32(1)], [:], [0: .int32(3)]]),
      1: .node(.nodes([.string("a"), .string("ö")])),
    ])
    #expect(try table.tables(0)?.map { try $0.int32(0, default: 2) } == [1, 2, 3])
    #expect(try table.strings(1) == ["a", "ö"])
  }

  @Test func repairsInvalidUTF8() throws {
    var writer = FlatBufferWriter(
      .table([0: .node(.marked("text", .string("ab")))]), identifier: "TEST"
    ).bytes
    let place = try #require(writer.firstRange(of: Array("ab".utf8))?.lowerBound)
    writer[place] = 0xFF
    let table = try FlatBuffer(FileBytes(writer), in: 0..<writer.count, limits: testLimits).root(
      identifier: testIdentifier)
    #expect(try table.string(0) == "\u{FFFD}b")
  }

  @Test func treatsAUnionWithoutTagOrMemberAsAbsent() throws {
    #expect(try root([0: .uint8(3)]).union(0) == nil)
    #expect(try root([1: .table([:])]).union(0) == nil)
    #expect(try root([0: .uint8(3), 1: .table([:])]).union(0)?.tag == 3)
  }
}
