//===--- EXIF.swift - orientation in EXIF data ----------------------------===//
//
// An EXIF block is a TIFF file. Its header gives the byte order and the offset of the first
// directory, whose entries have 12 bytes (tag, type, count, value). JPEG stores a block in APP1
// after "Exif\0\0", PNG in eXIf.
//
// Contract  Returns nil for a damaged block: metadata never stops an image from being decoded.
//           Nothing outside the range is read.
// Cost      One pass over the first directory.
// Source    TIFF 6.0 section 2; Exif 2.32 section 4.6.4, tag 274
//===----------------------------------------------------------------------===//

/// Reads and writes EXIF blocks.
enum EXIF {
  /// The orientation, 1 to 8, in the TIFF structure at `range` of `bytes`; `nil` if there is none.
  static func orientation(in bytes: [UInt8], range: Range<Int>) -> Int? {
    let tiff = Array(bytes[range.clamped(to: bytes.indices)])
    guard let order = byteOrder(of: tiff), tiff.uint16(at: 2, order) == 42,
      let first = tiff.uint32(at: 4, order), let directory = Int(exactly: first),
      let count = tiff.uint16(at: directory, order)
    else { return nil }
    for index in 0..<count {
      let entry = directory + 2 + 12 * index
      guard let tag = tiff.uint16(at: entry, order) else { return nil }
      if tag == orientationTag { return orientation(of: tiff, entry: entry, order) }
    }
    return nil
  }

  /// A big-endian block whose only entry is an orientation, 1 to 8.
  static func block(orientation: Int) -> [UInt8] {
    let header: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
    let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0]
    return header + [0, 1] + entry + [0, 0, 0, 0]
  }

  private static let orientationTag = 0x0112
  private static let shortType = 3
  /// The standard requires a short; some writers store a long.
  private static let longType = 4

  /// The byte order that the first two bytes state; `nil` if they state none.
  static func byteOrder(of tiff: [UInt8]) -> ByteOrder? {
    guard tiff.count >= 2, tiff[0] == tiff[1] else { return nil }
    switch tiff[0] {
    case UInt8(ascii: "I"): return .little
    case UInt8(ascii: "M"): return .big
    default: return nil
    }
  }

  private static func orientation(of tiff: [UInt8], entry: Int, _ order: ByteOrder) -> Int? {
    guard tiff.uint32(at: entry + 4, order) == 1 else { return nil }
    let value: Int? =
      switch tiff.uint16(at: entry + 2, order) {
      case shortType: tiff.uint16(at: entry + 8, order)
      case longType: tiff.uint32(at: entry + 8, order).flatMap { Int(exactly: $0) }
      default: nil
      }
    return value.flatMap { (1...8).contains($0) ? $0 : nil }
  }
}
