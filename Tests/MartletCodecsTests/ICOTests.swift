import MartletImage
import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct ICOTests {
  private func bytes(_ name: String) throws -> [UInt8] {
    try ImageFixtures.bytes("ICO/\(name).ico")
  }

  private func error(_ bytes: [UInt8], isStrict: Bool = false) -> ICOError? {
    do throws(ICOError) {
      _ = try ICO.decode(bytes, isStrict: isStrict)
      return nil
    } catch { return error }
  }

  @Test(arguments: ImageFixtures.names(in: "ICO"))
  func decodesExactly(name: String) throws {
    let raster = try ICO.decode(bytes(name), isStrict: true)
    let expected = try ExpectedSamples("ICO/\(name).bin")
    #expect(raster.width == expected.width)
    #expect(raster.height == expected.height)
    #expect(raster.channels == expected.channels)
    #expect(raster.samples == expected.samples)
  }

  @Test func findsTheFixtures() {
    #expect(ImageFixtures.names(in: "ICO").count == 9)
  }

  @Test func rejectsDamage() throws {
    let file = try bytes("bits24")
    #expect(error(Array(file.prefix(5))) == .truncated(offset: 0, count: 6, fileSize: 5))
    #expect(error([0, 0, 1, 0, 0, 0]) == .empty)
    #expect(error(Array(file.prefix(21))) == .truncated(offset: 6, count: 16, fileSize: 21))
    #expect(error(Array(file.prefix(22))) == .truncated(offset: 22, count: 40, fileSize: 22))
    #expect(error(Array(file.prefix(30))) == .truncated(offset: 22, count: 40, fileSize: 30))
    #expect(error(Array(file.prefix(70))) == .bmp(.truncated(offset: 54, count: 196, fileSize: 62)))
    let png = try bytes("png")
    guard case .png = error(Array(png.prefix(60))) else {
      Issue.record("a PNG image that is cut off is accepted")
      return
    }
  }

  /// Pillow with `LOAD_TRUNCATED_IMAGES` ignores a mask that is cut off.
  @Test func missingMaskIsDamage() throws {
    let file = try bytes("bits24")
    let raster = try ICO.decode(Array(file.dropLast()))
    let expected = try ExpectedSamples("ICO/bits24.bin").samples
    #expect(raster.warnings == [.ico(.missingMask(offset: 40 + 28 * 7))])
    for index in expected.indices {
      #expect(raster.samples[index] == (index % 4 == 3 ? 255 : expected[index]))
    }
    #expect(error(Array(file.dropLast()), isStrict: true) == .missingMask(offset: 40 + 28 * 7))
  }

  @Test func memoryIsLimited() throws {
    let bytes = try bytes("bits24")
    // Three samples of 63 pixels; then four, and three as a copy of RGB.
    let needed = 63 * 10
    #expect(throws: Never.self) { try ICO.decode(bytes, limits: ImageLimits(memory: needed)) }
    let excess = MemoryExcess(needed: Int64(needed), limit: Int64(needed - 1))
    #expect(throws: ICOError.bmp(.memory(excess))) {
      try ICO.decode(bytes, limits: ImageLimits(memory: needed - 1))
    }
  }

  @Test(arguments: ImageFixtures.names(in: "ICO"))
  func survivesDamage(name: String) throws {
    let bytes = try bytes(name)
    var random = SplitMix64(seed: 7)
    for _ in 0..<200 {
      let damaged = bytes.damaged(count: 3, from: 4, using: &random)
      if let raster = try? ICO.decode(damaged, limits: ImageLimits(memory: 1 << 22)) {
        #expect(raster.width * raster.height <= Limits.pixels)
      }
    }
    for end in bytes.indices { _ = try? ICO.decode(Array(bytes[..<end])) }
  }
}
