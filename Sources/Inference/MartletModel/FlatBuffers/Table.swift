//===--- Table.swift - a record with optional fields ----------------------===//
//
// A table starts with the signed distance back to its field table ("vtable"). The vtable has its
// own size, the table's size, and the offset of each field in the table, or zero if the field is
// absent and has the schema's default.
//
// Contract  An existing `Table` and its vtable are within the bytes. Fields are checked when they
//           are read.
//===----------------------------------------------------------------------===//

/// A table of a FlatBuffer; fields are identified by their number in the schema.
package struct Table {
  package let buffer: FlatBuffer
  /// The table's position.
  package let offset: Int
  let vtable: Int
  let vtableSize: Int
  let size: Int
  let depth: Int

  /// Reads the table at `offset`; `depth` is its nesting depth.
  package init(in buffer: FlatBuffer, at offset: Int, depth: Int) throws(FlatBufferError) {
    guard depth <= buffer.limits.depth else {
      throw .tooDeep(offset: offset, limit: buffer.limits.depth)
    }
    try buffer.countTable(at: offset)
    let back = Int(try buffer.load(at: offset, as: Int32.self))
    let (vtable, overflow) = offset.subtractingReportingOverflow(back)
    guard !overflow, vtable >= 0, vtable <= buffer.size - 4 else {
      throw .badOffset(offset: offset, target: vtable, size: buffer.size)
    }
    let vtableSize = Int(try buffer.load(at: vtable, as: UInt16.self))
    guard vtableSize >= 4, vtableSize.isMultiple(of: 2) else {
      throw .vtableSize(offset: vtable, size: vtableSize)
    }
    guard vtable <= buffer.size - vtableSize else {
      throw .truncated(offset: vtable, count: vtableSize, size: buffer.size)
    }
    let size = Int(try buffer.load(at: vtable + 2, as: UInt16.self))
    guard size >= 4 else { throw .tableSize(offset: offset, size: size, minimum: 4) }
    guard offset <= buffer.size - size else {
      throw .truncated(offset: offset, count: size, size: buffer.size)
    }
    self.buffer = buffer
    self.offset = offset
    self.vtable = vtable
    self.vtableSize = vtableSize
    self.size = size
    self.depth = depth
  }

  /// Returns the position of a field of `width` bytes, or `nil` if it is absent.
  package func position(of field: Int, width: Int) throws(FlatBufferError) -> Int? {
    let entry = 4 + 2 * field
    guard entry < vtableSize else { return nil }
    let distance = Int(try buffer.load(at: vtable + entry, as: UInt16.self))
    guard distance > 0 else { return nil }
    guard distance >= 4, distance <= size - width else {
      throw .fieldOutsideTable(offset: offset, end: distance + width, size: size)
    }
    return offset + distance
  }

  /// Returns the target of the offset in a field, or `nil` if the field is absent.
  package func target(of field: Int) throws(FlatBufferError) -> Int? {
    guard let position = try position(of: field, width: 4) else { return nil }
    return try buffer.target(ofOffsetAt: position)
  }

  private func scalar<T: FixedWidthInteger>(
    _ field: Int, default value: T
  ) throws(FlatBufferError) -> T {
    guard let position = try position(of: field, width: MemoryLayout<T>.size) else { return value }
    return try buffer.load(at: position, as: T.self)
  }

  package func bool(_ field: Int, default value: Bool = false) throws(FlatBufferError) -> Bool {
    try scalar(field, default: value ? 1 : 0 as UInt8) != 0
  }

  package func int8(_ field: Int, default value: Int8 = 0) throws(FlatBufferError) -> Int8 {
    try scalar(field, default: value)
  }

  package func uint8(_ field: Int, default value: UInt8 = 0) throws(FlatBufferError) -> UInt8 {
    try scalar(field, default: value)
  }

  package func int32(_ field: Int, default value: Int32 = 0) throws(FlatBufferError) -> Int32 {
    try scalar(field, default: value)
  }

  package func uint32(_ field: Int, default value: UInt32 = 0) throws(FlatBufferError) -> UInt32 {
    try scalar(field, default: value)
  }

  package func int64(_ field: Int, default value: Int64 = 0) throws(FlatBufferError) -> Int64 {
    try scalar(field, default: value)
  }

  package func uint64(_ field: Int, default value: UInt64 = 0) throws(FlatBufferError) -> UInt64 {
    try scalar(field, default: value)
  }

  package func float(_ field: Int, default value: Float = 0) throws(FlatBufferError) -> Float {
    Float(bitPattern: try scalar(field, default: value.bitPattern))
  }

  /// Returns the table that a field refers to, or `nil` if the field is absent.
  package func table(_ field: Int) throws(FlatBufferError) -> Table? {
    guard let position = try position(of: field, width: 4) else { return nil }
    return try Table(in: buffer, at: buffer.target(ofOffsetAt: position), depth: depth + 1)
  }

  /// Returns the member of a union: the tag in `field` and the table in the next field, or `nil` if
  /// either is absent.
  package func union(_ field: Int) throws(FlatBufferError) -> (tag: UInt8, table: Table)? {
    let tag = try uint8(field)
    guard tag != 0, let table = try table(field + 1) else { return nil }
    return (tag, table)
  }
}
