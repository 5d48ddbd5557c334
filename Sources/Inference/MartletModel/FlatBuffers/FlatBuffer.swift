//===--- FlatBuffer.swift - FlatBuffer reader -----------------------------===//
//
// The bytes of one FlatBuffer with limits on reading. Tables, vectors and strings are verified when
// they are read; parts that the schema does not name are never read.
//
// Contract  No read exceeds the bytes, whatever they contain; every failure is a `FlatBufferError`.
//           All numbers are little-endian. Offsets count from the start of the range.
// Cost      Scalars, strings and vectors of numbers are copied; byte vectors are not. The sum of
//           all copies is limited, because vectors may be shared: otherwise a file of a megabyte
//           could expand to terabytes.
//===----------------------------------------------------------------------===//

/// The bytes of a FlatBuffer.
package final class FlatBuffer {
  /// The limits on reading.
  package struct Limits: Sendable {
    /// The number of tables, each counted whenever it is read.
    package var tables: Int
    /// The nesting depth of tables.
    package var depth: Int
    /// The bytes of vectors and strings, counted whenever they are read, per byte of the
    /// FlatBuffer; at least `leastData` in all.
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

  /// Creates a FlatBuffer from the bytes in `range`.
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

  /// Returns the root table. Throws unless the FlatBuffer has the four characters `identifier`.
  package func root(identifier: UInt32) throws(FlatBufferError) -> Table {
    let found = try load(at: 4, as: UInt32.self)
    guard found == identifier else { throw .identifier(found: found, expected: identifier) }
    return try Table(in: self, at: target(ofOffsetAt: 0), depth: 1)
  }

  /// Converts a range returned by a table's `bytes` to offsets in the original bytes.
  package func absolute(_ range: Range<Int>) -> Range<Int> {
    range.lowerBound + start..<range.upperBound + start
  }

  /// Reads the number at `offset`; throws unless it is in bounds and aligned to its size.
  func load<T: FixedWidthInteger>(at offset: Int, as: T.Type) throws(FlatBufferError) -> T {
    let width = MemoryLayout<T>.size
    guard offset >= 0, offset <= size - width else {
      throw .truncated(offset: offset, count: width, size: size)
    }
    guard offset & (width - 1) == 0 else { throw .misaligned(offset: offset, alignment: width) }
    return T(littleEndian: unchecked(at: offset))
  }

  /// Reads the number at `offset`, which the caller has checked; any bits are valid.
  func unchecked<T: FixedWidthInteger>(at offset: Int) -> T {
    unsafe bytes.memory.loadUnaligned(fromByteOffset: start + offset, as: T.self)
  }

  /// Reads `count` numbers at `offset`, which the caller has checked; any bits are valid.
  func unchecked<T: FixedWidthInteger>(at offset: Int, count: Int) -> [T] {
    let numbers = unsafe UnsafeRawBufferPointer(rebasing: bytes.memory[(start + offset)...])
    return (0..<count).map {
      T(
        littleEndian: unsafe numbers.loadUnaligned(
          fromByteOffset: $0 * MemoryLayout<T>.size, as: T.self))
    }
  }

  /// Returns the target of the forward offset stored at `offset`.
  func target(ofOffsetAt offset: Int) throws(FlatBufferError) -> Int {
    let distance = try load(at: offset, as: UInt32.self)
    // Compared before adding: if Int has 32 bits, the sum may overflow.
    guard distance > 0, distance < UInt64(size - offset) else {
      throw .badOffset(
        offset: offset, target: Int(clamping: UInt64(distance) + UInt64(offset)), size: size)
    }
    return offset + Int(distance)
  }

  /// Counts a table that is read.
  func countTable(at offset: Int) throws(FlatBufferError) {
    guard tableCount < limits.tables else {
      throw .tooManyTables(offset: offset, limit: limits.tables)
    }
    tableCount += 1
  }

  /// Counts `count` bytes of a vector or string that will be copied or read repeatedly.
  package func countData(at offset: Int, count: Int) throws(FlatBufferError) {
    guard count <= dataLimit - dataCount else {
      throw .tooMuchData(offset: offset, count: count, limit: dataLimit)
    }
    dataCount += count
  }

  /// Returns the bytes in `range`, which the caller has checked, as text; invalid UTF-8 is
  /// replaced.
  func text(_ range: Range<Int>) -> String {
    unsafe String(
      decoding: UnsafeRawBufferPointer(rebasing: bytes.memory[absolute(range)]), as: UTF8.self)
  }
}
