import MartletImage
import Testing

@testable import MartletVision

@Suite struct FaceCandidateTests {
  /// A 10 x 10 box at `x`. Two of them at distance d overlap by (10 - d) / (10 + d).
  private func candidate(_ score: Float, _ x: Float) -> FaceCandidate {
    var places = SIMD16<Float>(repeating: x)
    (places[0], places[1], places[2], places[3]) = (x, 0, x + 10, 10)
    return FaceCandidate(score: score, places: places)
  }

  @Test func sortsFacesByDecreasingScore() {
    let all = [candidate(0.5, 0), candidate(0.9, 20), candidate(0.7, 40), candidate(0.9, 60)]
    // Of two equal scores the earlier one comes first.
    #expect(all.faces().map(\.frame.x) == [20, 60, 40, 0])
  }

  @Test func mergesOverlappingCandidatesByWeightedMean() {
    let all = [candidate(0.8, 100), candidate(0.4, 101), candidate(0.4, 104), candidate(0.3, 120)]
    let faces = all.merged(FaceMergeParameters())
    #expect(faces.map(\.score) == [0.8, 0.3])
    // The candidate at 104 overlaps by 0.43: it is dropped, but does not count in the mean.
    let mean: Float = 100 + 0.4 / 1.2
    #expect((faces[0].places[0] - mean).magnitude < 1e-4)
    #expect((faces[0].places[15] - mean).magnitude < 1e-4)
    #expect((faces[1].places[0] - 120).magnitude < 1e-4)
  }

  /// A 4 x 4 box whose left edge is at `x`, and a 10 x 10 box at 0.
  @Test(arguments: [(0, 1), (6, 1), (7, 1), (7.5, 2), (12, 2)] as [(Float, Int)])
  func dropsFaceMostlyInsideABetterOne(_ x: Float, _ count: Int) {
    var places = SIMD16<Float>(repeating: x)
    (places[0], places[1], places[2], places[3]) = (x, 3, x + 4, 7)
    let small = FaceCandidate(score: 0.6, places: places)
    #expect([candidate(0.8, 0), small].faces().count == count)
    // With the scores swapped both are kept.
    #expect([candidate(0.5, 0), small].faces().count == 2)
  }

  /// The only known face is at 0. A candidate shifted by 4 overlaps it by 0.43, one shifted by 30 does not.
  @Test func faintFaceIsFoundWhereOneIsKnown() throws {
    let known = try #require([candidate(0.5, 0)].faces().first)
    func found(_ candidates: [FaceCandidate]) -> [[Float]] {
      candidates.faces(from: 0.4, tracking: [known]).map { [$0.frame.x, $0.score] }
    }
    #expect(found([candidate(0.1, 4), candidate(0.1, 30)]) == [[4, 0.5]])
    #expect(found([candidate(0.45, 4), candidate(0.7, 30)]) == [[30, 0.7], [4, 0.5]])
    #expect(found([candidate(0.8, 4), candidate(0.1, 0)]) == [[4, 0.8]])
    #expect([candidate(0.1, 4)].faces(from: 0.4, tracking: []).isEmpty)
  }

  @Test func considersOnlyTheBestCandidates() {
    let all = [candidate(0.5, 0), candidate(0.6, 20), candidate(0.7, 40)]
    var parameters = FaceMergeParameters()
    parameters.candidates = 2
    #expect(all.faces(parameters).map(\.score) == [0.7, 0.6])
  }

  /// A face shifted by 4 overlaps by 0.43, one shifted by 30 does not. Scores of the rotated image are
  /// halved.
  @Test func faceThatScoresMoreInTheRotatedImageTakesItsPoints() throws {
    let face = try #require([candidate(0.5, 0)].faces().first)
    func oriented(_ others: [FaceCandidate]) -> DetectedFace {
      face.oriented(by: others.faces(), weight: 0.5)
    }
    let turned = oriented([candidate(0.45, 4), candidate(0.3, 30)])
    #expect(turned.frame.x == 4 && turned.keyPoints.leftEye.x == 4 && turned.score == 0.5)
    #expect(oriented([candidate(0.25, 4)]) == face)
    #expect(oriented([candidate(0.45, 30)]) == face)
    #expect(oriented([]) == face)
  }
}
