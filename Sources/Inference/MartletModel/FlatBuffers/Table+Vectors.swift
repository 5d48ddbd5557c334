//===--- Table+Vectors.swift - vectors and strings ------------------------===//
//
// A vector is a count followed by the elements; a string is a vector of bytes followed by a zero.
//
// Contract  `nil` if the field is absent, which differs from an empty vector.
// Cost      Vectors of numbers are copied, and counted against the limit; byte vectors are not
//           read.
//===----------------------------------------------------------------------===//

extension Table {
  /// The position of a vector's elements, and their number.
  private func vector(
    _ field: Int, elementSize: Int
  ) throws(FlatBufferError) -> (start: Int, count: Int)? {
    guard let position = try position(of: field, width: 4) else { return nil }
    let header = try buffer.target(ofOffsetAt: position)
    let count = try buffer.load(at: header, as: UInt32.self)
    let start = header + 4
    let room = (buffer.size - start) / elementSize
    guard count <= UInt64(room) else {
      let bytes = UInt64(count) * UInt64(elementSize)
      throw .truncated(offset: start, count: Int(clamping: bytes), size: buffer.size)
    }
    return (start, Int(count))
  }

  private func numbers<T: FixedWidthInteger>(
    _ field: Int, as: T.Type
  ) throws(FlatBufferError) -> [T]? {
    let width = MemoryLayout<T>.size
    guard let (start, count) = try vector(field, elementSize: width) else { return nil }
    try buffer.countData(at: start, count: count * width)
    return buffer.unchecked(at: start, count: count)
  }

  package func uint8s(_ field: Int) throws(FlatBufferError) -> [UInt8]? {
    try numbers(field, as: UInt8.self)
  }

  package func uint16s(_ field: Int) throws(FlatBufferError) -> [UInt16]? {
    try numbers(field, as: UInt16.self)
  }

  package func int32s(_ field: Int) throws(FlatBufferError) -> [Int32]? {
    try numbers(field, as: Int32.self)
  }

  package func uint32s(_ field: Int) throws(FlatBufferError) -> [UInt32]? {
    try numbers(field, as: UInt32.self)
  }

  package func int64s(_ field: Int) throws(FlatBufferError) -> [Int64]? {
    try numbers(field, as: Int64.self)
  }

  package func floats(_ field: Int) throws(FlatBufferError) -> [Float]? {
    try numbers(field, as: UInt32.self)?.map { Float(bitPattern: $0) }
  }

  /// Returns the range of a byte vector, from the start of the FlatBuffer.
  package func bytes(_ field: Int) throws(FlatBufferError) -> Range<Int>? {
    guard let (start, count) = try vector(field, elementSize: 1) else { return nil }
    return start..<start + count
  }

  /// Returns a string; invalid UTF-8 is replaced.
  package func string(_ field: Int) throws(FlatBufferError) -> String? {
    guard let position = try position(of: field, width: 4) else { return nil }
    return try string(atOffsetAt: position)
  }

  /// Returns the string whose offset is stored at `position`.
  private func string(atOffsetAt position: Int) throws(FlatBufferError) -> String {
    let header = try buffer.target(ofOffsetAt: position)
    let length = try buffer.load(at: header, as: UInt32.self)
    let start = header + 4
    guard length < UInt64(buffer.size - start) else {
      let bytes = UInt64(length) + 1
      throw .truncated(offset: start, count: Int(clamping: bytes), size: buffer.size)
    }
    let count = Int(length)
    let last = try buffer.load(at: start + count, as: UInt8.self)
    guard last == 0 else { throw .unterminatedString(offset: start, found: last) }
    try buffer.countData(at: start, count: count)
    return buffer.text(start..<start + count)
  }

  package func strings(_ field: Int) throws(FlatBufferError) -> [String]? {
    guard let (start, count) = try vector(field, elementSize: 4) else { return nil }
    try buffer.countData(at: start, count: count * 4)
    var strings: [String] = []
    strings.reserveCapacity(count)
    for index in 0..<count { strings.append(try string(atOffsetAt: start + 4 * index)) }
    return strings
  }

  /// Returns the tables in a vector of tables.
  package func tables(_ field: Int) throws(FlatBufferError) -> [Table]? {
    guard let (start, count) = try vector(field, elementSize: 4) else { return nil }
    try buffer.countData(at: start, count: count * 4)
    var tables: [Table] = []
    tables.reserveCapacity(count)
    for index in 0..<count {
      let offset = try buffer.target(ofOffsetAt: start + 4 * index)
      tables.append(try Table(in: buffer, at: offset, depth: depth + 1))
    }
    return tables
  }
}
