//===--- SchemaTable.swift - a table of the model's schema ----------------===//
//
// `Table` with the model's numbers (`Int`) and the model's errors. Methods have the same names as
// the table's.
//===----------------------------------------------------------------------===//

/// A FlatBuffer table together with the part of the model that it describes.
struct SchemaTable {
  let table: Table
  let place: ModelPlace

  /// Returns the result of `read`, with its error converted to `ModelError`.
  private func read<T>(
    _ read: (Table) throws(FlatBufferError) -> T
  ) throws(ModelError) -> T {
    do throws(FlatBufferError) { return try read(table) } catch { throw .flatBuffer(error) }
  }

  func bool(_ field: Int, default value: Bool = false) throws(ModelError) -> Bool {
    try read { table throws(FlatBufferError) in try table.bool(field, default: value) }
  }

  func uint8(_ field: Int, default value: UInt8 = 0) throws(ModelError) -> UInt8 {
    try read { table throws(FlatBufferError) in try table.uint8(field, default: value) }
  }

  func int8(_ field: Int) throws(ModelError) -> Int {
    try read { table throws(FlatBufferError) in Int(try table.int8(field)) }
  }

  func int32(_ field: Int, default value: Int32 = 0) throws(ModelError) -> Int {
    try read { table throws(FlatBufferError) in Int(try table.int32(field, default: value)) }
  }

  /// An unsigned number, clamped to `Int.max`. Clamped indices are still rejected, because they
  /// exceed every count.
  func uint32(_ field: Int) throws(ModelError) -> Int {
    try read { table throws(FlatBufferError) in Int(clamping: try table.uint32(field)) }
  }

  func int64(_ field: Int) throws(ModelError) -> Int64 {
    try read { table throws(FlatBufferError) in try table.int64(field) }
  }

  func uint64(_ field: Int) throws(ModelError) -> UInt64 {
    try read { table throws(FlatBufferError) in try table.uint64(field) }
  }

  func float(_ field: Int) throws(ModelError) -> Float {
    try read { table throws(FlatBufferError) in try table.float(field) }
  }

  func string(_ field: Int) throws(ModelError) -> String? {
    try read { table throws(FlatBufferError) in try table.string(field) }
  }

  func bytes(_ field: Int) throws(ModelError) -> Range<Int>? {
    try read { table throws(FlatBufferError) in
      guard let range = try table.bytes(field) else { return nil }
      return table.buffer.absolute(range)
    }
  }

  /// A range of bytes; counts the bytes, since operators may share them.
  func sharedBytes(_ field: Int) throws(ModelError) -> Range<Int>? {
    guard let range = try bytes(field) else { return nil }
    try countData(range)
    return range
  }

  /// Counts bytes of the file against the limit of the FlatBuffer.
  func countData(_ range: Range<Int>) throws(ModelError) {
    try read { table throws(FlatBufferError) in
      try table.buffer.countData(at: range.lowerBound, count: range.count)
    }
  }

  func uint8s(_ field: Int) throws(ModelError) -> [Int]? {
    try read { table throws(FlatBufferError) in try table.uint8s(field)?.map { Int($0) } }
  }

  func uint16s(_ field: Int) throws(ModelError) -> [Int]? {
    try read { table throws(FlatBufferError) in try table.uint16s(field)?.map { Int($0) } }
  }

  func int32s(_ field: Int) throws(ModelError) -> [Int]? {
    try read { table throws(FlatBufferError) in try table.int32s(field)?.map { Int($0) } }
  }

  func int64s(_ field: Int) throws(ModelError) -> [Int64]? {
    try read { table throws(FlatBufferError) in try table.int64s(field) }
  }

  func floats(_ field: Int) throws(ModelError) -> [Float]? {
    try read { table throws(FlatBufferError) in try table.floats(field) }
  }

  /// A table at the same place of the model.
  func table(_ field: Int) throws(ModelError) -> SchemaTable? {
    let table = try read { table throws(FlatBufferError) in try table.table(field) }
    return table.map { SchemaTable(table: $0, place: place) }
  }

  func union(_ field: Int) throws(ModelError) -> (tag: UInt8, table: SchemaTable)? {
    let union = try read { table throws(FlatBufferError) in try table.union(field) }
    guard let union else { return nil }
    return (union.tag, SchemaTable(table: union.table, place: place))
  }

  /// The tables of a vector; empty if the file has none.
  func tables(
    _ field: Int, at place: (Int) -> ModelPlace
  ) throws(ModelError) -> [SchemaTable] {
    let tables = try read { table throws(FlatBufferError) in try table.tables(field) } ?? []
    return tables.enumerated().map { SchemaTable(table: $1, place: place($0)) }
  }

  /// An option stored as a byte with one of a list of values.
  func option<Value: RawRepresentable>(
    _ field: Int, _ option: ModelOption
  ) throws(ModelError) -> Value where Value.RawValue == UInt8 {
    let found = try uint8(field)
    guard let value = Value(rawValue: found) else {
      throw .unknownValue(option, place, found: Int(Int8(bitPattern: found)))
    }
    return value
  }

  /// The fused activation.
  func activation(_ field: Int) throws(ModelError) -> Activation {
    try option(field, .activation)
  }

  /// The padding.
  func padding(_ field: Int) throws(ModelError) -> Padding {
    try option(field, .padding)
  }

  /// Throws unless `index` is in `0..<count`.
  func check(
    _ index: Int, of reference: ModelReference, count: Int
  ) throws(ModelError) {
    guard index >= 0, index < count else {
      throw .indexOutOfRange(reference, place, index: index, count: count)
    }
  }
}
