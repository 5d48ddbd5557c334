import MartletBase
import MartletImage
import MartletSystem
import MartletTestSupport
import Testing

@testable import MartletCodecs

/// Reduced images equal the full ones, averaged by the formula.
@Suite struct RowReducerTests {
  /// The means of squares of `factor` pixels a side, halves rounded up.
  private func mean(_ raster: Raster, factor: Int) -> [UInt8] {
    let (width, height) = (raster.width, raster.height)
    var means: [UInt8] = []
    for top in stride(from: 0, to: height, by: factor) {
      for left in stride(from: 0, to: width, by: factor) {
        for channel in 0..<raster.channels {
          var values: [Int] = []
          for y in top..<min(top + factor, height) {
            for x in left..<min(left + factor, width) {
              values.append(Int(raster.samples[(y * width + x) * raster.channels + channel]))
            }
          }
          let mean = Double(values.reduce(0, +)) / Double(values.count)
          means.append(UInt8(mean.rounded(.toNearestOrAwayFromZero)))
        }
      }
    }
    return means
  }

  /// Compares the image at 1/2, 1/4 and 1/8 of its size with the full one.
  private func check(
    _ decode: (_ minimumSide: Int?) throws -> Raster,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let full = try decode(nil)
    let side = min(full.width, full.height)
    for factor in [2, 4, 8] {
      let minimum = (side + factor - 1) / factor
      let reduced = try decode(minimum)
      // Of a small image, another factor may keep as many pixels.
      let used = try #require([8, 4, 2].first { (side + $0 - 1) / $0 >= minimum })
      #expect(reduced.samples == mean(full, factor: used), sourceLocation: sourceLocation)
      #expect(reduced.width == (full.width + used - 1) / used, sourceLocation: sourceLocation)
      #expect(reduced.height == (full.height + used - 1) / used, sourceLocation: sourceLocation)
      #expect(reduced.fullSize == ImageSize(width: full.width, height: full.height))
      #expect(reduced.orientation == full.orientation)
      #expect(reduced.colorProfile == full.colorProfile)
      #expect(reduced.warnings == full.warnings, sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: ["PNG", "PNG/Damaged", "WebP", "TIFF"])
  func reducedFileEqualsTheFullOneAveraged(folder: String) throws {
    let kind = ["WebP": "webp", "TIFF": "tif"][folder] ?? "png"
    let files = Fixtures.files(in: folder, withExtension: kind)
    #expect(files.count > 10)
    for file in files {
      let bytes = try Fixtures.bytes(of: file)
      let codec = try #require(ImageCodec.of(bytes))
      func decode(_ minimumSide: Int?, _ workers: Workers) throws -> Raster {
        try codec.decode(
          bytes,
          DecodingOptions(
            bytes, .init(), isStrict: false, minimumSide: minimumSide, workers))
      }
      guard (try? decode(nil, .serial)) != nil else {
        #expect(throws: (any Error).self) { try decode(1, .serial) }
        continue
      }
      try check { try decode($0, .serial) }
      #expect(try decode(1, .pool(count: 2)) == decode(1, .serial), "\(file.lastPathComponent)")
    }
  }

  private func noise(width: Int, height: Int, channels: Int) -> Raster {
    var random = SplitMix64(seed: 5)
    let samples = (0..<width * height * channels).map { index in
      index % 3000 < 1500
        ? UInt8(truncatingIfNeeded: index / 7) : .random(in: 0...255, using: &random)
    }
    return Raster(width: width, height: height, channels: channels, samples: samples)
  }

  /// The inflated rows exceed the decoder's memory for them several times.
  @Test func largePNGIsDecodedInParts() throws {
    let raster = noise(width: 1203, height: 1001, channels: 4)
    let file = PNG.encode(raster)
    #expect(try PNG.decode(file) == raster)
    #expect(try PNG.decode(file, workers: .pool(count: 2)) == raster)
    try check { try PNG.decode(file, minimumSide: $0) }
    // The image, whose rows have four bytes a pixel, does not fit.
    let limits = ImageLimits(memory: 3 << 20)
    #expect(throws: PNGError.self) { try PNG.decode(file, limits: limits) }
    #expect(throws: Never.self) { try PNG.decode(file, limits: limits, minimumSide: 100) }
    // What was decoded before the end stays, and the rest is zeros.
    let cut = Array(file.dropLast(file.count / 3))
    try check { try PNG.decode(cut, minimumSide: $0) }
    let rows = try PNG.decode(cut).samples
    let equal = zip(rows, raster.samples).prefix { $0 == $1 }.count
    #expect(equal > raster.samples.count / 2)
    #expect(rows[(equal + 4 * 1203)...].allSatisfy { $0 == 0 })
  }

  @Test func factorKeepsTheMinimumOfBothSides() {
    func factor(_ width: Int, _ height: Int, _ side: Int?) -> Int {
      RowReducer.factor(of: ImageSize(width: width, height: height), minimumSide: side)
    }
    let cases = [
      (1, 1), (1438, 1), (1439, 2), (2876, 2), (2877, 4), (5752, 4), (5753, 8), (9000, 8),
    ]
    for (side, expected) in cases {
      #expect(factor(side, 1 << 20, 720) == expected, "\(side)")
      #expect(factor(1 << 20, side, 720) == expected, "\(side)")
      #expect(factor(side, side, nil) == 1)
    }
  }

  @Test func missingRowsAreZeros() {
    let size = ImageSize(width: 3, height: 5)
    let reducer = RowReducer(size, channels: 1, factor: 2)
    for _ in 0..<3 { reducer.add(([10, 20, 31] as [UInt8]).span) }
    reducer.finish()
    #expect(reducer.samples == [15, 31, 8, 16, 0, 0])
  }
}
