import Testing

@testable import MartletImage

@Suite struct BoxTests {
  struct Pair: Sendable {
    var a: Box
    var b: Box
    /// Intersection and union, counted by hand.
    var shared: Float
    var covered: Float
  }

  static let pairs = [
    Pair(
      a: Box(x: 0, y: 0, width: 4, height: 4), b: Box(x: 0, y: 0, width: 4, height: 4),
      shared: 16, covered: 16),
    Pair(
      a: Box(x: 0, y: 0, width: 4, height: 4), b: Box(x: 2, y: 1, width: 4, height: 4),
      shared: 6, covered: 26),
    Pair(
      a: Box(x: 0, y: 0, width: 10, height: 10), b: Box(x: 2, y: 3, width: 5, height: 2),
      shared: 10, covered: 100),
    Pair(
      a: Box(x: 0, y: 0, width: 4, height: 4), b: Box(x: 4, y: 0, width: 4, height: 4),
      shared: 0, covered: 32),
    Pair(
      a: Box(x: -3, y: -3, width: 4, height: 4), b: Box(x: 50, y: 9, width: 1, height: 1),
      shared: 0, covered: 17),
  ]

  @Test(arguments: pairs)
  func measuresOverlap(_ pair: Pair) {
    #expect(pair.a.intersection(pair.b).area == pair.shared)
    #expect(pair.a.intersectionOverUnion(with: pair.b) == pair.shared / pair.covered)
    #expect(
      pair.a.intersectionOverUnion(with: pair.b) == pair.b.intersectionOverUnion(with: pair.a))
  }

  @Test func emptyBoxesOverlapNothing() {
    let whole = Box(x: 0, y: 0, width: 4, height: 4)
    for empty in [
      Box(x: 1, y: 1, width: 0, height: 2), Box(x: 1, y: 1, width: -1, height: -1),
      Box(x: 1, y: 1, width: .nan, height: 2),
    ] {
      #expect(empty.isEmpty)
      #expect(empty.area == 0)
      #expect(whole.intersectionOverUnion(with: empty) == 0)
      #expect(empty.intersectionOverUnion(with: empty) == 0)
      #expect(whole.union(empty) == whole)
      #expect(empty.union(whole) == whole)
    }
  }

  @Test func overlapNeverPassesOne() {
    let box = Box(x: 0.1, y: 1e7, width: 0.3, height: 0.7)
    #expect(box.intersectionOverUnion(with: box) <= 1)
  }

  @Test func unionCoversBoth() {
    let a = Box(x: 1, y: 2, width: 3, height: 4)
    let b = Box(x: -1, y: 5, width: 2, height: 3)
    #expect(a.union(b) == Box(minX: -1, minY: 2, maxX: 4, maxY: 8))
  }

  @Test func clipsToTheImage() {
    let box = Box(x: -2, y: 3, width: 8, height: 9)
    #expect(box.clipped(toWidth: 5, height: 7) == Box(x: 0, y: 3, width: 5, height: 4))
    #expect(Box(x: 9, y: 9, width: 2, height: 2).clipped(toWidth: 5, height: 7).isEmpty)
  }

  @Test func clippedEdgesStayInside() {
    var state: UInt32 = 7
    func next(_ limit: Float) -> Float {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(state >> 8) / Float(1 << 24) * limit
    }
    for _ in 0..<20_000 {
      let side = next(5000).rounded(.up) + 1
      let box = Box(x: next(side), y: next(1) * next(side), width: next(side), height: next(9000))
      let part = box.clipped(toWidth: side, height: side)
      #expect(part.maxX <= side && part.maxY <= side)
    }
  }

  @Test func scalesMovesAndGrows() {
    let box = Box(x: 2, y: 4, width: 6, height: 8)
    #expect(box.scaled(2, 0.5) == Box(x: 4, y: 2, width: 12, height: 4))
    #expect(box.offset(x: -2, y: 1) == Box(x: 0, y: 5, width: 6, height: 8))
    #expect(box.expanded(by: 1.5) == Box(x: 0.5, y: 2, width: 9, height: 12))
    #expect(box.center == Point(x: 5, y: 8))
    #expect(Box(center: Point(x: 5, y: 8), width: 6, height: 8) == box)
  }

  @Test func containsItsTopLeftEdgesOnly() {
    let box = Box(x: 1, y: 1, width: 2, height: 2)
    #expect(box.contains(Point(x: 1, y: 1)))
    #expect(!box.contains(Point(x: 3, y: 2)))
    #expect(!box.contains(Point(x: 2, y: 3)))
  }
}
