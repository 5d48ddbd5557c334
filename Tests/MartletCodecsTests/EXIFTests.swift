import Testing

@testable import MartletCodecs

@Suite struct EXIFTests {
  /// A big-endian block with one entry.
  private func block(tag: UInt8 = 0x12, type: UInt8 = 3, count: UInt8 = 1, value: UInt8) -> [UInt8]
  {
    [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, tag, 0, type, 0, 0, 0, count, 0, value, 0, 0]
  }

  @Test(arguments: UInt8(1)...8)
  func readsEveryOrientation(value: UInt8) {
    let bytes = block(value: value)
    #expect(EXIF.orientation(in: bytes, range: 0..<bytes.count) == Int(value))
  }

  @Test func readsLittleEndianAfterOtherEntriesWithinARange() {
    let tiff: [UInt8] = [
      0x49, 0x49, 42, 0, 10, 0, 0, 0, 99, 99, 2, 0, 0x0F, 1, 2, 0, 4, 0, 0, 0, 1, 2, 3, 4,
      0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0,
    ]
    let bytes = [1, 2, 3] + tiff + [9]
    #expect(EXIF.orientation(in: bytes, range: 3..<3 + tiff.count) == 6)
  }

  /// Pillow and OpenCV also apply an orientation that is a long (type 4).
  @Test(arguments: UInt8(1)...8)
  func readsOrientationStoredAsLong(value: UInt8) {
    let head: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 4, 0, 0, 0, 1]
    let bytes = head + [0, 0, 0, value, 0, 0, 0, 0]
    #expect(EXIF.orientation(in: bytes, range: 0..<bytes.count) == Int(value))
  }

  @Test func ignoresInvalidOrientations() {
    for bytes in [
      block(value: 0), block(value: 9), block(tag: 0x13, value: 1), block(type: 4, value: 1),
      block(count: 2, value: 1), [], [0x4D], [0x4D, 0x49, 0, 42, 0, 0, 0, 8],
    ] {
      #expect(EXIF.orientation(in: bytes, range: 0..<bytes.count) == nil)
    }
  }

  @Test func ignoresTruncatedBlocks() {
    let bytes = block(value: 6)
    for end in 0..<20 { #expect(EXIF.orientation(in: bytes, range: 0..<end) == nil) }
  }

  @Test func ignoresDirectoryOutsideTheFile() {
    var bytes = block(value: 6)
    bytes.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(EXIF.orientation(in: bytes, range: 0..<bytes.count) == nil)
    #expect(EXIF.orientation(in: bytes, range: 50..<99) == nil)
  }
}
