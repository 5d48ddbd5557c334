import Testing

@testable import MartletVision

@Suite struct AssignmentTests {
  @Test(
    arguments: [
      ([(0.9, 0, 0), (0.8, 0, 1), (0.7, 1, 0), (0.1, 1, 1)], [[0, 0], [1, 1]]),
      ([(0.7, 0, 0), (0.9, 1, 0)], [[1, 0]]),
      ([(0.5, 1, 0), (0.5, 0, 0)], [[0, 0]]),
      ([(0.5, 0, 1), (0.5, 0, 0)], [[0, 0]]),
      ([], []),
    ] as [([(Float, Int, Int)], [[Int]])])
  func bestPairsAreTakenFirst(_ pairs: [(Float, Int, Int)], _ expected: [[Int]]) {
    var assignment = Assignment()
    for pair in pairs { assignment.add(track: pair.1, detection: pair.2, rating: pair.0) }
    #expect(assignment.matches.map { [$0.track, $0.detection] } == expected)
  }
}
