import Testing

@testable import MartletVision

/// Boxes around several objects.
@Suite struct GroupTests {
  private func object(_ x: Float, _ width: Float, score: Float) -> DetectedObject {
    DetectedObject(frame: Box(x: x, y: 0, width: width, height: 20), score: score)
  }

  @Test(
    arguments: [
      (8, 0.45, [0.5, 0.45, 0.4]),  // 12 + 8 of 60 are a third
      (7, 0.45, [0.8, 0.5, 0.45]),  // too small together
      (8, 0.39, [0.8, 0.5, 0.39]),  // not half as sure
    ] as [(Float, Float, [Float])])
  func boxAroundSureAndLargeOnesHasHalfTheScore(width: Float, score: Float, scores: [Float]) {
    let objects = [
      object(0, 60, score: 0.8), object(0, 12, score: 0.5), object(20, width, score: score),
    ]
    #expect(objects.halvingScoresOfGroups().map(\.score) == scores)
  }

  /// Of the second, nine tenths are in the first.
  @Test(arguments: [(51, [0.6, 0.6, 0.4]), (51.1, [0.8, 0.6, 0.6])] as [(Float, [Float])])
  func objectsLieInTheGroup(x: Float, scores: [Float]) {
    let objects = [object(0, 60, score: 0.8), object(0, 20, score: 0.6), object(x, 10, score: 0.6)]
    #expect(objects.halvingScoresOfGroups().map(\.score) == scores)
  }

  @Test func oneObjectIsNoGroup() {
    let objects = [object(0, 60, score: 0.8), object(0, 50, score: 0.7)]
    #expect(objects.halvingScoresOfGroups() == objects)
  }

  @Test func probabilityOfTheMostProminentObjectIsHalvedToo() {
    var group = object(0, 60, score: 0.8)
    group.prominence = 0.5
    let halved = [group, object(0, 20, score: 0.6), object(30, 20, score: 0.6)]
      .halvingScoresOfGroups()
    #expect(halved.map(\.prominence) == [nil, nil, 0.25])
  }

  @Test func groupUnderTheMinimumScoreIsDropped() {
    let objects = [
      object(0, 60, score: 0.05), object(0, 20, score: 0.04), object(30, 20, score: 0.04),
    ]
    let size = ImageSize(width: 60, height: 20)
    func scores(from least: Float) -> [Float] {
      DetectionParameters().selected(objects, in: size, limit: 5, least: least).map(\.score)
        .sorted(by: >)
    }
    #expect(scores(from: 0.03) == [0.04, 0.04])
    #expect(scores(from: 0.025) == [0.04, 0.04, 0.025])
  }

  /// The members decide about a group even if they are not reported themselves.
  @Test(
    arguments: [
      (0, [0.35, 0.35, 0.3]), (0.3, [0.35, 0.35, 0.3]), (0.31, [0.35, 0.35]), (0.35, [0.35, 0.35]),
      (0.36, []), (0.6, []),
    ] as [(Float, [Float])])
  func higherMinimumScoreDoesNotRestoreAGroup(_ least: Float, _ expected: [Float]) {
    let objects = [
      object(0, 60, score: 0.6), object(0, 20, score: 0.35), object(30, 20, score: 0.35),
    ]
    let selected = DetectionParameters().selected(
      objects, in: ImageSize(width: 60, height: 20), limit: 5, least: least)
    #expect(selected.map(\.score).sorted(by: >) == expected)
  }

  /// Boxes below 0.03 make no group, so that a lower minimum score adds boxes only.
  @Test func boxesBelowTheDetectorsOwnMinimumScoreAreNoMembers() {
    let objects = [
      object(0, 60, score: 0.05), object(0, 20, score: 0.029), object(30, 20, score: 0.029),
    ]
    let selected = DetectionParameters().selected(
      objects, in: ImageSize(width: 60, height: 20), limit: 5, least: 0)
    #expect(selected.map(\.score).sorted(by: >) == [0.05, 0.029, 0.029])
  }
}
