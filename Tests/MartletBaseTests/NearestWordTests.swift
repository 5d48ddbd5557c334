import MartletBase
import Testing

@Suite struct NearestWordTests {
  @Test(arguments: [
    ("detct", "detect"), ("dtect", "detect"), ("detects", "detect"), ("clasify", "classify"),
    ("track", "track"), ("runn", "run"), ("fly", nil), ("x", nil), ("", nil), ("delete", nil),
  ])
  func findsWordsWithUpToTwoErrors(_ word: String, _ expected: String?) {
    #expect(["detect", "track", "classify", "run"].nearest(to: word) == expected)
  }

  @Test func returnsTheFirstOfEquallyNearWords() {
    #expect(["--mean", "--meat"].nearest(to: "--mea") == "--mean")
  }
}
