import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct DeflateTests {
  private static func noise(_ count: Int, below limit: UInt8, seed: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0..<limit, using: &random) }
  }

  static let contents: [[UInt8]] = [
    [], [1], [1, 2], [1, 1, 1], [1, 1, 1, 1], [UInt8](repeating: 7, count: 100_000),
    noise(100_000, below: 255, seed: 1), noise(100_000, below: 3, seed: 2),
    noise(40_000, below: 200, seed: 3) + noise(40_000, below: 200, seed: 3),
    noise(32_768, below: 200, seed: 4) + noise(32_768, below: 200, seed: 4),
    (0..<20).flatMap { [UInt8](repeating: UInt8($0), count: 1 << $0 % 14) },
    (0..<60_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 9) },
  ]

  @Test(arguments: contents)
  func inflateRestoresContent(content: [UInt8]) throws {
    #expect(try Inflate.zlib(Deflate.zlib(content), count: content.count) == content)
  }

  /// Stored blocks limit the growth: 5 bytes per block and a few for rejected encodings.
  @Test func noiseGrowsByFewBytes() {
    let content = Self.noise(200_000, below: 255, seed: 5)
    #expect(Deflate.zlib(content).count <= content.count + 60)
  }

  @Test func choosesTypeOfEachBlock() {
    #expect(Deflate.zlib(Self.noise(1000, below: 255, seed: 6))[2] & 6 == 0)
    #expect(Deflate.zlib([1, 2, 3])[2] & 6 == 2)
    #expect(Deflate.zlib(Self.noise(1000, below: 3, seed: 7))[2] & 6 == 4)
  }

  /// Noise of four values has two bits per byte; zlib at level 4 needs 2.46.
  @Test func isCloseToTheEntropy() {
    let count = Deflate.zlib(Self.noise(100_000, below: 4, seed: 8)).count
    #expect(count >= 25_000)
    #expect(count <= 30_730)
  }

  @Test func findsMatchAtTheFarthestDistance() {
    let once = Self.noise(32_768, below: 255, seed: 9)
    let twice = once + once
    #expect(Deflate.zlib(twice).count < once.count + 1000)
  }
}
