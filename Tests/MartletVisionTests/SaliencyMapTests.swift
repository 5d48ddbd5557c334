import Testing

@testable import MartletVision

@Suite struct SaliencyMapTests {
  /// A unit image, so that boxes are fractions of it.
  let size = ImageSize(width: 1, height: 1)

  /// A map of cells with these object logits, equal distances to all box edges, and low prominence.
  func map(
    _ width: Int, _ height: Int, _ logits: [Float], reach: Float = 0
  ) throws -> SaliencyMap {
    try #require(
      SaliencyMap(
        width: width, height: height, logits: logits.flatMap { [$0, -20] },
        boxes: [Float](repeating: reach, count: 4 * logits.count)))
  }

  @Test(arguments: [
    (width: 2, height: 2, logits: 8, boxes: 16, isMap: true), (2, 3, 8, 16, false),
    (2, 2, 9, 16, false), (2, 2, 8, 17, false), (2, 2, 4, 16, false), (0, 2, 0, 0, false),
    (-2, -2, 8, 16, false), (Int.max, 2, 8, 16, false),
  ])
  func refusesArraysOfOtherSizes(
    _ c: (width: Int, height: Int, logits: Int, boxes: Int, isMap: Bool)
  ) {
    let map = SaliencyMap(
      width: c.width, height: c.height, logits: [Float](repeating: 0, count: c.logits),
      boxes: [Float](repeating: 0, count: c.boxes))
    #expect((map != nil) == c.isMap)
  }

  @Test func lowLogitsYieldNoObject() throws {
    let map = try map(2, 2, [-20, -20, -20, -20])
    #expect(map.objects(in: size, minimumScore: 0.1, limit: 10).isEmpty)
  }

  @Test func distancesStartAtTheCellCenter() throws {
    // Cell (1, 0): half a cell to the left and below; the other edges are clipped to the image.
    var logits = [Float](repeating: -20, count: 8)
    logits.replaceSubrange(2..<4, with: [0, 1.0986123])
    var boxes = [Float](repeating: 0, count: 16)
    boxes.replaceSubrange(4..<8, with: [-0.6931472, 3, 9, -0.6931472])
    let map = try #require(SaliencyMap(width: 2, height: 2, logits: logits, boxes: boxes))
    let objects = map.objects(in: size, minimumScore: 0.5, limit: 10)
    #expect(objects.map(\.score) == [0.5])
    #expect(abs(try #require(objects[0].prominence) - 0.75) < 1e-6)
    let box = objects[0].frame
    let expected: [Float] = [0.5, 0, 1, 0.5]
    for (found, expected) in zip([box.x, box.y, box.maxX, box.maxY], expected) {
      #expect(abs(found - expected) < 1e-6)
    }
  }

  @Test func sortsObjectsByScoreThenIndex() throws {
    let map = try map(3, 2, [1, 3, -9, 3, 0, 5], reach: -1)
    let scores = map.objects(in: size, minimumScore: 0, limit: 5).map(\.score)
    #expect(scores.count == 5 && scores == scores.sorted(by: >))
    let best = map.objects(in: size, minimumScore: 0, limit: 3)
    // The best cells are (2, 1), (1, 0) and (0, 1).
    #expect(best.map { $0.frame.center.y > 0.5 } == [true, false, true])
    #expect(best.map { $0.frame.center.x > 0.4 } == [true, true, false])
  }

  @Test func boxesAreInPixelsOfTheImage() throws {
    let map = try #require(
      SaliencyMap(width: 1, height: 1, logits: [0, 0], boxes: [-4, 9, -4, 9]))
    let all = map.objects(in: ImageSize(width: 200, height: 100), minimumScore: 0, limit: 1)
    let box = try #require(all.first).frame
    #expect(abs(box.center.x - 100) < 1e-3 && box.y == 0 && box.height == 100)
    #expect(abs(box.width - 400 * 0.018315639) < 1e-3)
  }

  @Test func mergesLevelsByScoreAndEarlierWinsTies() throws {
    // The second level has one cell, whose box is the whole image.
    let levels = [try map(3, 1, [0, 2, -9], reach: -1), try map(1, 1, [2])]
    let objects = levels.objects(in: size, minimumScore: 0.1, limit: 10)
    #expect(objects.map(\.score) == [objects[0].score, objects[0].score, 0.5])
    #expect(objects[0].frame.width < 0.5 && objects[1].frame.width == 1)
    #expect(levels.objects(in: size, minimumScore: 0.1, limit: 1) == [objects[0]])
  }
}
