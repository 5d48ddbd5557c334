//===--- TarArchive.swift - reads archives of small files -----------------===//
//
// Reads POSIX ustar archives, which hold the cases of an operator. Each file has a header of 512
// bytes (name at 0, size at 124 and checksum at 148 as octal digits, type at 156, signature at
// 257), followed by its contents, padded with zeros to a multiple of 512. At least two blocks of
// zeros end the archive.
//
// Contract  Only plain files with unique names and without paths; anything else is an error with
//           its offset. No byte is read past the end, and all bytes after the files are checked.
// Source    IEEE Std 1003.1-2017, pax, "ustar Interchange Format".
//===----------------------------------------------------------------------===//

import Foundation

/// The reason why bytes are not an archive of plain files. Offsets are those of headers.
package enum TarError: Error, Equatable {
  /// The archive ends before the `count` bytes at `offset`.
  case truncated(offset: Int, count: Int, size: Int)
  /// No `ustar` signature with version 00.
  case signature(offset: Int)
  /// A number that is not octal digits followed by a space or zero.
  case number(offset: Int)
  /// The header's bytes add up to `found`.
  case checksum(offset: Int, found: Int, expected: Int)
  /// A folder, a link or something else.
  case type(offset: Int, found: UInt8)
  /// A name that is empty, not ASCII, or a path.
  case name(offset: Int)
  /// Two files with the same name.
  case repeated(name: String)
  /// Nonzero bytes after a file's contents or the end.
  case padding(offset: Int)
}

/// The files of an archive.
package struct TarArchive {
  /// Names and contents, in the archive's order.
  package private(set) var files: [(name: String, contents: [UInt8])] = []

  static let blockSize = 512

  /// Reads the whole archive.
  package init(_ bytes: [UInt8]) throws(TarError) {
    var offset = 0
    var names: Set<String> = []
    while true {
      let header = try TarArchive.slice(bytes, offset, TarArchive.blockSize)
      if header.allSatisfy({ $0 == 0 }) { break }
      let (name, size) = try TarArchive.read(header, at: offset)
      guard names.insert(name).inserted else { throw .repeated(name: name) }
      let start = offset + TarArchive.blockSize
      files.append((name, Array(try TarArchive.slice(bytes, start, size))))
      let next = (start + size + TarArchive.blockSize - 1) / TarArchive.blockSize
      let padding = next * TarArchive.blockSize - start - size
      guard try TarArchive.slice(bytes, start + size, padding).allSatisfy({ $0 == 0 }) else {
        throw .padding(offset: offset)
      }
      offset = next * TarArchive.blockSize
    }
    let end = try TarArchive.slice(bytes, offset, 2 * TarArchive.blockSize)
    guard end.allSatisfy({ $0 == 0 }), bytes[offset...].allSatisfy({ $0 == 0 }) else {
      throw .padding(offset: offset)
    }
  }

  /// The contents of the file with this name.
  package subscript(name: String) -> [UInt8]? { files.first { $0.name == name }?.contents }

  private static func slice(
    _ bytes: [UInt8], _ offset: Int, _ count: Int
  ) throws(TarError) -> ArraySlice<UInt8> {
    guard count <= bytes.count - offset else {
      throw .truncated(offset: offset, count: count, size: bytes.count)
    }
    return bytes[offset..<offset + count]
  }

  /// The name and size in a header.
  private static func read(
    _ header: ArraySlice<UInt8>, at offset: Int
  ) throws(TarError) -> (name: String, size: Int) {
    func field(_ start: Int, _ count: Int) -> ArraySlice<UInt8> {
      header[offset + start..<offset + start + count]
    }
    guard field(257, 8).elementsEqual(Array("ustar".utf8) + [0] + Array("00".utf8)) else {
      throw .signature(offset: offset)
    }
    // The checksum is computed with spaces in its own field.
    let sum = header.reduce(0) { $0 + Int($1) } - field(148, 8).reduce(0) { $0 + Int($1) } + 8 * 32
    let expected = try number(field(148, 8), offset)
    guard sum == expected else { throw .checksum(offset: offset, found: sum, expected: expected) }
    guard header[offset + 156] == UInt8(ascii: "0") else {
      throw .type(offset: offset, found: header[offset + 156])
    }
    let name = field(0, 100).prefix { $0 != 0 }
    guard !name.isEmpty, name.allSatisfy({ (33..<127).contains($0) && $0 != UInt8(ascii: "/") }),
      name.first != UInt8(ascii: "."), header[offset + 345] == 0
    else { throw .name(offset: offset) }
    return (String(decoding: name, as: UTF8.self), try number(field(124, 12), offset))
  }

  /// Octal digits up to a space or a zero.
  private static func number(
    _ field: ArraySlice<UInt8>, _ offset: Int
  ) throws(TarError) -> Int {
    let digits = field.prefix { $0 != 0 && $0 != 32 }
    guard digits.count < field.count,
      digits.allSatisfy({ (48..<56).contains($0) }),
      let value = Int(String(decoding: digits, as: UTF8.self), radix: 8)
    else { throw .number(offset: offset) }
    return value
  }
}

extension TarArchive {
  /// Calls `body` with a folder that contains the archive's files, then removes it.
  package func unpacked<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, contents) in files {
      try Data(contents).write(to: folder.appending(path: name))
    }
    return try body(folder)
  }
}
