import Testing

@testable import MartletVision

@Suite struct TopScoresTests {
  private func top(_ count: Int, of scores: [Float]) -> [Int] {
    var best = TopScores(count: count)
    for (index, score) in scores.enumerated() { best.add(score, of: index) }
    return best.sorted.map { $0.index }
  }

  @Test func tiesGoToTheLowerIndex() {
    #expect(top(3, of: [0.5, 0.75, 0.5, 0.75, 0.5]) == [1, 3, 0])
  }

  @Test(arguments: [0, 1, 10, 200, 1000, 2000])
  func equalsSortingAll(count: Int) {
    let scores = (0..<1000).map { Float($0 * 7919 % 251) }
    let sorted = scores.indices.sorted { (scores[$1], $0) < (scores[$0], $1) }
    #expect(top(count, of: scores) == Array(sorted.prefix(count)))
  }

  @Test func includesScoresOfMinusInfinity() {
    #expect(top(2, of: [-.infinity, 0, -.infinity]) == [1, 0])
  }
}
