//===--- SchemaTable.swift - a table of the model's schema ----------------===//
//
// `CheckedTable` with the model's errors.
//===----------------------------------------------------------------------===//

/// A FlatBuffer table together with the part of the model that it describes.
struct SchemaTable: CheckedTable {
  let table: Table
  let place: ModelPlace

  static func failure(_ error: FlatBufferError) -> ModelError { .flatBuffer(error) }

  /// A table at the same place of the model.
  func inner(_ table: Table) -> SchemaTable { SchemaTable(table: table, place: place) }

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

  /// The tables of a vector; empty if the file has none.
  func tables(
    _ field: Int, at place: (Int) -> ModelPlace
  ) throws(ModelError) -> [SchemaTable] {
    (try tables(field) ?? []).enumerated().map { SchemaTable(table: $1, place: place($0)) }
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
