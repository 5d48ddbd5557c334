import Testing

@testable import MartletVision

@Suite struct NonMaximumSuppressionTests {
  func object(_ x: Float, _ width: Float, score: Float) -> DetectedObject {
    DetectedObject(frame: Box(x: x, y: 0, width: width, height: 1), score: score)
  }

  @Test func dropsBoxesThatOverlapBetterOnes() {
    // Boxes of height one: the overlap of [0, 4] and [1, 5] is 3/5.
    let all = [object(0, 4, score: 0.9), object(1, 4, score: 0.8), object(6, 2, score: 0.7)]
    #expect(all.suppressingOverlaps(of: 0.6, limit: 9).map(\.score) == [0.9, 0.7])
    #expect(all.suppressingOverlaps(of: 0.61, limit: 9).map(\.score) == [0.9, 0.8, 0.7])
  }

  @Test func droppedBoxesSuppressNothing() {
    // The second box overlaps the first; the third overlaps only the second.
    let all = [object(0, 4, score: 0.9), object(1, 4, score: 0.8), object(3, 4, score: 0.7)]
    #expect(all.suppressingOverlaps(of: 0.3, limit: 9).map(\.score) == [0.9, 0.7])
  }

  @Test func stopsAtTheLimit() {
    let all = (0..<10).map { object(Float($0) * 2, 1, score: 1) }
    #expect(all.suppressingOverlaps(of: 0.5, limit: 3).map(\.frame.x) == [0, 2, 4])
  }
}
