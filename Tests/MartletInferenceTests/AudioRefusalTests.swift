import MartletTestSupport
import Testing

@testable import MartletBase
@testable import MartletInference
@testable import MartletModel
@testable import MartletOperators

/// Invalid nodes that the audio operators must refuse.
@Suite struct AudioRefusalTests {
  private func refused(_ name: String, _ value: Int) -> InferenceError {
    .option(node: 0, name: name, value: value)
  }

  private func spectrogram(
    _ options: [String: FlexValue], _ x: [Int] = [100, 1]
  ) -> InferenceError? {
    refusal(.audioSpectrogram, [Given(shape: x)], custom: flexBuffer(options))
  }

  @Test func refusesInvalidFrames() {
    #expect(spectrogram(["window_size": .int(10), "stride": .int(5)]) == nil)
    #expect(spectrogram(["window_size": .int(1 << 20), "stride": .int(5)]) == nil)
    for size in [1, 0, -4, Int(Int32.max), .max, .min] {
      #expect(
        spectrogram(["window_size": .int(size), "stride": .int(5)])
          == refused("window_size", size))
    }
    for stride in [0, -1, Int.min, .max] {
      #expect(
        spectrogram(["window_size": .int(10), "stride": .int(stride)])
          == refused("stride", stride))
    }
    #expect(spectrogram([:]) == refused("window_size", 0))
    #expect(
      spectrogram(["window_size": .int(10), "stride": .int(5)], [100])
        == .rank(node: 0, operand: .input(0), found: 1, expected: 2...2))
    #expect(refusal(.audioSpectrogram, [Given(shape: [4, 1])], custom: [1]) == .options(node: 0))
  }

  @Test func boundsTheTablesOfAWindow() {
    let size = 1 << 29
    let options: [String: FlexValue] = ["window_size": .int(size), "stride": .int(1)]
    #expect(
      spectrogram(options)
        == .tooLarge(
          node: 0, bytes: 16 * size,
          limit: ModelLimits.packed(fileSize: flexBuffer(options).count)))
  }

  private static let valid: [String: FlexValue] = [
    "lower_frequency_limit": .int(20), "upper_frequency_limit": .int(4000),
    "filterbank_channel_count": .int(40), "dct_coefficient_count": .int(13),
  ]

  private func mfcc(
    _ changes: [String: FlexValue] = [:], _ x: [Int] = [1, 2, 65], rate: Int32 = 8000
  ) -> InferenceError? {
    let options = AudioRefusalTests.valid.merging(changes) { $1 }
    return refusal(.mfcc, [Given(shape: x), integers(rate)], custom: flexBuffer(options))
  }

  @Test func refusesInvalidFilterBanks() {
    #expect(mfcc() == nil)
    #expect(mfcc(["dct_coefficient_count": .int(41)]) == refused("dct_coefficient_count", 41))
    #expect(mfcc(["dct_coefficient_count": .int(0)]) == refused("dct_coefficient_count", 0))
    for count in [0, -1, Int.max, .min] {
      #expect(
        mfcc(["filterbank_channel_count": .int(count)])
          == refused("filterbank_channel_count", count))
    }
    #expect(
      mfcc(["lower_frequency_limit": .int(-1)]) == refused("lower_frequency_limit", -1))
    #expect(
      mfcc(["upper_frequency_limit": .int(20)]) == refused("upper_frequency_limit", 20))
    #expect(mfcc(rate: 0) == refused("sample rate", 0))
    #expect(mfcc(rate: .min) == refused("sample rate", Int(Int32.min)))
    #expect(mfcc(["dct_coefficient_count": .ints([1])]) == .options(node: 0))
    let cosines = mfcc([
      "filterbank_channel_count": .int(1 << 20), "dct_coefficient_count": .int(1 << 20),
    ])
    guard case .tooLarge = cosines else {
      Issue.record("a large table of cosines was accepted")
      return
    }
  }

  @Test func refusesOtherSpectra() {
    #expect(
      mfcc([:], [1, 2, 1])
        == .extent(node: 0, operand: .input(0), axis: 2, found: 1, expected: 2))
    #expect(
      mfcc([:], [1, 0, 65])
        == .extent(node: 0, operand: .input(0), axis: 1, found: 0, expected: 1))
    #expect(
      mfcc([:], [2, 65]) == .rank(node: 0, operand: .input(0), found: 2, expected: 3...3))
  }
}
