import MartletTestSupport
import Testing

@testable import MartletCodecs
@testable import MartletVision

/// Which of several objects of a still image are reported if no minimum score is set.
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

  @Test func doubtfulBoxesAreDropped() {
    #expect(scores([object(cup, score: 0.25), object(plate, score: 0.24)]) == [0.25])
    #expect(scores([]).isEmpty)
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

  @Test func rulesApplyToSeveralObjectsWithoutMinimumScore() throws {
    let path = Fixtures.folder("Scenes").appending(path: "bakery.jpg")
    let image = try ImageFile(decoding: Fixtures.bytes(of: path)).upright
    let all = try ObjectFinder(minimumObjectScore: 0.03, lock: .none)
    let usual = try ObjectFinder(lock: .none)
    let boxes = try all.objects(in: image, limit: 20)
    #expect(boxes.contains { $0.score < ReportingRules.minimumScore })
    let kept = ReportingRules().reported(of: boxes.sorted { $0.score > $1.score }, in: image.size)
    let reported = try usual.objects(in: image, limit: 20)
    #expect(!reported.isEmpty && Set(reported.map(\.score)) == Set(kept.map(\.score)))
    // One object is the most salient one, at any score.
    #expect(try usual.objects(in: image, limit: 1) == all.objects(in: image, limit: 1))
  }
}
