import Testing

@testable import MartletImage

@Suite struct ColorConversionTests {
  static let golden = Golden.shared.color

  func buffer(_ format: PixelFormat, _ planes: [[UInt8]]) throws -> PixelBuffer {
    let width = Self.golden.width
    return try PixelBuffer(
      width: width, height: Self.golden.height, format: format,
      planes: planes.enumerated().map { index, bytes in
        .init(bytes: bytes, bytesPerRow: format.bytesPerRow(ofPlane: index, width: width))
      })
  }

  @Test(arguments: LumaRange.allCases)
  func matchesOpenCV(_ range: LumaRange) throws {
    let golden = Self.golden
    let converted = RGBImage(
      try buffer(.i420(range), [Array(golden.luma), Array(golden.cb), Array(golden.cr)]))
    // OpenCV's coefficients have three digits (1.164, 2.018; 1.403, 1.773).
    let wanted = range == .video ? golden.video : golden.full
    #expect(largestDifference(converted.pixels, wanted) <= 1)
  }

  @Test(arguments: LumaRange.allCases)
  func planarAndInterleavedChromaAgree(_ range: LumaRange) throws {
    let golden = Self.golden
    let pairs = zip(golden.cb, golden.cr)
    let planar = RGBImage(
      try buffer(.i420(range), [Array(golden.luma), Array(golden.cb), Array(golden.cr)]))
    let nv12 = RGBImage(
      try buffer(.nv12(range), [Array(golden.luma), pairs.flatMap { [$0, $1] }]))
    let nv21 = RGBImage(
      try buffer(.nv21(range), [Array(golden.luma), pairs.flatMap { [$1, $0] }]))
    #expect(nv12 == planar)
    #expect(nv21 == planar)
  }

  /// BT.601 in Double, rounded once; nil within 0.007 of a tie.
  func exact(_ y: Int, _ cb: Int, _ cr: Int, _ range: LumaRange) -> [Int?] {
    let luma = range == .full ? Double(y) : Double(y - 16) * 255 / 219
    let gain = range == .full ? 1 : 255.0 / 224
    let blue = Double(cb - 128) * gain
    let red = Double(cr - 128) * gain
    return [
      luma + 2 * (1 - 0.299) * red,
      luma - 2 * (1 - 0.114) * 0.114 / 0.587 * blue - 2 * (1 - 0.299) * 0.299 / 0.587 * red,
      luma + 2 * (1 - 0.114) * blue,
    ].map { value in
      let clamped = min(255, max(0, value))
      let half = abs(clamped - clamped.rounded(.down) - 0.5)
      return half < 0.007 ? nil : Int(clamped.rounded())
    }
  }

  @Test(arguments: LumaRange.allCases)
  func roundsFormulaToNearestByte(_ range: LumaRange) throws {
    var checked = 0
    for cb in stride(from: 0, through: 255, by: 15) {
      for cr in stride(from: 0, through: 255, by: 15) {
        let buffer = try PixelBuffer(
          width: 256, height: 1, format: .i420(range),
          planes: [
            .init(bytes: (0...255).map { UInt8($0) }, bytesPerRow: 256),
            .init(bytes: [UInt8](repeating: UInt8(cb), count: 128), bytesPerRow: 128),
            .init(bytes: [UInt8](repeating: UInt8(cr), count: 128), bytesPerRow: 128),
          ])
        let pixels = RGBImage(buffer).pixels
        for y in 0...255 {
          for (channel, wanted) in exact(y, cb, cr, range).enumerated() {
            guard let wanted else { continue }
            checked += 1
            if Int(pixels[y * 3 + channel]) != wanted {
              Issue.record("\(range) \(y) \(cb) \(cr), channel \(channel)")
            }
          }
        }
      }
    }
    #expect(checked > 200_000)
  }

  // Rec. ITU-R BT.601: black and white of each range, and the color bars' red.
  @Test func convertsBlackWhiteAndRed() throws {
    for (range, bytes, color) in [
      (LumaRange.video, [16, 128, 128], [0, 0, 0]), (.video, [235, 128, 128], [255, 255, 255]),
      (.video, [81, 90, 240], [255, 0, 0]), (.full, [0, 128, 128], [0, 0, 0]),
      (.full, [255, 128, 128], [255, 255, 255]), (.full, [76, 85, 255], [254, 0, 0]),
    ] as [(LumaRange, [UInt8], [UInt8])] {
      let buffer = try PixelBuffer(width: 1, height: 1, format: .i420(range), bytes: bytes)
      #expect(largestDifference(RGBImage(buffer).pixels, color) <= 1)
    }
  }

  @Test(
    arguments: [
      (PixelFormat.rgb, [1, 2, 3]), (.bgr, [3, 2, 1]), (.rgba, [1, 2, 3, 77]),
      (.bgra, [3, 2, 1, 0]), (.argb, [128, 1, 2, 3]),
    ] as [(PixelFormat, [UInt8])])
  func picksChannelsAndIgnoresAlpha(_ format: PixelFormat, _ pixel: [UInt8]) throws {
    let row = pixel + pixel.map { $0 &+ 10 } + [99]
    let buffer = try PixelBuffer(
      width: 2, height: 2, format: format, bytes: row + row, bytesPerRow: row.count)
    #expect(RGBImage(buffer).pixels == [1, 2, 3, 11, 12, 13, 1, 2, 3, 11, 12, 13])
  }

  @Test func grayFillsAllChannels() throws {
    let buffer = try PixelBuffer(width: 3, height: 1, format: .gray, bytes: [0, 9, 255])
    #expect(RGBImage(buffer).pixels == [0, 0, 0, 9, 9, 9, 255, 255, 255])
  }
}
