import Testing

@testable import MartletTool

/// Cases whose numbers follow from the definition. `.ci/check/exports` compares random ones with
/// pycocotools.
@Suite struct BoxEvaluationTests {
  private func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> SIMD4<Double> {
    SIMD4(x, y, width, height)
  }

  private func truth(_ frame: SIMD4<Double>, isCrowd: Bool = false) -> TrueBox {
    TrueBox(frame: frame, area: frame[2] * frame[3], isCrowd: isCrowd)
  }

  private func quality(_ images: ImageBoxes...) -> Quality { BoxEvaluation([images]).classes[0] }

  private func isClose(_ number: Double?, _ expected: Double) -> Bool {
    number.map { abs($0 - expected) < 1e-9 } ?? false
  }

  private var square: SIMD4<Double> { box(0, 0, 10, 10) }
  private var far: SIMD4<Double> { box(500, 500, 10, 10) }

  @Test func equalBoxesArePerfect() {
    let perfect = quality(
      ImageBoxes(truth: [truth(square)], found: [FoundBox(frame: square, score: 0.75)]))
    #expect(isClose(perfect.averagePrecision, 1) && isClose(perfect.averageRecall, 1))
    #expect(perfect.best?.f1 == 1 && perfect.best?.score == 0.75)
    // The box is small, so that there is nothing to find of other sizes.
    #expect(isClose(perfect.averagePrecisions[0], 1))
    #expect(perfect.averagePrecisions[1...] == [nil, nil])
  }

  /// An intersection over union of 0.62 is enough for three thresholds of ten.
  @Test func looseBoxesCountAtLowThresholds() {
    let loose = quality(
      ImageBoxes(
        truth: [truth(square)], found: [FoundBox(frame: box(0, 0, 10, 6.2), score: 0.5)]))
    #expect(isClose(loose.averagePrecision, 0.3) && isClose(loose.averagePrecision50, 1))
    #expect(isClose(loose.averageRecall, 0.3))
  }

  /// Precision 1 up to a recall of 0.5, then 2/3.
  @Test func precisionIsInterpolatedAtRecalls() {
    let result = quality(
      ImageBoxes(
        truth: [truth(square), truth(far)],
        found: [
          FoundBox(frame: square, score: 0.9), FoundBox(frame: box(200, 0, 9, 9), score: 0.8),
          FoundBox(frame: far, score: 0.7),
        ]))
    #expect(isClose(result.averagePrecision, (51 + 50 * 2.0 / 3) / 101))
    #expect(isClose(result.best?.f1, 0.8) && result.best?.score == 0.7)
    #expect(isClose(result.best?.precision, 2.0 / 3) && result.best?.recall == 1)
  }

  @Test func secondBoxOfAnObjectIsFalse() {
    let result = quality(
      ImageBoxes(
        truth: [truth(square)],
        found: [FoundBox(frame: square, score: 0.9), FoundBox(frame: square, score: 0.9)]))
    #expect(isClose(result.averagePrecision, 1))
    // Both have the same score, so that none of them can be left out.
    #expect(isClose(result.best?.f1, 2.0 / 3))
  }

  @Test func boxesInCrowdsDoNotCount() {
    let crowd = truth(box(0, 0, 100, 100), isCrowd: true)
    let inside = (0..<3).map { FoundBox(frame: box(Double($0), 5, 10, 10), score: 0.9) }
    let result = quality(
      ImageBoxes(
        truth: [crowd, truth(far)], found: inside + [FoundBox(frame: far, score: 0.5)]))
    #expect(isClose(result.averagePrecision, 1) && result.count == 1)
    let nothing = quality(ImageBoxes(truth: [crowd], found: inside))
    #expect(nothing.averagePrecision == nil && nothing.best == nil && nothing.count == 0)
  }

  @Test func equalScoresKeepTheOrderOfImages() {
    let wrong = ImageBoxes(truth: [], found: [FoundBox(frame: far, score: 0.5)])
    let right = ImageBoxes(truth: [truth(square)], found: [FoundBox(frame: square, score: 0.5)])
    #expect(isClose(quality(wrong, right).averagePrecision, 0.5))
    #expect(isClose(quality(right, wrong).averagePrecision, 1))
  }

  @Test func atMostHundredBoxesOfAnImageCount() {
    let wrong = (0..<100).map { FoundBox(frame: box(0, Double(300 + $0), 5, 5), score: 0.9) }
    let last = FoundBox(frame: square, score: 0.1)
    let image = ImageBoxes(truth: [truth(square)], found: wrong + [last])
    #expect(quality(image).averageRecall == 0 && quality(image).best?.f1 == 0)
    let fewer = ImageBoxes(truth: [truth(square)], found: Array(wrong.dropFirst()) + [last])
    #expect(isClose(quality(fewer).averageRecall, 1))
  }

  /// A perfect class, one without boxes, and one without annotations, which does not count.
  @Test func classesHaveEqualWeight() {
    let found = [FoundBox(frame: square, score: 0.9)]
    let evaluation = BoxEvaluation([
      [ImageBoxes(truth: [truth(square)], found: found)], [ImageBoxes(truth: [truth(square)])],
      [ImageBoxes(found: found)],
    ])
    #expect(isClose(evaluation.all.averagePrecision, 0.5))
    #expect(isClose(evaluation.all.best?.f1, 2.0 / 3))
    #expect(evaluation.all.count == 2 && evaluation.classes[2].averagePrecision == nil)
  }

  @Test func nothingAtAllHasNoQuality() {
    #expect(BoxEvaluation([]).all.averagePrecision == nil)
    #expect(BoxEvaluation([[]]).all.best == nil)
  }
}
