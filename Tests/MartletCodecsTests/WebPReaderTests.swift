import MartletBase
import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct WebPReaderTests {
  /// The canvas of libwebp's animation decoder (in Pillow 13.0) after each frame.
  @Test(arguments: ["animation", "animation-alpha", "animation-composed"])
  func framesEqualLibwebp(_ name: String) throws {
    let frames = WebPCase.all(in: "frames").filter { $0.name == name }
    let bytes = try ImageFixtures.bytes("WebP/\(name).webp")
    var reader = try WebPReader(ByteSource(bytes), isStrict: true)
    for frame in frames {
      let image = try #require(try reader.next())
      #expect(SHA256.digest(of: image.pixels).hexadecimal == frame.digest)
    }
    #expect(try reader.next() == nil)
    #expect(frames.count >= 2)
  }

  @Test func stillImageIsOneUprightFrame() throws {
    let bytes = try ImageFixtures.bytes("WebP/orientation6.webp")
    var reader = try WebPReader(ByteSource(bytes))
    #expect(try reader.next() == ImageFile(decoding: bytes).upright)
    #expect(try reader.next() == nil)
    #expect(reader.rate == nil)
  }

  @Test func firstDurationGivesTheRate() throws {
    let bytes = try ImageFixtures.bytes("WebP/animation-composed.webp")
    let rate = try WebPReader(ByteSource(bytes)).rate
    #expect(rate?.numerator == 1000 && rate?.denominator == 80)
  }

  @Test func laterFramesFollowADamagedOne() throws {
    var bytes = try ImageFixtures.bytes("WebP/animation-composed.webp")
    let second = bytes.indices.filter { bytes[$0...].starts(with: "ANMF".utf8) }[1]
    // The first byte of the frame's VP8 or VP8L data.
    let image = try #require(bytes[second...].firstRange(of: Array("VP8".utf8))).lowerBound
    bytes[image + 8] ^= 0xFF
    var reader = try WebPReader(ByteSource(bytes))
    #expect(try reader.next() != nil)
    #expect(throws: WebPError.self) { try reader.next() }
    for _ in 2..<7 { #expect(try reader.next() != nil) }
    #expect(try reader.next() == nil)
  }

  @Test func truncatedVideoHasItsFirstFramesAndWarnings() throws {
    let bytes = try ImageFixtures.bytes("WebP/animation-composed.webp")
    for count in stride(from: 20, to: bytes.count, by: 97) {
      let part = Array(bytes[..<count])
      #expect(throws: WebPError.self) { try WebPReader(ByteSource(part), isStrict: true) }
      guard var reader = try? WebPReader(ByteSource(part)) else { continue }
      var warnings: [DecodingWarning] = []
      while case let image = try? reader.next(), image != nil { warnings += reader.warnings }
      #expect(count < 1000 || !warnings.isEmpty)
    }
  }

  @Test func fileAndCanvasCountTowardLimit() throws {
    let bytes = try ImageFixtures.bytes("WebP/animation.webp")
    #expect(throws: WebPError.self) {
      try WebPReader(ByteSource(bytes), limits: ImageLimits(memory: bytes.count - 1))
    }
    // The bytes are copied once.
    let count = Int64(2 * bytes.count)
    #expect(throws: WebPError.memory(MemoryExcess(needed: count, limit: count - 1))) {
      try WebPReader(ByteSource(bytes), limits: ImageLimits(memory: 2 * bytes.count - 1))
    }
    var reader = try WebPReader(ByteSource(bytes), limits: ImageLimits(memory: 2 * bytes.count))
    #expect(throws: WebPError.self) { try reader.next() }
  }
}
