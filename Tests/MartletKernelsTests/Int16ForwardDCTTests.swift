import Foundation
import MartletKernels
import MartletMicrokernels
import MartletTestSupport
import Testing

@Suite struct Int16ForwardDCTTests {
  /// The coefficients of a line of blocks, in columns.
  private func coefficients(
    of samples: [UInt8], count: Int, divisors: [Int], by kernels: Microkernels
  ) -> [Int16] {
    var samples = samples
    var halves = divisors.map { Int16($0 / 2) }
    var reciprocals = divisors.map { Int32((1 << 20 + $0 - 1) / $0) }
    var coefficients = [Int16](repeating: -7777, count: 64 * count)
    buffer(&samples) { samples in
      buffer(&halves) { halves in
        buffer(&reciprocals) { reciprocals in
          buffer(&coefficients) { coefficients in
            guard let samples = samples.baseAddress, let halves = halves.baseAddress,
              let reciprocals = reciprocals.baseAddress, let target = coefficients.baseAddress
            else { return }
            kernels.int16ForwardDCT(
              Int16ForwardDCT(
                samples: samples, stride: 8 * count + 3, count: count, halves: halves,
                reciprocals: reciprocals, coefficients: target))
          }
        }
      }
    }
    return coefficients
  }

  /// T.81, A.3.3, of one block of the line; in columns.
  private func exact(_ samples: [UInt8], block: Int, count: Int) -> [Double] {
    (0..<64).map { index in
      let (u, v) = (index / 8, index % 8)
      var sum = 0.0
      for y in 0..<8 {
        for x in 0..<8 {
          let column = cos(Double((2 * x + 1) * u) * .pi / 16)
          let row = cos(Double((2 * y + 1) * v) * .pi / 16)
          let sample = Double(samples[y * (8 * count + 3) + 8 * block + x]) - 128
          sum += sample * column * row
        }
      }
      let half = 0.5.squareRoot()
      return sum / 4 * (u == 0 ? half : 1) * (v == 0 ? half : 1)
    }
  }

  private func line(_ count: Int, using random: inout SplitMix64) -> [UInt8] {
    random.integers(8 * (8 * count + 3))
  }

  @Test(arguments: [1, 2, 3, 4, 5, 9]) func undividedIsWithinOneOfExactResult(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let ones = [Int](repeating: 1, count: 64)
    for _ in 0..<10 {
      let samples = line(count, using: &random)
      for kernels in Microkernels.available {
        let found = coefficients(of: samples, count: count, divisors: ones, by: kernels)
        for block in 0..<count {
          for (index, value) in exact(samples, block: block, count: count).enumerated() {
            #expect(abs(value - Double(found[64 * block + index])) <= 1)
          }
        }
      }
    }
  }

  @Test func quotientsAreRoundedToNearest() {
    var random = SplitMix64(seed: 5)
    let ones = [Int](repeating: 1, count: 64)
    for _ in 0..<30 {
      let samples = line(3, using: &random)
      let divisors = (0..<64).map { _ in Int.random(in: 1...255, using: &random) }
      for kernels in Microkernels.available {
        let whole = coefficients(of: samples, count: 3, divisors: ones, by: kernels)
        let expected = whole.enumerated().map { index, value in
          let divisor = divisors[index % 64]
          return Int16((abs(Int(value)) + divisor / 2) / divisor * Int(value.signum()))
        }
        #expect(coefficients(of: samples, count: 3, divisors: divisors, by: kernels) == expected)
      }
    }
  }

  /// Blocks of two values, whose coefficients are the largest.
  @Test func largestCoefficientsAreLimited() {
    let ones = [Int](repeating: 1, count: 64)
    for u in 0..<8 {
      for v in 0..<8 {
        var samples = [UInt8](repeating: 0, count: 8 * 11)
        for y in 0..<8 {
          for x in 0..<8 {
            let sign =
              cos(Double((2 * x + 1) * u) * .pi / 16) * cos(Double((2 * y + 1) * v) * .pi / 16)
            samples[11 * y + x] = sign < 0 ? 255 : 0
          }
        }
        let expected = exact(samples, block: 0, count: 1)
        for kernels in Microkernels.available {
          let found = coefficients(of: samples, count: 1, divisors: ones, by: kernels)
          for (value, limited) in zip(expected, found) {
            #expect(abs(min(max(value, -1023), 1023) - Double(limited)) <= 1)
          }
        }
      }
    }
  }
}
