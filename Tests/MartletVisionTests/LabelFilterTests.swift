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

  /// A banana of the category food, and an object without a label.
  @Test(arguments: [
    (LabelFilter.none, true, true), (.allow(["Food"]), true, false),
    (.allow(["food"]), true, false),
    (.allow(["Banana"]), true, false), (.allow(["Apple"]), false, false),
    (.allow(["unknown"]), false, true), (.deny(["Food"]), false, true),
    (.deny(["Banana"]), false, true), (.deny(["Apple", "unknown"]), true, false),
    (.allow([]), false, false),
  ])
  func objectIsReportedByItsLabels(_ filter: LabelFilter, banana: Bool, other: Bool) {
    func object(_ category: CoarseCategory, _ label: String?, _ names: [String]) -> DetectedObject {
      func labels(_ names: [String]) -> [ObjectLabel] {
        names.map { ObjectLabel(text: $0, index: 0, confidence: 0.5) }
      }
      return DetectedObject(
        frame: Box(x: 0, y: 0, width: 1, height: 1), score: 0.5, category: category,
        labels: labels(label.map { [$0] } ?? []), fineLabels: labels(names))
    }
    #expect(filter.permits(object(.food, "Food", ["Banana", "Apple"])) == banana)
    #expect(filter.permits(object(.unknown, nil, [])) == other)
  }

  @Test func wholeImageKeepsPermittedLabels() {
    func label(_ text: String) -> ObjectLabel { ObjectLabel(text: text, index: 0, confidence: 0.5) }
    let image = Classification(
      labels: [label("Food")], category: .food, fineLabels: [label("Apple"), label("Banana")])
    let allowed = LabelFilter.allow(["Banana"]).permitted(image)
    #expect(allowed.labels.isEmpty && allowed.fineLabels == [label("Banana")])
    let denied = LabelFilter.deny(["Apple"]).permitted(image)
    #expect(denied.labels == image.labels && denied.fineLabels == [label("Banana")])
  }

  @Test(arguments: [LabelFilter.allow(["cat", "bird"]), .deny(["bird"])])
  func unknownNameThrows(_ filter: LabelFilter) {
    #expect(throws: VisionError.unsuitable(.label("bird"))) {
      try filter.dropped(of: 3, called: LabelFilterTests.lists)
    }
  }
}
