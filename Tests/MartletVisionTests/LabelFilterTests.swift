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

  /// An object of the category food, and one without a label.
  @Test(arguments: [
    (LabelFilter.none, true, true), (.allow(["Food"]), true, false),
    (.allow(["food"]), true, false),
    (.allow(["unknown"]), false, true), (.deny(["Food"]), false, true),
    (.deny(["Apple", "unknown"]), true, false), (.allow([]), false, false),
  ])
  func objectIsReportedByItsLabels(_ filter: LabelFilter, food: Bool, other: Bool) {
    func object(_ category: CoarseCategory, _ label: String?) -> DetectedObject {
      DetectedObject(
        frame: Box(x: 0, y: 0, width: 1, height: 1), score: 0.5, category: category,
        labels: label.map { [ObjectLabel(text: $0, index: 0, confidence: 0.5)] } ?? [])
    }
    #expect(filter.permits(object(.food, "Food"), nil) == food)
    #expect(filter.permits(object(.unknown, nil), nil) == other)
  }

  private static func labels(_ names: [String], of labeler: FineLabeler) throws -> [ObjectLabel] {
    try names.map {
      let index = try #require(labeler.names.firstIndex(of: $0))
      return ObjectLabel(text: $0, index: index, confidence: 0.5)
    }
  }

  /// A banana, and a fruit that is most likely an apple.
  @Test(
    arguments: [
      (.none, true, true), (.allow(["Food"]), true, true), (.allow(["Banana"]), true, false),
      (.allow(["Apple"]), false, true), (.allow(["Fruit"]), true, true),
      (.deny(["Banana"]), false, true), (.deny(["Apple"]), true, false),
      (.deny(["Fruit"]), false, false), (.deny(["Dog"]), true, true),
    ] as [(LabelFilter, Bool, Bool)])
  func objectIsReportedByItsBestNameAndHypernym(
    _ filter: LabelFilter, banana: Bool, fruit: Bool
  ) throws {
    let labeler = try FineLabeler()
    let permitted = try [["Banana", "Apple"], ["Fruit", "Apple", "Banana"]].map { names in
      let object = DetectedObject(
        frame: Box(x: 0, y: 0, width: 1, height: 1), score: 0.5, category: .food,
        labels: [ObjectLabel(text: "Food", index: 2, confidence: 0.5)],
        fineLabels: try Self.labels(names, of: labeler))
      return filter.permits(object, labeler)
    }
    #expect(permitted == [banana, fruit])
  }

  @Test(
    arguments: [
      (.allow(["Banana"]), [], ["Banana"]), (.allow(["Fruit"]), [], ["Apple", "Banana"]),
      (.deny(["Apple"]), ["Food"], ["Banana", "Dog"]), (.deny(["Fruit"]), ["Food"], ["Dog"]),
    ] as [(LabelFilter, [String], [String])])
  func wholeImageKeepsPermittedLabels(
    _ filter: LabelFilter, _ labels: [String], _ names: [String]
  ) throws {
    let labeler = try FineLabeler()
    let image = Classification(
      labels: [ObjectLabel(text: "Food", index: 2, confidence: 0.5)], category: .food,
      fineLabels: try Self.labels(["Apple", "Banana", "Dog"], of: labeler))
    let permitted = filter.permitted(image, labeler)
    #expect(permitted.labels.map { $0.text } == labels)
    #expect(permitted.fineLabels?.map { $0.text } == names)
  }

  @Test(arguments: [LabelFilter.allow(["cat", "bird"]), .deny(["bird"])])
  func unknownNameThrows(_ filter: LabelFilter) {
    #expect(throws: VisionError.unsuitable(.label("bird"))) {
      try filter.dropped(of: 3, called: LabelFilterTests.lists)
    }
  }
}
