import MartletImage
import Testing

@testable import MartletVision

@Suite struct LineCounterTests {
  /// A line from the left to the right edge at y = 100.
  private var counter = LineCounter(from: Point(x: 0, y: 100), to: Point(x: 200, y: 100))

  private static func object(_ x: Float, _ y: Float, _ identifier: Int? = 0) -> DetectedObject {
    DetectedObject(
      frame: Box(x: x - 5, y: y - 20, width: 10, height: 20), score: 1, trackingID: identifier)
  }

  @Test(
    arguments: [
      ("down, across the line", [(50, 90), (50, 110)], 1, 0),
      ("up, across the line", [(50, 110), (50, 90)], 0, 1),
      ("there and back", [(50, 90), (50, 110), (50, 90)], 1, 1),
      ("over the line", [(50, 90), (50, 100), (50, 100), (50, 110)], 1, 0),
      ("to the line and back", [(50, 90), (50, 100), (50, 90)], 0, 0),
      ("from the line on", [(50, 100), (50, 110)], 0, 0),
      ("beside the end of the line", [(220, 90), (220, 110)], 0, 0),
      ("aslant past the end", [(190, 90), (230, 120)], 0, 0),
      ("on one side", [(50, 10), (150, 90)], 0, 0),
      ("nowhere", [(50, 90), (.nan, .nan), (50, 110)], 1, 0),
    ] as [(String, [(Float, Float)], Int, Int)])
  mutating func countsCrossings(
    _ name: String, _ way: [(Float, Float)], _ right: Int, _ left: Int
  ) {
    for (x, y) in way { counter.update([Self.object(x, y)]) }
    #expect((counter.toTheRight, counter.toTheLeft) == (right, left), "\(name)")
  }

  @Test mutating func returnsCrossingsOfTheFrame() {
    counter.update([Self.object(20, 90, 0), Self.object(80, 120, 1), Self.object(140, 90, 2)])
    let crossings = counter.update([
      Self.object(20, 110, 0), Self.object(80, 80, 1), Self.object(140, 95, 2),
    ])
    #expect(crossings.map(\.object.trackingID) == [0, 1])
    #expect(crossings.map(\.isToTheRight) == [true, false])
  }

  @Test mutating func objectsWithoutIdentifierDoNotCross() {
    counter.update([Self.object(50, 90, nil)])
    #expect(counter.update([Self.object(50, 110, nil)]).isEmpty)
  }

  @Test(arguments: [(299, 1), (300, 0)])
  mutating func lostObjectCrossesUntilItIsForgotten(_ frames: Int, _ count: Int) {
    counter.update([Self.object(50, 90)])
    for _ in 0..<frames { counter.update([]) }
    #expect(counter.update([Self.object(50, 110)]).count == count)
  }

  @Test(arguments: [(BoxAnchor.bottom, 1), (.center, 0)])
  mutating func anchorDecides(_ anchor: BoxAnchor, _ count: Int) {
    counter = LineCounter(from: counter.start, to: counter.end, anchor: anchor)
    counter.update([Self.object(50, 95)])
    #expect(counter.update([Self.object(50, 105)]).count == count)
  }
}
