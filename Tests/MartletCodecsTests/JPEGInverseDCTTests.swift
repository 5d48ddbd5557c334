import Foundation
import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct JPEGInverseDCTTests {
  /// The samples of a block, by the definition (ITU-T T.81, A.3.3).
  private func samples(of block: [Int16]) -> [Double] {
    (0..<64).map { place in
      let (x, y) = (Double(place % 8), Double(place / 8))
      let sum = (0..<64).reduce(0.0) { sum, index in
        let (u, v) = (Double(index % 8), Double(index / 8))
        let scale = (u == 0 ? 0.5.squareRoot() : 1) * (v == 0 ? 0.5.squareRoot() : 1)
        return sum + scale * Double(block[index])
          * cos((2 * x + 1) * u * .pi / 16) * cos((2 * y + 1) * v * .pi / 16)
      }
      return min(max(128 + sum / 4, 0), 255)
    }
  }

  private func transform(_ block: [Int16], steps: [Int16], stride: Int = 8) -> [UInt8] {
    var samples = [UInt8](repeating: 7, count: 8 * stride)
    samples.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      JPEGInverseDCT.transform(block, steps, to: base, stride: stride)
    }
    return samples
  }

  /// Blocks as pictures have them: most of the energy in the first coefficients.
  private func block(_ count: Int, using random: inout SplitMix64) -> [Int16] {
    var block = [Int16](repeating: 0, count: 64)
    for place in JPEGZigzag.natural.prefix(count) {
      block[Int(place)] = Int16.random(in: -60...60, using: &random)
    }
    block[0] = Int16.random(in: -100...100, using: &random)
    return block
  }

  @Test(arguments: [1, 2, 3, 10, 30, 64])
  func agreesWithTheDefinition(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    for _ in 0..<50 {
      let block = block(count, using: &random)
      let got = transform(block, steps: Array(repeating: 3, count: 64))
      let want = samples(of: block.map { $0 * 3 })
      for (got, want) in zip(got, want) { #expect(abs(Double(got) - want) <= 1) }
    }
  }

  @Test func roundsWithoutBias() {
    var random = SplitMix64(seed: 5)
    var sum = 0.0
    for _ in 0..<200 {
      let block = block(20, using: &random).map { $0 / 4 }
      let got = transform(block, steps: Array(repeating: 1, count: 64))
      sum += zip(got, samples(of: block)).reduce(0) { $0 + Double($1.0) - $1.1 }
    }
    #expect(abs(sum / (200 * 64)) < 0.02)
  }

  @Test func flatBlocksAreTheirMean() {
    for level in -1024...1023 {
      let mean = UInt8(clamping: 128 + Int((Double(level) / 8 + 0.5).rounded(.down)))
      let expected = [UInt8](repeating: mean, count: 64)
      let block = [Int16(level)] + Array(repeating: 0, count: 63)
      #expect(transform(block, steps: Array(repeating: 1, count: 64)) == expected)
      var filled = [UInt8](repeating: 0, count: 64)
      filled.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        JPEGInverseDCT.fill(Int16(level), 1, to: base, stride: 8)
      }
      #expect(filled == expected)
    }
  }

  @Test func writesItsBlockAlone() {
    var random = SplitMix64(seed: 2)
    let block = block(64, using: &random)
    let steps = [Int16](repeating: 2, count: 64)
    let (narrow, wide) = (
      transform(block, steps: steps), transform(block, steps: steps, stride: 24)
    )
    for (place, sample) in wide.enumerated() {
      #expect(sample == (place % 24 < 8 ? narrow[place / 24 * 8 + place % 24] : 7))
    }
  }

  @Test func survivesAnyCoefficients() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<200 {
      let block = (0..<64).map { _ in Int16.random(in: .min ... .max, using: &random) }
      let steps = (0..<64).map { _ in Int16.random(in: .min ... .max, using: &random) }
      #expect(transform(block, steps: steps).count == 64)
    }
  }
}
