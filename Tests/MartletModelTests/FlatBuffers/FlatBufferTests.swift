import MartletModel
import Testing

/// A FlatBuffer spelt out byte by byte: field 0 is a number, field 1 a string, field 2 a vector of
/// two 16-bit numbers, field 3 a union of tag 5 in the field behind it.
///
/// ```
///  0  root → 24            4  "TEST"
///  8  vtable: 14 bytes, table of 24, fields at 4, 8, 12, 16, 20
/// 24  table: vtable 16 back, 7, string → 48, vector → 56, tag 5, member → 72
/// 48  string "hi"         56  vector [258, 65535]
/// 64  vtable of the member: 6 bytes, table of 5, field at 4
/// 72  member: vtable 8 back, 9
/// ```
let sample: [UInt8] = [
  24, 0, 0, 0, 0x54, 0x45, 0x53, 0x54,
  14, 0, 24, 0, 4, 0, 8, 0, 12, 0, 16, 0, 20, 0, 0, 0,
  16, 0, 0, 0, 7, 0, 0, 0, 16, 0, 0, 0, 20, 0, 0, 0, 5, 0, 0, 0, 28, 0, 0, 0,
  2, 0, 0, 0, 0x68, 0x69, 0, 0, 2, 0, 0, 0, 2, 1, 255, 255,
  6, 0, 5, 0, 4, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0,
]
let testIdentifier: UInt32 = 0x5453_4554
/// Limits that only the tests of limits reach.
let testLimits = FlatBuffer.Limits(tables: 1000, depth: 10, dataPerByte: 8, leastData: 1 << 20)

/// Reads everything in `sample`.
func readSample(
  _ bytes: [UInt8], limits: FlatBuffer.Limits = testLimits
) throws(FlatBufferError) {
  let root = try FlatBuffer(FileBytes(bytes), in: 0..<bytes.count, limits: limits)
    .root(identifier: testIdentifier)
  _ = try root.int32(0)
  _ = try root.string(1)
  _ = try root.uint16s(2)
  _ = try root.union(3)?.table.uint8(0)
}

/// `sample` with some bytes replaced, and the expected error.
struct Damage: Sendable, CustomTestStringConvertible {
  let name: String
  let offset: Int
  let bytes: [UInt8]
  let error: FlatBufferError
  var testDescription: String { name }

  var damaged: [UInt8] {
    var copy = sample
    copy.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    return copy
  }
}

@Suite struct FlatBufferTests {
  @Test func readsEveryKindOfField() throws {
    let buffer = try FlatBuffer(FileBytes(sample), in: 0..<sample.count, limits: testLimits)
    let root = try buffer.root(identifier: testIdentifier)
    #expect(try root.int32(0) == 7)
    #expect(try root.string(1) == "hi")
    #expect(try root.uint16s(2) == [258, 65535])
    let member = try #require(try root.union(3))
    #expect(member.tag == 5)
    #expect(try member.table.uint8(0) == 9)
    #expect(try root.int32(5, default: -3) == -3)
    #expect(try root.string(5) == nil)
  }

  @Test func absentNumberReturnsItsDefault() throws {
    let buffer = try FlatBuffer(FileBytes(sample), in: 0..<sample.count, limits: testLimits)
    let root = try buffer.root(identifier: testIdentifier)
    #expect(try root.bool(5) == false && root.bool(5, default: true))
    #expect(try root.int8(5) == 0 && root.int8(5, default: -3) == -3)
    #expect(try root.uint8(5) == 0 && root.uint8(5, default: 3) == 3)
    #expect(try root.int32(5) == 0 && root.int32(5, default: -3) == -3)
    #expect(try root.uint32(5) == 0 && root.uint32(5, default: 3) == 3)
    #expect(try root.int64(5) == 0 && root.int64(5, default: -3) == -3)
    #expect(try root.uint64(5) == 0 && root.uint64(5, default: 3) == 3)
    #expect(try root.float(5) == 0 && root.float(5, default: -0.5) == -0.5)
  }

  @Test func readsARangeWithinOtherBytes() throws {
    // Offsets and alignment are relative to the range's start, so three bytes before it change
    // nothing.
    let bytes = [1, 2, 3] + sample + [4]
    let buffer = try FlatBuffer(FileBytes(bytes), in: 3..<3 + sample.count, limits: testLimits)
    let root = try buffer.root(identifier: testIdentifier)
    #expect(try root.int32(0) == 7)
    let content = try #require(try root.bytes(1))
    #expect(content == 52..<54)
    #expect(Array(bytes[buffer.absolute(content)]) == Array("hi".utf8))
  }

  @Test(arguments: [
    Damage(
      name: "identifier", offset: 4, bytes: [0x55],
      error: .identifier(found: 0x5453_4555, expected: testIdentifier)),
    Damage(
      name: "root offset of zero", offset: 0, bytes: [0],
      error: .badOffset(offset: 0, target: 0, size: 80)),
    Damage(
      name: "root offset at the end", offset: 0, bytes: [80],
      error: .badOffset(offset: 0, target: 80, size: 80)),
    Damage(
      name: "root offset beyond 2 GB", offset: 0, bytes: [0xFF, 0xFF, 0xFF, 0xFF],
      error: .badOffset(offset: 0, target: 0xFFFF_FFFF, size: 80)),
    Damage(
      name: "table across the end", offset: 0, bytes: [78],
      error: .truncated(offset: 78, count: 4, size: 80)),
    Damage(name: "odd table", offset: 0, bytes: [26], error: .misaligned(offset: 26, alignment: 4)),
    Damage(
      name: "vtable in front of the start", offset: 24, bytes: [28],
      error: .badOffset(offset: 24, target: -4, size: 80)),
    Damage(
      name: "vtable behind the end", offset: 24, bytes: [0xC6, 0xFF, 0xFF, 0xFF],
      error: .badOffset(offset: 24, target: 82, size: 80)),
    Damage(
      name: "odd vtable", offset: 24, bytes: [15], error: .misaligned(offset: 9, alignment: 2)),
    Damage(
      name: "vtable below four bytes", offset: 8, bytes: [2],
      error: .vtableSize(offset: 8, size: 2)),
    Damage(
      name: "vtable of odd size", offset: 8, bytes: [13], error: .vtableSize(offset: 8, size: 13)),
    Damage(
      name: "vtable across the end", offset: 8, bytes: [74],
      error: .truncated(offset: 8, count: 74, size: 80)),
    Damage(
      name: "table below four bytes", offset: 10, bytes: [3],
      error: .tableSize(offset: 24, size: 3, minimum: 4)),
    Damage(
      name: "table larger than the rest", offset: 10, bytes: [57],
      error: .truncated(offset: 24, count: 57, size: 80)),
    Damage(
      name: "field over the table's head", offset: 12, bytes: [2],
      error: .fieldOutsideTable(offset: 24, end: 6, size: 24)),
    Damage(
      name: "field over the table's end", offset: 12, bytes: [22],
      error: .fieldOutsideTable(offset: 24, end: 26, size: 24)),
    Damage(
      name: "odd field", offset: 12, bytes: [6], error: .misaligned(offset: 30, alignment: 4)),
    Damage(
      name: "string offset of zero", offset: 32, bytes: [0],
      error: .badOffset(offset: 32, target: 32, size: 80)),
    Damage(
      name: "string longer than the rest", offset: 48, bytes: [28],
      error: .truncated(offset: 52, count: 29, size: 80)),
    Damage(
      name: "string without a zero", offset: 54, bytes: [0x21],
      error: .unterminatedString(offset: 52, found: 0x21)),
    Damage(
      name: "vector longer than the rest", offset: 56, bytes: [11],
      error: .truncated(offset: 60, count: 22, size: 80)),
    Damage(
      name: "vector of four billion", offset: 56, bytes: [0xFF, 0xFF, 0xFF, 0xFF],
      error: .truncated(offset: 60, count: 0x1_FFFF_FFFE, size: 80)),
    Damage(
      name: "odd vector", offset: 36, bytes: [22], error: .misaligned(offset: 58, alignment: 4)),
    Damage(
      name: "union member outside", offset: 44, bytes: [36],
      error: .badOffset(offset: 44, target: 80, size: 80)),
  ])
  func rejectsDamagedOffsetsAndSizes(_ damage: Damage) {
    #expect(throws: damage.error) { try readSample(damage.damaged) }
  }

  @Test func rejectsEveryTruncation() {
    for count in 0..<sample.count - 7 {
      #expect(throws: FlatBufferError.self, "\(count) bytes") {
        try readSample(Array(sample.prefix(count)))
      }
    }
  }

  @Test func rejectsARangeOutsideTheBytes() {
    #expect(throws: FlatBufferError.truncated(offset: 0, count: 9, size: 8)) {
      _ = try FlatBuffer(FileBytes([UInt8](repeating: 0, count: 8)), in: 0..<9, limits: testLimits)
    }
  }

  @Test func stopsAtItsLimits() {
    var limits = testLimits
    limits.tables = 1
    #expect(throws: FlatBufferError.tooManyTables(offset: 72, limit: 1)) {
      try readSample(sample, limits: limits)
    }
    limits = testLimits
    limits.depth = 1
    #expect(throws: FlatBufferError.tooDeep(offset: 72, limit: 1)) {
      try readSample(sample, limits: limits)
    }
    limits = testLimits
    limits.dataPerByte = 0
    limits.leastData = 1
    #expect(throws: FlatBufferError.tooMuchData(offset: 52, count: 2, limit: 1)) {
      try readSample(sample, limits: limits)
    }
  }

  @Test func neverTrapsOnDamagedBytes() {
    // Returns a value or throws a typed error; it must not trap.
    for offset in sample.indices {
      for value in UInt8.min...UInt8.max {
        var copy = sample
        copy[offset] = value
        try? readSample(copy)
      }
    }
  }
}
