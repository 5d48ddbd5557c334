import MartletTestSupport
import Testing

@testable import MartletCodecs
@testable import MartletVision

/// Which of several objects of a still image are reported.
@Suite struct ReportingRulesTests {
  private let size = ImageSize(width: 100, height: 100)
  private let cup = Box(x: 0, y: 0, width: 20, height: 20)
  private let plate = Box(x: 40, y: 40, width: 40, height: 40)

  private func object(_ frame: Box, score: Float) -> DetectedObject {
    DetectedObject(frame: frame, score: score)
  }

  private func scores(_ objects: [DetectedObject]) -> [Float] {
    ReportingRules().reported(of: objects, in: size).map(\.score)
  }

  @Test func separateBoxesAreKept() {
    #expect(scores([object(cup, score: 0.25), object(plate, score: 0.01)]) == [0.25, 0.01])
    #expect(scores([]).isEmpty)
  }

  /// A cup, its handle and the whole scene; the minimum score comes before the rules.
  @Test(
    arguments: [
      (0, [0.8, 0.24]), (0.24, [0.8, 0.24]), (0.25, [0.8]), (0.8, [0.8]), (0.81, []),
    ] as [(Float, [Float])])
  func rulesHoldAtEveryMinimumScore(_ least: Float, _ expected: [Float]) {
    let objects = [
      object(cup, score: 0.8), object(Box(x: 5, y: 5, width: 10, height: 10), score: 0.7),
      object(Box(x: 0, y: 0, width: 100, height: 100), score: 0.49), object(plate, score: 0.24),
    ]
    let selected = DetectionParameters().selected(
      objects, in: size, limit: 10, least: least, rules: ReportingRules())
    #expect(selected.map(\.score).sorted(by: >) == expected)
  }

  /// The cup holds nine tenths of the handle's area.
  @Test func partsOfBetterBoxesAreDropped() {
    let handle = Box(x: 11, y: 0, width: 10, height: 10)
    let beside = Box(x: 11.1, y: 0, width: 10, height: 10)
    #expect(scores([object(cup, score: 0.8), object(handle, score: 0.7)]) == [0.8])
    #expect(scores([object(cup, score: 0.8), object(beside, score: 0.7)]) == [0.8, 0.7])
    #expect(scores([object(handle, score: 0.8), object(cup, score: 0.7)]) == [0.8, 0.7])
  }

  @Test func sceneIsReportedIfItIsSure() {
    let scene = Box(x: 0, y: 25, width: 100, height: 75)
    let smaller = Box(x: 0, y: 25, width: 100, height: 74.9)
    #expect(scores([object(scene, score: 0.5)]) == [0.5])
    #expect(scores([object(scene, score: 0.49)]).isEmpty)
    #expect(scores([object(smaller, score: 0.49)]) == [0.49])
    // A scene that is dropped hides nothing.
    #expect(scores([object(scene, score: 0.49), object(plate, score: 0.4)]) == [0.4])
  }

  /// Scores of the Python decoder. Without the rules there is 0.21 too, a part of the object of 0.90.
  @Test(
    arguments: [
      (nil, [0.903, 0.537, 0.556]), (0.25, [0.903, 0.537, 0.556]), (0.54, [0.903, 0.556]),
      (0.03, [0.903, 0.537, 0.556, 0.090]), (0.95, []),
    ] as [(Float?, [Float])])
  func rulesApplyToSeveralObjects(_ minimum: Float?, _ expected: [Float]) throws {
    let path = Fixtures.folder("Scenes").appending(path: "bakery.jpg")
    let image = try ImageFile(decoding: Fixtures.bytes(of: path)).upright
    let finder = try ObjectFinder(.init(limit: 5, minimumScore: minimum), lock: .none)
    let found = try finder.objects(in: image).map(\.score)
    try #require(found.count == expected.count)
    for (score, exact) in zip(found, expected) { #expect(abs(score - exact) < 1e-3) }
    // One object is the most salient one, at any score.
    let single = try ObjectFinder(.init(minimumScore: minimum), lock: .none).objects(in: image).map(
      \.score)
    #expect(single == Array(found.prefix(1)))
  }
}
