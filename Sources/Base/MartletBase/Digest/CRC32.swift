//===--- CRC32.swift - checksum of PNG and zip ----------------------------===//
//
// The remainder of the bytes as a polynomial modulo that of ISO 3309, with reversed bits
// (0xEDB88320). The first and the last value are complemented. Eight tables allow steps of eight
// bytes: table k has the remainders of a byte followed by k zero bytes.
//
// Cost      One pass, 8 bytes per step; 8 KiB of tables, built on first use.
// Source    PNG (third edition) section 5.5 and annex D
//===----------------------------------------------------------------------===//

/// The CRC-32 checksum.
package enum CRC32 {
  /// The checksum of all bytes.
  package static func checksum(_ bytes: [UInt8]) -> UInt32 {
    checksum(bytes, range: bytes.indices)
  }

  /// The checksum of the bytes in `range`. Any eight bytes are a valid `UInt64`, and the span
  /// checks its bounds.
  package static func checksum(_ bytes: [UInt8], range: Range<Int>) -> UInt32 {
    let table = tables.span
    let input = bytes.span.extracting(range)
    var crc: UInt32 = ~0
    var position = 0
    while input.count - position >= 8 {
      let next = unsafe input.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
      let word = UInt64(littleEndian: next) ^ UInt64(crc)
      crc = 0
      for byte in 0..<8 {
        crc ^= table[(7 - byte) << 8 | Int((word &>> UInt64(byte * 8)) & 0xFF)]
      }
      position += 8
    }
    while position < input.count {
      crc = crc >> 8 ^ table[Int((crc ^ UInt32(input[position])) & 0xFF)]
      position += 1
    }
    return ~crc
  }

  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var remainder = UInt32(byte)
      for _ in 0..<8 {
        remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0)
      }
      tables[byte] = remainder
    }
    for index in 256..<tables.count {
      let shorter = tables[index - 256]
      tables[index] = shorter >> 8 ^ tables[Int(shorter & 0xFF)]
    }
    return tables
  }()
}
