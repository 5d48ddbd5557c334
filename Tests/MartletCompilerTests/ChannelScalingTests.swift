//===--- ChannelScalingTests.swift ----------------------------------------===//

import MartletBase
import Testing

@testable import MartletCompiler

@Suite struct ChannelScalingTests {
  private func scaling(
    _ weights: [Int32], bias: Int32, weight: Float, zero: Int32 = 128
  ) -> ChannelScaling {
    ChannelScaling(
      weights, bias: bias, x: (1, 0), weight: weight, y: (1, zero, 0...255), isSingle: false)
  }

  /// A removed channel: its bias has 31 bits, its weights change the result by less than a step.
  @Test func removedChannelBecomesConstant() {
    let removed = scaling([127, -127], bias: 2_000_000_000, weight: 0x1p-26)
    #expect(removed.isConstant)
    // 2,000,000,000 / 2^26 is 29.8.
    #expect(removed.factor(removed.bias) == 30)
    #expect(removed.fitsDSP)
  }

  @Test func saturatedChannelBecomesConstant() {
    let saturated = scaling([1], bias: 1000, weight: 1)
    #expect(saturated.isConstant)
    #expect(saturated.factor(saturated.bias) == 127)
  }

  @Test func channelWithTwoResultsStays() {
    // 255 · 0.002 rounds to 1, 0 to 0.
    let channel = scaling([1], bias: 0, weight: 0.002)
    #expect(!channel.isConstant)
    #expect(channel.bias == 0)
  }

  @Test func sumOf32BitsFitsNoKernel() {
    let wide = scaling([127], bias: Int32.max - 1000, weight: 0x1p-31 * 127)
    #expect(!wide.isConstant)
    #expect(!wide.fitsDSP)
  }

  /// An output's scale of 1.4e-45 asks for a factor of 2^30, with which results wrap around.
  @Test func enormousFactorFitsNoKernel() {
    let enormous = ChannelScaling(
      [1, -1], bias: 0, x: (0.5, 0), weight: 0.5, y: (.leastNonzeroMagnitude, 0, 0...255),
      isSingle: false)
    #expect(!enormous.isConstant)
    #expect(!enormous.fitsPortable)
    #expect(scaling([1, -1], bias: 0, weight: 64).fitsPortable)
  }
}
