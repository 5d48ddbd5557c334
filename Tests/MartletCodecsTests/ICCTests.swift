import MartletTestSupport
import Testing

@testable import MartletCodecs

/// Color profiles, compared with Little CMS in Pillow 13.0; see `ICC/make.py`.
@Suite struct ICCTests: PNGBuilding {
  private func profile(_ name: String) throws -> [UInt8] {
    try ImageFixtures.bytes("ICC/\(name).icc")
  }

  /// A grid of 9 x 9 x 9 colors.
  private static let grid: [UInt8] = {
    let steps = (0..<9).map { UInt8(min(32 * $0, 255)) }
    return steps.flatMap { r in steps.flatMap { g in steps.flatMap { b in [r, g, b] } } }
  }()

  @Test(arguments: ImageFixtures.names(in: "ICC"))
  func colorsAreWithinOneStepOfLittleCMS(name: String) throws {
    let converter = try #require(SRGBConverter(profile(name)))
    var colors = Self.grid
    converter.convert(&colors)
    let expected = try ImageFixtures.bytes("ICC/\(name).bin")
    #expect(colors.count == expected.count)
    #expect(zip(colors, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    let different = zip(colors, expected).count { $0 != $1 }
    #expect(different * 50 < colors.count)
  }

  @Test func findsTheProfiles() { #expect(ImageFixtures.names(in: "ICC").count == 7) }

  @Test(arguments: ["srgb", "gray", "cmyk"])
  func otherProfilesAndSRGBAreIgnored(name: String) throws {
    #expect(SRGBConverter(try profile(name)) == nil)
  }

  // MARK: Files

  @Test(arguments: ["png", "webp", "tif", "jpg"])
  func filesAreConvertedUnlessTurnedOff(format: String) throws {
    let bytes = try ImageFixtures.bytes("ICC/display-p3.\(format)")
    let stored = try ImageFile(decoding: bytes, convertsColors: false).image[3, 3]
    let converted = try ImageFile(decoding: bytes).image[3, 3]
    // JPEG stores 199 instead of 200.
    let red = Int(stored.red)
    #expect((red, stored.green, stored.blue) == (format == "jpg" ? 199 : 200, 80, 40))
    #expect(abs(Int(converted.red) - red - 16) <= 1)
    #expect(abs(Int(converted.green) - 69) <= 1)
    #expect(abs(Int(converted.blue) - 17) <= 1)
  }

  @Test(arguments: ["png", "webp", "tif"])
  func reducedColorsAreConvertedAfterAveraging(format: String) throws {
    let bytes = try ImageFixtures.bytes("ICC/display-p3.\(format)")
    let stored = try ImageFile(decoding: bytes, minimumSide: 1, convertsColors: false)
    let converted = try ImageFile(decoding: bytes, minimumSide: 1)
    #expect(converted.image.size != converted.fullSize)
    var pixels = stored.image.pixels
    try #require(SRGBConverter(profile("display-p3"))).convert(&pixels)
    #expect(converted.image.pixels == pixels && pixels != stored.image.pixels)
  }

  @Test func grayImageIgnoresAnRGBProfileWithoutAWarning() throws {
    let bytes = try ImageFixtures.bytes("ICC/gray.png")
    let file = try ImageFile(decoding: bytes)
    #expect(file.image == (try ImageFile(decoding: bytes, convertsColors: false)).image)
    #expect(file.warnings.isEmpty)
  }

  /// A JPEG file whose profile has the given parts, in this order.
  private func file(_ parts: [(number: UInt8, count: UInt8, data: [UInt8])]) throws -> [UInt8] {
    let plain = try ImageFixtures.bytes("JPEG/sampling-444.jpg")
    let segments = parts.flatMap { number, count, data in
      JPEGFile.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [number, count] + data)
    }
    return JPEGFile.start + segments + plain[2...]
  }

  @Test func partsOfAProfileAreJoinedByTheirNumbers() throws {
    let profile = try profile("display-p3")
    let parts: [(number: UInt8, count: UInt8, data: [UInt8])] = [
      (3, 3, Array(profile[300...])), (1, 3, Array(profile[..<100])),
      (2, 3, Array(profile[100..<300])),
    ]
    #expect(try JPEG.decode(file(parts)).colorProfile == profile)
    #expect(try JPEG.decode(file(Array(parts[1...]))).colorProfile == nil)
    #expect(try JPEG.decode(file([(0, 0, profile)])).colorProfile == nil)
    #expect(try JPEG.decode(file([])).colorProfile == nil)
  }

  @Test func profileOfCMYKImageIsIgnoredWithoutAWarning() throws {
    let plain = try ImageFixtures.bytes("JPEG/cmyk.jpg")
    let segment = JPEGFile.segment(
      0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + (try profile("cmyk")))
    let file = try ImageFile(decoding: JPEGFile.start + segment + plain[2...])
    #expect(file.image == (try ImageFile(decoding: plain)).image)
    #expect(file.warnings.isEmpty)
  }

  // MARK: Damaged profiles

  @Test func truncatedProfilesAreIgnored() throws {
    let profile = try profile("display-p3")
    for count in 0..<profile.count {
      var colors = Self.grid
      SRGBConverter(Array(profile.prefix(count)))?.convert(&colors)
    }
    #expect(SRGBConverter(Array(profile.prefix(300))) == nil)
  }

  @Test(arguments: ImageFixtures.names(in: "ICC"))
  func damagedProfilesNeverTrap(name: String) throws {
    var random = SplitMix64(seed: 11)
    let profile = try profile(name)
    for _ in 0..<500 {
      let damaged = profile.damaged(count: 4, from: 128, using: &random)
      var colors = Self.grid
      SRGBConverter(damaged)?.convert(&colors)
    }
  }

  @Test func damagedProfileInPNGIsIgnoredWithoutAWarning() throws {
    let bytes = try ImageFixtures.bytes("PNG/rgb8.png")
    let plain = try ImageFile(decoding: bytes)
    for content in [[], [65, 0], [65, 0, 1, 2, 3], [65, 0, 0, 2, 3], [65, 0, 0, 0x78, 0x9C]] {
      let header = bytes.prefix(33)
      let file = try ImageFile(
        decoding: header + chunk("iCCP", content.map { UInt8($0) }) + bytes[33...])
      #expect(file.image == plain.image)
      #expect(file.warnings.isEmpty)
    }
  }

  @Test func curvesFollowTheirFunctions() throws {
    func curve(_ type: UInt8, _ values: [Double]) throws -> ICCCurve {
      let numbers = values.flatMap { value in
        (0..<4).map { UInt8(truncatingIfNeeded: Int32(value * 65536) >> (24 - 8 * $0)) }
      }
      return try #require(
        ICCCurve(Array("para".utf8) + [0, 0, 0, 0, 0, type, 0, 0] + numbers, at: 0))
    }
    // By hand, at 0, 1/2 and 1.
    for (type, values, expected) in [
      (0, [2], [0, 0.25, 1]), (1, [2, 0.5, -0.25], [0, 0, 0.0625]),
      (2, [2, 0.5, -0.25, 0.125], [0.125, 0.125, 0.1875]),
      (3, [2, 0.5, 0.5, 0.25, 0.75], [0, 0.125, 1]),
      (4, [2, 0.5, 0.25, 0.25, 0.75, 0.25, 0.125], [0.125, 0.25, 0.8125]),
      (0, [-1], [8, 2, 1]), (1, [2, 0, 0.5], [0.25, 0.25, 0.25]),
    ] as [(UInt8, [Double], [Float])] {
      let curve = try curve(type, values)
      #expect([0, 0.5, 1].map { curve.light($0) } == expected)
    }
    #expect(ICCCurve(Array("para".utf8) + [UInt8](repeating: 5, count: 40), at: 0) == nil)
  }
}

extension SRGBConverter {
  fileprivate func convert(_ pixels: inout [UInt8]) {
    convert(&pixels, DecodingWork(byteCount: 0, .serial))
  }
}
