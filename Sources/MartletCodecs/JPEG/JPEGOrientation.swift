//===--- JPEGOrientation.swift - how the picture is to be held ------------===//
//
// Reads tag 0x0112 of the first directory of the TIFF structure in an Exif
// APP1 segment (Exif 2.3, 4.6.4; TIFF 6.0, section 2).
//
// Contract  A directory that lies about its places or sizes says nothing: the
//           result is nil. Only the first directory is read; nothing is followed.
// Checked   Tests/MartletCodecsTests/JPEGOrientationTests.swift
//===----------------------------------------------------------------------===//

extension JPEGSegment {
  /// The Exif orientation, 1 to 8, of an APP1 segment that states one.
  func exifOrientation() -> Int? {
    var body = self
    guard body.skip("Exif\0\0") else { return nil }
    return TIFFDirectory(UnsafeBufferPointer(rebasing: bytes[body.range]))?.orientation
  }
}

/// The first directory of a TIFF structure.
private struct TIFFDirectory {
  private static let orientationTag = 0x0112
  private static let byteType = 1
  private static let shortType = 3
  private static let longType = 4
  private static let entrySize = 12

  private let bytes: UnsafeBufferPointer<UInt8>
  private let isLittleEndian: Bool
  private var start = 0

  /// Finds the directory; `nil` if the header is not that of a TIFF structure.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= 8, bytes[0] == bytes[1], bytes[0] == 0x49 || bytes[0] == 0x4D else {
      return nil
    }
    self.bytes = bytes
    isLittleEndian = bytes[0] == 0x49
    guard number(at: 2, size: 2) == 42, let start = number(at: 4, size: 4),
      0...bytes.count ~= start
    else { return nil }
    self.start = start
  }

  /// The value of the orientation tag, if it is one that Exif defines.
  var orientation: Int? {
    guard let count = number(at: start, size: 2) else { return nil }
    for i in 0..<count {
      let entry = start + 2 + i * Self.entrySize
      guard let tag = number(at: entry, size: 2) else { return nil }
      guard tag == Self.orientationTag else { continue }
      guard let value = value(of: entry), 1...8 ~= value else { return nil }
      return value
    }
    return nil
  }

  /// The single whole number that the entry at `entry` holds.
  private func value(of entry: Int) -> Int? {
    guard number(at: entry + 4, size: 4) == 1 else { return nil }
    switch number(at: entry + 2, size: 2) {
    case Self.byteType: return number(at: entry + 8, size: 1)
    case Self.shortType: return number(at: entry + 8, size: 2)
    case Self.longType: return number(at: entry + 8, size: 4)
    default: return nil
    }
  }

  /// The unsigned number of `size` bytes at `offset`, or `nil` outside the structure.
  private func number(at offset: Int, size: Int) -> Int? {
    guard offset <= bytes.count - size else { return nil }
    return (0..<size).reduce(0) { value, i in
      value << 8 | Int(bytes[offset + (isLittleEndian ? size - 1 - i : i)])
    }
  }
}
