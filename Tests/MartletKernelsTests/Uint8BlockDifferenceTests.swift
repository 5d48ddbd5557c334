import MartletLevels
import MartletTestSupport
import Testing

@testable import MartletKernelsBase

@Suite struct Uint8BlockDifferenceTests {
  /// Blocks of noise and of minimum and maximum levels, in rows that continue after them.
  @Test(arguments: [16, 17, 40])
  func allInstructionSetsSumAsDefined(stride: Int) {
    var random = SplitMix64(seed: UInt64(stride))
    for extremes in [false, true] {
      var levels: [UInt8] = random.integers(32 * stride)
      if extremes { levels = levels.map { $0 < 128 ? 0 : 255 } }
      let half = 16 * stride
      let expected = (0..<256).reduce(0) { sum, index in
        let place = index / 16 * stride + index % 16
        return sum + abs(Int(levels[place]) - Int(levels[half + place]))
      }
      buffer(&levels) { levels in
        guard let base = levels.baseAddress else { return }
        for kernels in Microkernels.available {
          #expect(kernels.uint8BlockDifference(base, base + half, stride) == expected)
        }
        #expect(plainBlockDifference(base, base + half, stride: stride) == expected)
      }
    }
  }

  @Test func largestDifferenceIsExact() {
    var levels = [UInt8](repeating: 0, count: 256) + [UInt8](repeating: 255, count: 256)
    buffer(&levels) { levels in
      guard let base = levels.baseAddress else { return }
      for kernels in Microkernels.available {
        #expect(kernels.uint8BlockDifference(base, base + 256, 16) == 255 * 256)
      }
      #expect(plainBlockDifference(base, base + 256, stride: 16) == 255 * 256)
    }
  }
}
