//===--- AppendedArchive+Writing.swift - writing an appended archive ------===//
//
// Entries are stored, not compressed, in the order given; a directory and an end record follow.
//
// Contract  Offsets count from the start of the file that the archive ends. So unzip and readers
//           that map files find the entries. The date is constant: equal files give equal bytes.
// Source    PKWARE, APPNOTE.TXT, .ZIP File Format Specification.
//===----------------------------------------------------------------------===//

import MartletBase

extension AppendedArchive {
  /// A file to add to an archive.
  struct NewEntry {
    let name: String
    let contents: [UInt8]
  }

  /// The version of the format that a reader needs: 2.0.
  private static let version: UInt16 = 20
  /// The flag for names in UTF-8.
  private static let flags: UInt16 = 0x0800
  /// The first date that the format can express, 1 January 1980.
  private static let date: UInt32 = 0x0021_0000

  /// Returns an archive to append after `start` bytes; empty if there are no entries.
  static func bytes(of entries: [NewEntry], behind start: Int) -> [UInt8] {
    guard !entries.isEmpty else { return [] }
    var bytes: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
      let size = UInt32(truncatingIfNeeded: entry.contents.count).littleEndianBytes
      let name = Array(entry.name.utf8)
      // The fields that a local header and its directory entry share.
      let common =
        version.littleEndianBytes + flags.littleEndianBytes + UInt16(0).littleEndianBytes
        + date.littleEndianBytes + CRC32.checksum(entry.contents).littleEndianBytes + size + size
        + UInt16(truncatingIfNeeded: name.count).littleEndianBytes + UInt16(0).littleEndianBytes
      directory +=
        UInt32(0x0201_4B50).littleEndianBytes + version.littleEndianBytes + common
        + [UInt8](repeating: 0, count: 10)
        + UInt32(truncatingIfNeeded: start + bytes.count).littleEndianBytes + name
      bytes += UInt32(0x0403_4B50).littleEndianBytes + common + name + entry.contents
    }
    let count = UInt16(truncatingIfNeeded: entries.count).littleEndianBytes
    return bytes + directory + UInt32(0x0605_4B50).littleEndianBytes + [0, 0, 0, 0] + count + count
      + UInt32(truncatingIfNeeded: directory.count).littleEndianBytes
      + UInt32(truncatingIfNeeded: start + bytes.count).littleEndianBytes + [0, 0]
  }
}
