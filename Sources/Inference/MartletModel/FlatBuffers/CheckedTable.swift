//===--- CheckedTable.swift - tables with other errors --------------------===//
//
// `Table` with the errors of what it describes, and with numbers as `Int` where they fit in it.
// Methods have the same names as the table's.
//===----------------------------------------------------------------------===//

/// A FlatBuffer table that throws errors of its own kind.
protocol CheckedTable {
  associatedtype Failure: Error

  var table: Table { get }

  /// The error for one of the FlatBuffer.
  static func failure(_ error: FlatBufferError) -> Failure

  /// A table that this one refers to.
  func inner(_ table: Table) -> Self
}

extension CheckedTable {
  /// Returns the result of `read`, with its error converted.
  func read<T>(_ read: (Table) throws(FlatBufferError) -> T) throws(Failure) -> T {
    do throws(FlatBufferError) { return try read(table) } catch { throw Self.failure(error) }
  }

  func bool(_ field: Int, default value: Bool = false) throws(Failure) -> Bool {
    try read { table throws(FlatBufferError) in try table.bool(field, default: value) }
  }

  func uint8(_ field: Int, default value: UInt8 = 0) throws(Failure) -> UInt8 {
    try read { table throws(FlatBufferError) in try table.uint8(field, default: value) }
  }

  func int8(_ field: Int) throws(Failure) -> Int {
    try read { table throws(FlatBufferError) in Int(try table.int8(field)) }
  }

  func int32(_ field: Int, default value: Int32 = 0) throws(Failure) -> Int {
    try read { table throws(FlatBufferError) in Int(try table.int32(field, default: value)) }
  }

  /// An unsigned number, clamped to `Int.max`. Clamped indices are still rejected, because they
  /// exceed every count.
  func uint32(_ field: Int) throws(Failure) -> Int {
    try read { table throws(FlatBufferError) in Int(clamping: try table.uint32(field)) }
  }

  func int64(_ field: Int) throws(Failure) -> Int64 {
    try read { table throws(FlatBufferError) in try table.int64(field) }
  }

  func uint64(_ field: Int) throws(Failure) -> UInt64 {
    try read { table throws(FlatBufferError) in try table.uint64(field) }
  }

  func float(_ field: Int) throws(Failure) -> Float {
    try read { table throws(FlatBufferError) in try table.float(field) }
  }

  func string(_ field: Int) throws(Failure) -> String? {
    try read { table throws(FlatBufferError) in try table.string(field) }
  }

  func strings(_ field: Int) throws(Failure) -> [String]? {
    try read { table throws(FlatBufferError) in try table.strings(field) }
  }

  func bytes(_ field: Int) throws(Failure) -> Range<Int>? {
    try read { table throws(FlatBufferError) in
      guard let range = try table.bytes(field) else { return nil }
      return table.buffer.absolute(range)
    }
  }

  func uint8s(_ field: Int) throws(Failure) -> [UInt8]? {
    try read { table throws(FlatBufferError) in try table.uint8s(field) }
  }

  func uint16s(_ field: Int) throws(Failure) -> [UInt16]? {
    try read { table throws(FlatBufferError) in try table.uint16s(field) }
  }

  func int32s(_ field: Int) throws(Failure) -> [Int]? {
    try read { table throws(FlatBufferError) in try table.int32s(field)?.map { Int($0) } }
  }

  func uint32s(_ field: Int) throws(Failure) -> [Int]? {
    try read { table throws(FlatBufferError) in
      try table.uint32s(field)?.map { Int(clamping: $0) }
    }
  }

  func int64s(_ field: Int) throws(Failure) -> [Int64]? {
    try read { table throws(FlatBufferError) in try table.int64s(field) }
  }

  func floats(_ field: Int) throws(Failure) -> [Float]? {
    try read { table throws(FlatBufferError) in try table.floats(field) }
  }

  func table(_ field: Int) throws(Failure) -> Self? {
    try read { table throws(FlatBufferError) in try table.table(field) }.map(inner)
  }

  func tables(_ field: Int) throws(Failure) -> [Table]? {
    try read { table throws(FlatBufferError) in try table.tables(field) }
  }

  func union(_ field: Int) throws(Failure) -> (tag: UInt8, table: Self)? {
    try read { table throws(FlatBufferError) in try table.union(field) }
      .map { ($0.tag, inner($0.table)) }
  }
}
