import MartletCommandLine
import Testing

@Suite struct NearestWordTests {
  @Test(arguments: [
    ("detct", "detect"), ("dtect", "detect"), ("detects", "detect"), ("clasify", "classify"),
    ("track", "track"), ("runn", "run"), ("fly", nil), ("x", nil), ("", nil), ("delete", nil),
  ])
  func suggestsAfterOneOrTwoTypos(_ word: String, _ meant: String?) {
    #expect(["detect", "track", "classify", "run"].nearest(to: word) == meant)
  }

  @Test func choosesFirstOfEquals() {
    #expect(["--mean", "--meat"].nearest(to: "--mea") == "--mean")
  }
}
