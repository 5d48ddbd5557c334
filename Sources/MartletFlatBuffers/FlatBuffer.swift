//===--- FlatBuffer.swift - bytes that are read as tables -----------------===//
//
// The bytes of one FlatBuffer with the limits on what may be read from them. Tables, vectors and
// strings are checked when they are reached: what has been read has been verified, and what a
// schema does not name is never looked at.
//
// Contract  No read passes the end, whatever the bytes say; every failure is a `FlatBufferError`.
//           All numbers are little-endian. Offsets count from the start of the range.
// Cost      Reading copies scalars, strings and vectors of numbers; byte vectors stay where they
//           are. The sum of what is copied is limited, because vectors may be shared: a file of a
//           megabyte could otherwise stand for terabytes.
// Checked   Tests/MartletFlatBuffersTests/FlatBufferTests.swift
//===----------------------------------------------------------------------===//

/// The bytes of a FlatBuffer.
package final class FlatBuffer {
  /// What may be read before reading stops.
  package struct Limits: Sendable {
    /// Tables, each counted as often as it is reached.
    package var tables: Int
    /// Tables within tables.
    package var depth: Int
    /// Bytes of vectors and strings, counted as often as they are reached: for each byte of the
    /// FlatBuffer, but never fewer than `leastData`.
    package var dataPerByte: Int
    package var leastData: Int

    package init(tables: Int, depth: Int, dataPerByte: Int, leastData: Int) {
      self.tables = tables
      self.depth = depth
      self.dataPerByte = dataPerByte
      self.leastData = leastData
    }
  }

  /// The number of bytes.
  package let size: Int
  let limits: Limits
  private let bytes: FileBytes
  private let start: Int
  private var tableCount = 0
  private var dataCount = 0
  private let dataLimit: Int

  /// A FlatBuffer that takes the bytes in `range`.
  package init(
    _ bytes: FileBytes, in range: Range<Int>, limits: Limits
  ) throws(FlatBufferError) {
    guard range.lowerBound >= 0, range.upperBound <= bytes.count else {
      throw .truncated(offset: range.lowerBound, count: range.count, size: bytes.count)
    }
    self.bytes = bytes
    self.start = range.lowerBound
    self.size = range.count
    self.limits = limits
    let (product, overflow) = size.multipliedReportingOverflow(by: limits.dataPerByte)
    self.dataLimit = overflow ? Int.max : max(product, limits.leastData)
  }

  /// The root table of a FlatBuffer that must carry the four characters `identifier`.
  package func root(identifier: UInt32) throws(FlatBufferError) -> Table {
    let found = try load(at: 4, as: UInt32.self)
    guard found == identifier else { throw .identifier(found: found, expected: identifier) }
    return try Table(in: self, at: target(ofOffsetAt: 0), depth: 1)
  }

  /// The bytes of a range that a table's `bytes` gave, as offsets in the bytes that were handed in.
  package func absolute(_ range: Range<Int>) -> Range<Int> {
    range.lowerBound + start..<range.upperBound + start
  }

  /// The number at `offset`, which must be aligned to its size.
  func load<T: FixedWidthInteger>(at offset: Int, as: T.Type) throws(FlatBufferError) -> T {
    let width = MemoryLayout<T>.size
    guard offset >= 0, offset <= size - width else {
      throw .truncated(offset: offset, count: width, size: size)
    }
    guard offset & (width - 1) == 0 else { throw .misaligned(offset: offset, alignment: width) }
    return T(littleEndian: unchecked(at: offset))
  }

  /// The number at `offset`, which the caller has found to be inside; any bits are a number.
  func unchecked<T: FixedWidthInteger>(at offset: Int) -> T {
    unsafe bytes.memory.loadUnaligned(fromByteOffset: start + offset, as: T.self)
  }

  /// Where the forward offset stored at `offset` leads.
  func target(ofOffsetAt offset: Int) throws(FlatBufferError) -> Int {
    let distance = try load(at: offset, as: UInt32.self)
    // Compared before adding: where Int has 32 bits, the sum may not fit.
    guard distance > 0, distance < UInt64(size - offset) else {
      throw .badOffset(
        offset: offset, target: Int(clamping: UInt64(distance) + UInt64(offset)), size: size)
    }
    return offset + Int(distance)
  }

  /// Counts a table that has been reached.
  func countTable(at offset: Int) throws(FlatBufferError) {
    guard tableCount < limits.tables else {
      throw .tooManyTables(offset: offset, limit: limits.tables)
    }
    tableCount += 1
  }

  /// Counts `count` bytes of a vector or string that will be copied, or read time and again.
  package func countData(at offset: Int, count: Int) throws(FlatBufferError) {
    guard count <= dataLimit - dataCount else {
      throw .tooMuchData(offset: offset, count: count, limit: dataLimit)
    }
    dataCount += count
  }

  /// The bytes in `range`, which the caller has found to be inside, as text; what is not UTF-8 is
  /// replaced.
  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[absolute(range)], as: UTF8.self)
  }
}
