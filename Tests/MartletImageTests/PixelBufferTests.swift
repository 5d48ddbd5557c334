import Testing

@testable import MartletImage

@Suite struct PixelBufferTests {
  struct InvalidBuffer: Sendable {
    var width = 4
    var height = 3
    var format: PixelFormat
    var count: Int
    var bytesPerRow: Int?
    var error: ImageError
  }

  static let invalidBuffers = [
    InvalidBuffer(width: 0, format: .rgb, count: 9, error: .invalidSize(width: 0, height: 3)),
    InvalidBuffer(
      height: -1, format: .nv12(.full), count: 9, error: .invalidSize(width: 4, height: -1)),
    InvalidBuffer(
      width: 1 << 20, height: 1 << 20, format: .gray, count: 9,
      error: .invalidSize(width: 1 << 20, height: 1 << 20)),
    InvalidBuffer(
      width: .max, height: .max, format: .gray, count: 9,
      error: .invalidSize(width: .max, height: .max)),
    InvalidBuffer(format: .rgb, count: 35, error: .tooFewBytes(plane: 0, count: 35, needed: 36)),
    InvalidBuffer(
      format: .rgba, count: 99, bytesPerRow: 15,
      error: .rowTooShort(plane: 0, bytesPerRow: 15, needed: 16)),
    InvalidBuffer(
      format: .rgb, count: 99, bytesPerRow: .max,
      error: .tooFewBytes(plane: 0, count: 99, needed: .max)),
    InvalidBuffer(
      format: .rgb, count: 99, bytesPerRow: -1,
      error: .rowTooShort(plane: 0, bytesPerRow: -1, needed: 12)),
    // 4 x 3 luma samples, then 2 x 2 chroma pairs.
    InvalidBuffer(
      format: .nv12(.video), count: 19, error: .tooFewBytes(plane: 1, count: 19, needed: 20)),
    InvalidBuffer(
      format: .i420(.video), count: 18, error: .tooFewBytes(plane: 2, count: 18, needed: 20)),
  ]

  @Test(arguments: invalidBuffers)
  func rejectsInvalidSizesAndBuffers(_ c: InvalidBuffer) {
    #expect(throws: c.error) {
      try PixelBuffer(
        width: c.width, height: c.height, format: c.format,
        bytes: [UInt8](repeating: 0, count: c.count), bytesPerRow: c.bytesPerRow)
    }
  }

  @Test func rejectsMissingPlanes() {
    #expect(throws: ImageError.wrongPlaneCount(count: 1, expected: 2)) {
      try PixelBuffer(
        width: 2, height: 2, format: .nv12(.full),
        planes: [.init(bytes: [0, 0, 0, 0], bytesPerRow: 2)])
    }
    #expect(throws: ImageError.tooFewBytes(plane: 1, count: 1, needed: 2)) {
      try PixelBuffer(
        width: 2, height: 2, format: .nv12(.full),
        planes: [
          .init(bytes: [0, 0, 0, 0], bytesPerRow: 2), .init(bytes: [0], bytesPerRow: 2),
        ])
    }
  }

  @Test func lastRowNeedsNoPadding() throws {
    let bytes: [UInt8] = [1, 1, 1, 0, 0, 2, 2, 2]
    let buffer = try PixelBuffer(width: 1, height: 2, format: .rgb, bytes: bytes, bytesPerRow: 5)
    #expect(RGBImage(buffer).pixels == [1, 1, 1, 2, 2, 2])
  }

  @Test func oddSidesRoundChromaUp() throws {
    // 3 x 3 luma samples, then 2 x 2 chroma pairs: the last column and row use their own pair.
    let luma: [UInt8] = [UInt8](repeating: 100, count: 9)
    let chroma: [UInt8] = [128, 128, 128, 200]
    let neutral: [UInt8] = [128, 128, 128, 128]
    let buffer = try PixelBuffer(
      width: 3, height: 3, format: .i420(.full), bytes: luma + neutral + chroma)
    let converted = RGBImage(buffer)
    for y in 0..<3 {
      for x in 0..<3 {
        // 100 + 1.402 · 72 = 200.94
        #expect(converted[x, y].red == (x == 2 && y == 2 ? 201 : 100))
      }
    }
  }

  @Test func paddedRowsOfEveryPlaneAreSkipped() throws {
    let tight = try PixelBuffer(
      width: 4, height: 2, format: .i420(.video), bytes: (0..<12).map { UInt8($0 * 20) })
    let padded = try PixelBuffer(
      width: 4, height: 2, format: .i420(.video),
      bytes: [0, 20, 40, 60, 9, 9, 80, 100, 120, 140, 9, 9, 160, 180, 9, 200, 220],
      bytesPerRow: 6)
    #expect(RGBImage(tight) == RGBImage(padded))
  }

  @Test func borrowedAndOwnedBuffersMatch() throws {
    let bytes = (0..<48).map { UInt8($0 * 5) }
    let owned = RGBImage(
      try PixelBuffer(width: 4, height: 3, format: .bgra, bytes: bytes))
    let borrowed = try bytes.withUnsafeBytes { raw in
      RGBImage(
        try PixelView(size: ImageSize(width: 4, height: 3), format: .bgra, bytes: raw))
    }
    let planes = try bytes.withUnsafeBytes { raw in
      RGBImage(
        try PixelView(
          size: ImageSize(width: 4, height: 3), format: .bgra,
          planes: [.init(bytes: raw, bytesPerRow: 16)]))
    }
    #expect(owned == borrowed)
    #expect(owned == planes)
  }
}
