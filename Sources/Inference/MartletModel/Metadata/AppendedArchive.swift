//===--- AppendedArchive.swift - archive appended to a model --------------===//
//
// A zip archive after the FlatBuffer, in the same file, holds label lists and other small files, so
// unzip opens a `.tflite`. The end record is searched from the file's end; the central directory
// before it names the entries. Entries must be stored, not compressed, because readers of models
// map them. Exporters of YOLO models compress theirs, which are read if the caller can inflate.
//
// Contract  The contents of every entry lie in the file. If an archive was written separately and
//           then appended, all its offsets are short by the same amount; reading corrects them.
// Cost      One pass over the directory. Contents are checked (CRC-32) when they are requested.
// Source    PKWARE, APPNOTE.TXT, .ZIP File Format Specification.
//===----------------------------------------------------------------------===//

import MartletBase

/// An error of reading the archive appended to a model.
@nonexhaustive
public enum ArchiveError: Error, Equatable, Sendable {
  /// A read of `count` bytes at `offset` would go beyond `end`.
  case truncated(offset: Int, count: Int, end: Int)
  /// The record at `offset` has the wrong signature.
  case signature(offset: Int, found: UInt32, expected: UInt32)
  /// The archive is spread over several files, or needs the 64-bit extension.
  case unsupportedLayout(offset: Int)
  /// Entry `index` is compressed, by this method, or encrypted (method 99).
  case notStored(index: Int, method: Int)
  /// The stored size of entry `index` is not the size of its contents.
  case size(index: Int, stored: Int, contents: Int)
  /// The contents of the entry at `offset` do not match their checksum.
  case checksum(offset: Int, found: UInt32, expected: UInt32)
}

extension ArchiveError: CustomStringConvertible {
  /// The error in one sentence.
  public var description: String {
    switch self {
    case .truncated(let offset, let count, let end):
      "\(count) bytes at offset \(offset) of the archive pass \(end)"
    case .signature(let offset, let found, let expected):
      "the archive's record at offset \(offset) begins with \(found), expected \(expected)"
    case .unsupportedLayout(let offset):
      "the archive that ends at offset \(offset) has several parts or 64-bit sizes"
    case .notStored(let index, let method):
      "entry \(index) of the archive is compressed by method \(method)"
    case .size(let index, let stored, let contents):
      "entry \(index) of the archive stores \(stored) bytes for \(contents)"
    case .checksum(let offset, let found, let expected):
      "the archive's contents at offset \(offset) have the checksum \(found), not \(expected)"
    }
  }
}

/// The archive at the end of a file; it has no entries if the file has none.
package struct AppendedArchive: Sendable {
  /// A file in the archive.
  package struct Entry: Sendable, Equatable {
    package let name: String
    /// The range of the contents in the file that holds the archive.
    package let range: Range<Int>
    /// The number of bytes of compressed contents; `nil` if they are stored.
    let inflatedSize: Int?
    let checksum: UInt32
    /// The offset of the entry's header in the file.
    let start: Int
  }

  /// The files, in the order of the directory.
  package let entries: [Entry]
  /// The offset of the archive; the end of the bytes if there is none.
  let start: Int
  private let bytes: FileBytes

  /// Reads the archive at the end of `bytes`. Compressed entries are an error unless
  /// `allowsDeflate` is true.
  package init(bytes: FileBytes, allowsDeflate: Bool = false) throws(ArchiveError) {
    self.bytes = bytes
    var entries: [Entry] = []
    var start = bytes.count
    if let directory = try Directory(in: bytes) {
      start = directory.start
      var offset = directory.start
      for index in 0..<directory.entryCount {
        let (entry, size) = try directory.entry(
          index, at: offset, in: bytes, allowsDeflate: allowsDeflate)
        entries.append(entry)
        start = min(start, entry.start)
        offset += size
      }
    }
    self.entries = entries
    self.start = start
  }

  /// An archive without entries.
  static let empty = AppendedArchive()

  private init() {
    entries = []
    start = 0
    bytes = FileBytes([])
  }

  /// Returns the contents of the file with this name, or `nil` if there is none. If several have
  /// the name, the last one is used. `inflate` returns the bytes of a Deflate stream, whose number
  /// it is given, or `nil` if they are damaged.
  package func contents(
    of name: String, inflate: ([UInt8], Int) -> [UInt8]? = { _, _ in nil }
  ) throws(ArchiveError) -> [UInt8]? {
    guard let index = entries.lastIndex(where: { $0.name == name }) else { return nil }
    let entry = entries[index]
    var contents = Array(bytes[entry.range])
    if let size = entry.inflatedSize {
      guard size <= ModelLimits.textBytes, let inflated = inflate(contents, size) else {
        throw .notStored(index: index, method: Directory.deflate)
      }
      contents = inflated
    }
    let checksum = CRC32.checksum(contents)
    guard checksum == entry.checksum else {
      throw .checksum(
        offset: entry.range.lowerBound, found: checksum, expected: entry.checksum)
    }
    return contents
  }
}

/// The central directory.
private struct Directory {
  static let endSignature: UInt32 = 0x0605_4B50
  static let endSize = 22
  static let entrySignature: UInt32 = 0x0201_4B50
  static let entrySize = 46
  static let headerSignature: UInt32 = 0x0403_4B50
  static let headerSize = 30
  /// The method of compression that `inflate` undoes.
  static let deflate = 8
  /// The largest comment after the end record.
  static let commentLimit = 0xFFFF

  let start: Int
  let end: Int
  let entryCount: Int
  /// The number to add to the archive's offsets.
  let shift: Int

  /// The directory of the archive at the end of `bytes`, or `nil` if there is none.
  init?(in bytes: FileBytes) throws(ArchiveError) {
    guard let record = Directory.endRecord(in: bytes) else { return nil }
    let disks = bytes.number(at: record + 4, width: 4)
    let count = bytes.number(at: record + 10, width: 2)
    let size = bytes.number(at: record + 12, width: 4)
    let offset = bytes.number(at: record + 16, width: 4)
    guard disks == 0, bytes.number(at: record + 8, width: 2) == count, count < 0xFFFF,
      bytes.word(at: record + 16) < UInt32.max
    else { throw .unsupportedLayout(offset: record) }
    guard size <= record, offset <= record - size else {
      throw .truncated(offset: offset, count: size, end: record)
    }
    start = record - size
    end = record
    entryCount = count
    shift = start - offset
  }

  /// The offset of the end record: the last one whose comment ends with the bytes.
  private static func endRecord(in bytes: FileBytes) -> Int? {
    let last = bytes.count - endSize
    guard last >= 0 else { return nil }
    for offset in (max(0, last - commentLimit)...last).reversed()
    where bytes[offset] == 0x50 && bytes.word(at: offset) == endSignature {
      if bytes.number(at: offset + 20, width: 2) == last - offset { return offset }
    }
    return nil
  }

  /// The entry at `offset` of the directory, and its size in the directory.
  func entry(
    _ index: Int, at offset: Int, in bytes: FileBytes, allowsDeflate: Bool
  ) throws(ArchiveError) -> (AppendedArchive.Entry, size: Int) {
    try bytes.expect(Directory.entrySignature, at: offset, size: Directory.entrySize, end: end)
    let isEncrypted = bytes.number(at: offset + 8, width: 2) & 1 != 0
    let method = isEncrypted ? 99 : bytes.number(at: offset + 10, width: 2)
    let isDeflated = method == Directory.deflate && allowsDeflate
    guard method == 0 || isDeflated else { throw .notStored(index: index, method: method) }
    let stored = bytes.number(at: offset + 20, width: 4)
    let contents = bytes.number(at: offset + 24, width: 4)
    guard stored == contents || isDeflated else {
      throw .size(index: index, stored: stored, contents: contents)
    }
    let nameSize = bytes.number(at: offset + 28, width: 2)
    let behindName =
      bytes.number(at: offset + 30, width: 2) + bytes.number(at: offset + 32, width: 2)
    let size = Directory.entrySize + nameSize + behindName
    guard size <= end - offset else { throw .truncated(offset: offset, count: size, end: end) }
    let name = bytes[offset + Directory.entrySize..<offset + Directory.entrySize + nameSize]
    let headerOffset = bytes.number(at: offset + 42, width: 4)
    let range = try contentRange(headerOffset: headerOffset, size: stored, in: bytes)
    let entry = AppendedArchive.Entry(
      name: String(decoding: name, as: UTF8.self), range: range,
      inflatedSize: isDeflated ? contents : nil, checksum: bytes.word(at: offset + 16),
      start: headerOffset + shift)
    return (entry, size)
  }

  /// The range of the contents after a local header.
  private func contentRange(
    headerOffset: Int, size: Int, in bytes: FileBytes
  ) throws(ArchiveError) -> Range<Int> {
    guard headerOffset <= start - shift else {
      throw .truncated(offset: headerOffset, count: Directory.headerSize, end: start - shift)
    }
    let header = headerOffset + shift
    try bytes.expect(
      Directory.headerSignature, at: header, size: Directory.headerSize, end: start)
    let first =
      header + Directory.headerSize + bytes.number(at: header + 26, width: 2)
      + bytes.number(at: header + 28, width: 2)
    guard first <= start, size <= start - first else {
      throw .truncated(offset: first, count: size, end: start)
    }
    return first..<first + size
  }
}

extension FileBytes {
  /// The little-endian number at `offset`, which must be in range; at most `Int.max`.
  fileprivate func number(at offset: Int, width: Int) -> Int {
    var value: UInt64 = 0
    for index in (0..<width).reversed() { value = value << 8 | UInt64(self[offset + index]) }
    return Int(clamping: value)
  }

  /// The little-endian number of four bytes at `offset`, which must be in range.
  fileprivate func word(at offset: Int) -> UInt32 {
    (0..<4).reversed().reduce(0) { $0 << 8 | UInt32(self[offset + $1]) }
  }

  /// Throws unless a record of `size` bytes that begins with `signature` is at `offset`.
  fileprivate func expect(
    _ signature: UInt32, at offset: Int, size: Int, end: Int
  ) throws(ArchiveError) {
    guard size <= end - offset else { throw .truncated(offset: offset, count: size, end: end) }
    let found = word(at: offset)
    guard found == signature else {
      throw .signature(offset: offset, found: found, expected: signature)
    }
  }
}
