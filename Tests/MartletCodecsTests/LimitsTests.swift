import MartletBase
import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct LimitsTests {
  private func png(_ width: UInt32, _ height: UInt32, depth: UInt8, color: UInt8) -> [UInt8] {
    // Signature, IHDR with its checksum, and the beginning of IDAT; the limit applies to the
    // header.
    let raster = Raster(width: 1, height: 1, channels: 1, samples: [0])
    var file = PNG.encode(raster)
    let sides = [width, height].flatMap { side in
      (0..<4).map { UInt8(truncatingIfNeeded: side >> UInt32(24 - 8 * $0)) }
    }
    file.replaceSubrange(16..<24, with: sides)
    file[24] = depth
    file[25] = color
    let checksum = CRC32.checksum(file, range: 12..<29)
    file.replaceSubrange(
      29..<33, with: (0..<4).map { UInt8(truncatingIfNeeded: checksum >> UInt32(24 - 8 * $0)) })
    return file
  }

  /// The results of 2^28 pixels, gray and RGB, have 2^30 bytes; buffers are below a hundredth of it.
  @Test func smallFileCannotAllocateAGibibyte() throws {
    let file = png(1 << 14, 1 << 14, depth: 1, color: 0)
    let error = #expect(throws: PNGError.self) { try PNG.decode(file) }
    guard case .memory(let excess)? = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(excess.limit == 256 << 20)
    #expect(excess.needed >= 1 << 30 && excess.needed < (1 << 30) / 100 * 101)
  }

  /// Samples, RGB, inflated rows, and three more rows: 100 + 300 + 110 + 30, 300 + 310 + 90, and
  /// 400 + 300 + 410 + 120 bytes.
  @Test(arguments: [(1, 540), (3, 700), (4, 1230)])
  func memoryLimitIsExactToTheByte(_ channels: Int, _ bytes: Int) throws {
    let raster = Raster(
      width: 10, height: 10, channels: channels, samples: Array(repeating: 9, count: 100 * channels)
    )
    let file = PNG.encode(raster)
    let needed = bytes + file.count
    #expect(try PNG.decode(file, limits: ImageLimits(memory: needed)) == raster)
    #expect(
      throws: PNGError.memory(MemoryExcess(needed: Int64(needed), limit: Int64(needed - 1)))
    ) {
      try PNG.decode(file, limits: ImageLimits(memory: needed - 1))
    }
    #expect(throws: PNMError.self) {
      try PNM.decode(PNM.encode(raster), limits: ImageLimits(memory: 99))
    }
  }

  @Test func progressiveImageCountsItsCoefficients() throws {
    let files = try Fixtures.files(in: "JPEG", withExtension: "jpg").map(Fixtures.bytes)
    var seen = 0
    for file in files where isProgressive(file) {
      guard let raster = try? JPEG.decode(file) else { continue }
      let pixels = raster.width * raster.height
      // Less than two bytes per pixel and component in addition to the samples.
      #expect {
        try JPEG.decode(file, limits: ImageLimits(memory: pixels * (raster.channels + 1)))
      } throws: {
        if case JPEGError.memory = $0 { true } else { false }
      }
      seen += 1
    }
    #expect(seen > 0)
  }

  private func isProgressive(_ file: [UInt8]) -> Bool {
    file.indices.dropLast(9).contains { file[$0] == 0xFF && file[$0 + 1] == 0xC2 }
  }

  @Test(arguments: [
    (1, 1_048_576, true), (1_048_576, 1, true), (1, 1_048_577, false), (1_048_577, 1, false),
    (16384, 16384, true), (16384, 16385, false), (0, 1, false), (1, -1, false),
    (Int.max, 2, false),
  ])
  func sidesAndPixelsAreLimited(_ width: Int, _ height: Int, _ isAllowed: Bool) {
    #expect(Limits.allow(width: width, height: height) == isAllowed)
  }

  @Test func errorStatesNeededMebibytes() {
    let excess = MemoryExcess(needed: 300 << 20 | 1, limit: 256 << 20)
    #expect(
      "\(excess)" == """
        needs 301 MiB of memory to be decoded, expected at most 256 MiB; raise the memory limit to \
        301 MiB (ImageLimits.memory = 314572801), or use a smaller image
        """)
  }
}
