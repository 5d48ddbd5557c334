import Testing

@testable import MartletTool

@Suite struct GoldenInputTests {
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

  @Test func aFourthChannelIsZero() throws {
    #expect(
      try GoldenInput.reduced([1, 2, 3, 4, 5, 6], by: "RGB + 4th channel byte 0")
        == [1, 2, 3, 0, 4, 5, 6, 0])
  }
}
