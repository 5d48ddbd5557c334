import Testing

@testable import MartletTool

@Suite struct GoldenInputTests {
  /// The published first outputs of SplitMix64 for the seed 1234567.
  @Test func followsTheSequenceOfItsAuthors() {
    var generator = SplitMix64(seed: 1_234_567)
    let first = (0..<5).map { _ in generator.next() }
    #expect(
      first == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test func picturesAreScaledAndThenShifted() throws {
    let bytes = try GoldenInput.transformed([0, 255], by: .affine(scale: 0.5, offset: -1))
    #expect(bytes.withUnsafeBytes { [Float]($0.bindMemory(to: Float.self)) } == [-1, 126.5])
    #expect(try GoldenInput.transformed([0, 255], by: .named("int8 = u8 - 128")) == [128, 127])
    #expect(throws: CaseFailure.self) {
      try GoldenInput.transformed([0], by: .named("unheard of"))
    }
  }

  @Test func greyWeighsTheColours() throws {
    #expect(
      try GoldenInput.reduced([255, 0, 0, 0, 255, 0], by: "grey=(77R+150G+29B)>>8") == [76, 149])
  }
}
