//===--- TIFFDirectory.swift - the first directory of a TIFF file ---------===//
//
// The header has the byte order and the offset of the first directory, whose entries have a tag, a
// type, a count, and the values or their offset. BigTIFF (version 43) has wider numbers.
//
// Contract  Of repeated tags the first counts, as in libtiff. Entries and values that exceed the file
//           are dropped with a warning.
// Source    TIFF 6.0 section 2; libtiff: "BigTIFF Design"
//===----------------------------------------------------------------------===//

/// The entries of the first directory.
struct TIFFDirectory {
  private struct Entry {
    let tag: TIFFTag
    let type: Int
    let count: Int
    /// The offset of the first value.
    let offset: Int
  }

  let bytes: [UInt8]
  let order: ByteOrder
  private var entries: [Entry] = []

  /// Reads the directory of a file.
  init(_ bytes: [UInt8], _ damage: inout Damage<TIFFError>) throws(TIFFError) {
    guard let order = EXIF.byteOrder(of: bytes), let version = bytes.uint16(at: 2, order),
      version == 42 || version == 43
    else { throw .badSignature }
    (self.bytes, self.order) = (bytes, order)
    let isBig = version == 43
    let pointer = isBig ? 8 : 4
    guard let start = bytes.number(at: pointer, pointer, order),
      let count = bytes.number(at: start, isBig ? 8 : 2, order)
    else { throw .truncated(offset: pointer, count: pointer, fileSize: bytes.count) }
    let (first, size) = (start + (isBig ? 8 : 2), isBig ? 20 : 12)
    let fitting = min(count, (bytes.count - first) / size)
    if fitting < count {
      try damage.report(.truncated(offset: first, count: count, fileSize: bytes.count))
    }
    for index in 0..<fitting { try add(at: first + index * size, isBig: isBig, &damage) }
  }

  /// Adds the entry at `offset` if its tag is needed and new.
  private mutating func add(
    at offset: Int, isBig: Bool, _ damage: inout Damage<TIFFError>
  ) throws(TIFFError) {
    let field = isBig ? 8 : 4
    guard let tag = TIFFTag(rawValue: bytes.uint16(at: offset, order) ?? 0),
      !entries.contains(where: { $0.tag == tag }), let type = bytes.uint16(at: offset + 2, order),
      let size = Self.size(ofType: type), let count = bytes.number(at: offset + 4, field, order)
    else { return }
    var start = offset + 4 + field
    if count > field / size { start = bytes.number(at: start, field, order) ?? bytes.count }
    start = min(start, bytes.count)
    let fitting = min(count, (bytes.count - start) / size)
    if fitting < count {
      try damage.report(.truncated(offset: start, count: count, fileSize: bytes.count))
    }
    entries.append(Entry(tag: tag, type: type, count: fitting, offset: start))
  }

  /// The bytes of a value, or `nil` if no type has this number.
  private static func size(ofType type: Int) -> Int? {
    switch type {
    case 1, 2, 6, 7: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12, 16, 17, 18: 8
    default: nil
    }
  }

  /// The unsigned integers of a tag, at most `limit`; `nil` if the directory does not have it.
  func numbers(_ tag: TIFFTag, limit: Int = 3 << 8) throws(TIFFError) -> [Int]? {
    guard let entry = entries.first(where: { $0.tag == tag }) else { return nil }
    guard [1, 3, 4, 13, 16, 18].contains(entry.type), let size = Self.size(ofType: entry.type)
    else { throw .badTag(tag.rawValue, value: entry.type) }
    return (0..<min(entry.count, limit)).map {
      bytes.number(at: entry.offset + size * $0, size, order) ?? Int.max
    }
  }

  /// The fractions of a tag; `nil` if the directory does not have `count` valid ones.
  func fractions(_ tag: TIFFTag, count: Int) -> [Float]? {
    guard let entry = entries.first(where: { $0.tag == tag }), entry.type == 5,
      entry.count >= count
    else { return nil }
    let values = (0..<count).compactMap { index -> Float? in
      let place = entry.offset + 8 * index
      guard let numerator = bytes.uint32(at: place, order),
        let denominator = bytes.uint32(at: place + 4, order), denominator > 0
      else { return nil }
      return Float(Double(numerator) / Double(denominator))
    }
    return values.count == count ? values : nil
  }

  /// The first integer of a tag; `nil` if the directory does not have it.
  func number(_ tag: TIFFTag) throws(TIFFError) -> Int? { try numbers(tag)?.first }

  /// The bytes of a tag's values; empty if the directory does not have it.
  func data(_ tag: TIFFTag) -> ArraySlice<UInt8> {
    guard let entry = entries.first(where: { $0.tag == tag }),
      let size = Self.size(ofType: entry.type)
    else { return [] }
    return bytes[entry.offset..<entry.offset + entry.count * size]
  }
}

extension [UInt8] {
  /// The number of 1, 2, 4 or 8 bytes at `offset`; `nil` if it is not inside the bytes or exceeds
  /// `Int`.
  fileprivate func number(at offset: Int, _ size: Int, _ order: ByteOrder) -> Int? {
    switch size {
    case 1: return indices.contains(offset) ? Int(self[offset]) : nil
    case 2: return uint16(at: offset, order)
    case 4: return uint32(at: offset, order).flatMap { Int(exactly: $0) }
    default:
      guard offset >= 0, offset <= count - 8, let first = uint32(at: offset, order),
        let second = uint32(at: offset + 4, order)
      else { return nil }
      let (high, low) = order == .big ? (first, second) : (second, first)
      return Int(exactly: UInt64(high) << 32 | UInt64(low))
    }
  }
}
