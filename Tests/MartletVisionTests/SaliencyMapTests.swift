import Testing

@testable import MartletVision

@Suite struct SaliencyMapTests {
  /// A picture whose pixels are shares of it.
  let size = ImageSize(width: 1, height: 1)

  /// A map of 2 by 2 cells with two slots, all silent.
  func silentMap() -> (saliency: [Float], boxes: [Float]) {
    ([Float](repeating: -20, count: 8), [Float](repeating: 0, count: 32))
  }

  @Test func refusesArraysOfOtherSizes() {
    let (saliency, boxes) = silentMap()
    #expect(SaliencyMap(width: 2, height: 2, slots: 2, saliency: saliency, boxes: boxes) != nil)
    #expect(SaliencyMap(width: 2, height: 3, slots: 2, saliency: saliency, boxes: boxes) == nil)
    #expect(
      SaliencyMap(width: 2, height: 2, slots: 2, saliency: saliency, boxes: boxes + [0]) == nil)
    #expect(
      SaliencyMap(width: Int.max, height: 2, slots: 2, saliency: saliency, boxes: boxes) == nil)
  }

  @Test func silenceGivesNoObject() throws {
    let (saliency, boxes) = silentMap()
    let map = try #require(
      SaliencyMap(width: 2, height: 2, slots: 2, saliency: saliency, boxes: boxes))
    #expect(map.objects(in: size, leastScore: 0.1, limit: 10).isEmpty)
  }

  @Test func distancesReachFromTheCellsCentre() throws {
    var (saliency, boxes) = silentMap()
    // Cell (1, 0), slot 1: half a cell to the left and below, the edge of the picture elsewhere.
    saliency[(0 * 2 + 1) * 2 + 1] = 0
    boxes.replaceSubrange(12..<16, with: [-0.6931472, 3, 9, -0.6931472])
    let map = try #require(
      SaliencyMap(width: 2, height: 2, slots: 2, saliency: saliency, boxes: boxes))
    let objects = map.objects(in: size, leastScore: 0.5, limit: 10)
    #expect(objects.count == 1)
    #expect(objects[0].score == 0.5)
    let box = objects[0].frame
    let expected: [Float] = [0.5, 0, 1, 0.5]
    for (found, expected) in zip([box.x, box.y, box.maxX, box.maxY], expected) {
      #expect(abs(found - expected) < 1e-6)
    }
  }

  @Test func objectsComeByScoreAndTiesByIndex() throws {
    var (saliency, boxes) = silentMap()
    saliency = [1, 3, 3, -9, 2, 2, 0, 5]
    for index in 0..<8 { boxes[4 * index] = Float(index) * 0.01 }
    let map = try #require(
      SaliencyMap(width: 2, height: 2, slots: 2, saliency: saliency, boxes: boxes))
    let widths = map.objects(in: size, leastScore: 0, limit: 5).map(\.score)
    #expect(widths == widths.sorted(by: >))
    let best = map.objects(in: size, leastScore: 0, limit: 3)
    // Indices 7, 1, 2: cells (1, 1), (0, 0) and (1, 0).
    #expect(best.map { $0.frame.center.y > 0.5 } == [true, false, false])
    #expect(best.map { $0.frame.maxX > 0.75 } == [true, false, true])
  }

  @Test func boxesAreInPixelsOfThePicture() throws {
    let map = try #require(
      SaliencyMap(width: 1, height: 1, slots: 1, saliency: [0], boxes: [-4, 9, -4, 9]))
    let all = map.objects(in: ImageSize(width: 200, height: 100), leastScore: 0, limit: 1)
    let box = try #require(all.first).frame
    #expect(abs(box.center.x - 100) < 1e-3 && box.y == 0 && box.height == 100)
    #expect(abs(box.width - 400 * 0.018315639) < 1e-3)
  }

  @Test func levelsCompeteByScoreAndTheEarlierWinsTies() throws {
    func level(_ logits: [Float], reach: Float) throws -> SaliencyMap {
      try #require(
        SaliencyMap(
          width: logits.count, height: 1, slots: 1, saliency: logits,
          boxes: [Float](repeating: reach, count: 4 * logits.count)))
    }
    // A second level of one cell: its boxes are the whole picture.
    let levels = [try level([0, 2, -9], reach: -1), try level([2], reach: 0)]
    let objects = levels.objects(in: size, leastScore: 0.1, limit: 10)
    #expect(objects.map(\.score) == [objects[0].score, objects[0].score, 0.5])
    #expect(objects[0].frame.width < 0.5 && objects[1].frame.width == 1)
    #expect(levels.objects(in: size, leastScore: 0.1, limit: 1) == [objects[0]])
  }
}
