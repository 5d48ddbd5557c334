import MartletTestSupport
import Testing

@testable import MartletKernelsBase

@Suite struct PairSumsTests {
  @Test func sumsEqualFullProducts() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<100 {
      let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
      let weights = [Int32.random(in: 0...1 << 22, using: &random), 0].shuffled(using: &random)
      let (high, low) = (weights.map { $0 >> 15 }, weights.map { $0 & 0x7FFF })
      var (first, second, third) = (PairSums(), PairSums(), PairSums())
      bytes.withUnsafeBytes { memory in
        guard let base = memory.baseAddress else { return }
        let pairs = PairSums.eight(base, base + 8)
        for (parts, shift) in [(high, 15), (low, 0)] as [([Int32], Int32)] {
          let weight = parts[0] | parts[1] << 16
          let (up, down) = (shift == 15 ? weight : 0, shift == 15 ? 0 : weight)
          first.add(pairs.0, up, down)
          second.add(pairs.1, up, down)
          third.add(PairSums.pixels(base), up, down)
        }
      }
      func expected(_ distance: Int) -> [Int32] {
        (0..<8).map { Int32(bytes[$0]) * weights[0] + Int32(bytes[$0 + distance]) * weights[1] }
      }
      #expect(first.total == SIMD4(expected(8)[..<4]))
      #expect(second.total == SIMD4(expected(8)[4...]))
      #expect(third.total == SIMD4(expected(3)[..<4]))
    }
  }

  @Test func productsEqualTheInstruction() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<100 {
      let pairs = ShortPairs((0..<8).map { _ in Int16.random(in: 0...255, using: &random) })
      let (a, b) = (
        Int32.random(in: 0...128, using: &random), Int32.random(in: 0...128, using: &random)
      )
      var sums = PairSums()
      sums.add(pairs, 0, a | b << 16)
      let weights = ShortPairs((0..<8).map { Int16($0 % 2 == 0 ? a : b) })
      #expect(sums.total == PairSums.plainProducts(pairs, weights))
    }
  }
}
