import Testing

@testable import MartletVision

@Suite struct LabelFilterTests {
  static let lists = [["cat", "dog", "cow"], ["Katze", "Hund"]]

  @Test(
    arguments: [
      (LabelFilter.deny([]), [Int]()), (.allow(["cat"]), [1, 2]), (.deny(["cat"]), [0]),
      (.allow(["Hund", "cow"]), [0]), (.deny(["Hund", "dog"]), [1]), (.allow([]), [0, 1, 2]),
    ] as [(LabelFilter, [Int])])
  func filterMatchesAnyNameOfALabel(_ filter: LabelFilter, _ dropped: [Int]) throws {
    #expect(try filter.dropped(of: 3, called: LabelFilterTests.lists).sorted() == dropped)
  }

  @Test(arguments: [LabelFilter.allow(["cat", "bird"]), .deny(["bird"])])
  func unknownNameThrows(_ filter: LabelFilter) {
    #expect(throws: VisionError.unsuitable(.label("bird"))) {
      try filter.dropped(of: 3, called: LabelFilterTests.lists)
    }
  }
}
