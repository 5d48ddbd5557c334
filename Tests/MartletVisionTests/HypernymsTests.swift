import Testing

@testable import MartletVision

@Suite struct HypernymsTests {
  static let hypernyms = Hypernyms(
    ["Fruit", "Fruit", "Bird", "Bird", "Bird", ""],
    of: ["Apple", "Pear", "Bird", "Duck", "Goose", "Maze"])

  @Test func labelsAreNamesThenOtherHypernyms() {
    let hypernyms = HypernymsTests.hypernyms
    #expect(hypernyms.labels == ["Apple", "Pear", "Bird", "Duck", "Goose", "Maze", "Fruit"])
    #expect((-1...7).map(hypernyms.hypernym) == [nil, 6, 6, 2, 2, 2, nil, nil, nil])
  }

  @Test(
    arguments: [
      ([0.5, 0.25, 0, 0, 0, 0.9], 6, 0.75), ([0.5, 0.5, 0, 0, 0, 0], 6, 1),
      ([1, 1, 0, 0, 0, 0], 6, 1), ([0, 0, 0.25, 0.25, 0.25, 0], 2, 0.75),
      // Against the next hypernym.
      ([0.25, 0.5, 0.25, 0, 0, 0], 6, 0.5625), ([0.5, 0.5, 1, 1, 1, 0], 2, 0.75),
      ([0.5, 0, 0.5, 0, 0, 0], 2, 0.25), ([0, 0, 0, 0, 0, 0], 0, 0), ([], 0, 0),
    ] as [([Float], Int, Float)])
  func bestHasTheLargestSum(_ probabilities: [Float], _ index: Int, _ confidence: Float) {
    let best = HypernymsTests.hypernyms.best(probabilities)
    #expect(best.index == index && best.confidence == confidence)
  }
}
