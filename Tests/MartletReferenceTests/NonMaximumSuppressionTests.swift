import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct NonMaximumSuppressionTests {
  private func select(
    _ boxes: [Float], _ scores: [Float], _ rule: SuppressionRule, limit: Int
  ) -> (indices: [Int32], scores: [Float]) {
    var count = 0
    var selectedScores = [Float](repeating: -1, count: limit)
    let indices = filled(limit, with: Int32(-1)) { selected in
      withBuffer(boxes) { boxes in
        withBuffer(scores) { scores in
          withBuffer([Int32](repeating: 0, count: 2 * scores.count)) { places in
            withBuffer([Float](repeating: 0, count: scores.count)) { waiting in
              selectedScores.withUnsafeMutableBufferPointer { selectedScores in
                count = Reference.suppress(
                  boxes, scores: scores, rule,
                  SuppressionScratch(
                    heap: UnsafeMutableBufferPointer(rebasing: places[..<scores.count]),
                    scores: waiting,
                    begins: UnsafeMutableBufferPointer(rebasing: places[scores.count...])),
                  selected: selected, selectedScores: selectedScores)
              }
            }
          }
        }
      }
    }
    return (Array(indices.prefix(count)), Array(selectedScores.prefix(count)))
  }

  /// The second box overlaps the first by a third; the third overlaps neither.
  private let boxes: [Float] = [0, 0, 2, 2, 0, 1, 2, 3, 9, 9, 10, 10]

  @Test func dropsBoxesThatOverlapByTheThreshold() {
    let rule = SuppressionRule(overlap: 1 / 3, score: 0)
    #expect(select(boxes, [0.9, 0.8, 0.7], rule, limit: 3).indices == [0, 2])
  }

  @Test func keepsBoxesThatOverlapLess() {
    let rule = SuppressionRule(overlap: 0.34, score: 0)
    #expect(select(boxes, [0.9, 0.8, 0.7], rule, limit: 3).indices == [0, 1, 2])
    #expect(select(boxes, [0.9, 0.8, 0.7], rule, limit: 2).indices == [0, 1])
  }

  @Test func scoresMustPassTheThreshold() {
    let rule = SuppressionRule(overlap: 1, score: 0.7)
    #expect(select(boxes, [0.9, 0.8, 0.7], rule, limit: 3).indices == [0, 1])
  }

  @Test func softSuppressionLowersScores() {
    let rule = SuppressionRule(overlap: 1, score: 0, sigma: 0.5)
    let found = select(boxes, [0.9, 0.8, 0.75], rule, limit: 3)
    #expect(found.indices == [0, 2, 1])
    // exp(-(1/3)² / (2 · 0.5)) = 0.894839...
    #expect(abs(found.scores[2] - 0.8 * 0.8948393) < 1e-6)
    #expect(found.scores[..<2] == [0.9, 0.75])
  }

  @Test func acceptsCornersInAnyOrder() {
    let rule = SuppressionRule(overlap: 0.9, score: 0)
    let twice: [Float] = [0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0]
    #expect(select(twice, [0.1, 0.3, 0.2], rule, limit: 3).indices == [1])
  }

  @Test func keepsBoxesWithoutArea() {
    let rule = SuppressionRule(overlap: 0.5, score: 0)
    #expect(
      select([Float](repeating: 1, count: 8), [0.1, 0.2], rule, limit: 2).indices == [1, 1])
  }

  @Test func tiesHaveTheOrderOfLiteRT() {
    // Indices from LiteRT 2.3.0 for twelve separate boxes.
    let apart = (0..<12).flatMap { box -> [Float] in [Float(box) * 10, 0, Float(box) * 10 + 5, 5] }
    let rule = SuppressionRule(overlap: 0.5, score: -1)
    #expect(
      select(apart, [Float](repeating: 0.5, count: 12), rule, limit: 12).indices
        == [0, 2, 6, 11, 10, 9, 8, 7, 5, 4, 3, 1])
    #expect(
      select(apart, (0..<12).map { $0 % 2 == 0 ? 0.5 : 0.7 }, rule, limit: 12).indices
        == [1, 5, 11, 3, 9, 7, 6, 2, 10, 0, 4, 8])
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity])
  func terminatesForInvalidNumbers(_ number: Float) {
    let rule = SuppressionRule(overlap: number, score: -1, sigma: number)
    #expect(
      select([1, number, 3, 4, number, 0, 0, 1], [number, 1], rule, limit: 2).indices.count < 3)
  }
}
