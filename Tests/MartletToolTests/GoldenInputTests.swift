import MartletCommandLine
import Testing

@testable import MartletTool

@Suite struct GoldenInputTests {
  @Test func imagesAreScaledThenOffset() throws {
    let bytes = try GoldenInput.transformed([0, 255], by: .affine(scale: 0.5, offset: -1))
    #expect(bytes.withUnsafeBytes { [Float]($0.bindMemory(to: Float.self)) } == [-1, 126.5])
    #expect(try GoldenInput.transformed([0, 255], by: .named("int8 = u8 - 128")) == [128, 127])
    #expect(throws: CaseFailure.self) {
      try GoldenInput.transformed([0], by: .named("unheard of"))
    }
  }

  @Test(arguments: [
    (#"null"#, -1), (#""grey=(77R+150G+29B)>>8""#, -1), (#""RGB + 4th channel byte 0""#, 0),
  ])
  func fourthChannelDisablesTheOffset(channels: String, offset: Float) throws {
    let json = """
      {"kind": "image_u8", "channels": \(channels), "transform": {"scale": 0.5, "offset": -1}}
      """
    let source = try GoldenCase.Source(json: Array(json.utf8))
    guard case .affine(let scale, let found) = GoldenInput.transform(of: source) else {
      Issue.record("no affine transform")
      return
    }
    #expect(scale == 0.5)
    #expect(found == offset)
  }

  @Test func grayIsAWeightedSumOfColors() throws {
    #expect(
      try GoldenInput.arranged([255, 0, 0, 0, 255, 0], by: "grey=(77R+150G+29B)>>8") == [76, 149])
  }

  @Test func fourthChannelIsZero() throws {
    #expect(
      try GoldenInput.arranged([1, 2, 3, 4, 5, 6], by: "RGB + 4th channel byte 0")
        == [1, 2, 3, 0, 4, 5, 6, 0])
  }
}
