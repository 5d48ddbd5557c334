import Testing

@testable import MartletImage

@Suite struct CoarseCategoryTests {
  @Test(
    arguments: [
      ([0.1, 0.2, 0.7, 0, 0, 0], 0.5, CoarseCategory.food),
      ([0.1, 0.2, 0.4, 0.1, 0.1, 0.1], 0.5, .unknown),
      ([0, 0, 0, 0, 0.2, 0.8], 0.5, .unknown),
      ([0.5, 0.5, 0, 0, 0, 0], 0.5, .fashion),
      ([0, 0, 0, 0, 0.6], 0.6, .plants),
      ([], 0, .unknown),
    ] as [([Float], Float, CoarseCategory)])
  func isBestClassAboveTheThreshold(
    _ scores: [Float], _ threshold: Float, _ expected: CoarseCategory
  ) {
    #expect(CoarseCategory(scores: scores, threshold: threshold) == expected)
  }
}
