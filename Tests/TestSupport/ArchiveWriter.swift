//===--- ArchiveWriter.swift - zip archives for tests ---------------------===//

@_exported import struct MartletCommandLine.SplitMix64
@_exported import MartletModel

/// Writes a ZIP archive field by field.
package struct ArchiveWriter {
  package var files: [(name: String, contents: [UInt8])]
  package var method: UInt16 = 0
  package var flags: UInt16 = 0
  package var comment: [UInt8] = []
  /// The base of the directory's offsets.
  package var origin = 0

  /// An archive with these files in this order.
  package init(files: [(name: String, contents: [UInt8])]) { self.files = files }

  /// CRC-32 from the definition: the remainder of a polynomial division, bit by bit.
  package static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var remainder: UInt64 = 0
    let bits = bytes.flatMap { byte in (0..<8).map { UInt64(byte >> $0 & 1) } }
    for (index, bit) in (bits + [UInt64](repeating: 0, count: 32)).enumerated() {
      remainder = remainder << 1 | (bit ^ (index < 32 ? 1 : 0))
      if remainder >> 32 != 0 { remainder ^= 0x1_04C1_1DB7 }
    }
    let reflected = (0..<32).reduce(UInt32(0)) { sum, bit in
      let coefficient = UInt32(remainder >> UInt64(bit) & 1)
      return sum | coefficient << UInt32(31 - bit)
    }
    return ~reflected
  }

  /// The archive appended to `prefix`.
  package func bytes(behind prefix: [UInt8]) -> [UInt8] {
    var bytes = prefix
    var directory: [UInt8] = []
    for (name, contents) in files {
      let size = UInt32(contents.count).littleEndianBytes
      let common =
        UInt16(20).littleEndianBytes + flags.littleEndianBytes + method.littleEndianBytes
        + [0, 0, 0, 0] + ArchiveWriter.checksum(contents).littleEndianBytes + size + size
        + UInt16(name.utf8.count).littleEndianBytes + [0, 0]
      directory +=
        [0x50, 0x4B, 1, 2, 20, 0] + common + [UInt8](repeating: 0, count: 10)
        + UInt32(bytes.count - origin).littleEndianBytes + Array(name.utf8)
      bytes += [0x50, 0x4B, 3, 4] + common + Array(name.utf8) + contents
    }
    let start = UInt32(bytes.count - origin).littleEndianBytes
    let count = UInt16(files.count).littleEndianBytes
    return bytes + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + count + count
      + UInt32(directory.count).littleEndianBytes + start
      + UInt16(comment.count).littleEndianBytes + comment
  }
}
