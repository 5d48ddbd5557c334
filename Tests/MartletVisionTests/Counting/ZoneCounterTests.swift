import MartletImage
import Testing

@testable import MartletVision

@Suite struct ZoneCounterTests {
  private static func object(_ x: Float, _ y: Float, _ identifier: Int? = 0) -> DetectedObject {
    DetectedObject(
      frame: Box(x: x - 5, y: y - 20, width: 10, height: 20), score: 1, trackingID: identifier)
  }

  /// The letter L: the square 0...100 without its upper right quarter.
  private var counter = ZoneCounter([
    Point(x: 0, y: 0), Point(x: 50, y: 0), Point(x: 50, y: 50), Point(x: 100, y: 50),
    Point(x: 100, y: 100), Point(x: 0, y: 100),
  ])

  @Test(
    arguments: [
      (25, 25, true), (25, 75, true), (75, 75, true), (75, 25, false), (-1, 50, false),
      (101, 75, false), (25, 101, false), (.nan, 25, false),
    ] as [(Float, Float, Bool)])
  mutating func returnsObjectsInside(_ x: Float, _ y: Float, _ isInside: Bool) {
    #expect(counter.update([Self.object(x, y)]).count == (isInside ? 1 : 0))
  }

  @Test(arguments: 0..<3)
  func fewerThanThreeCornersEncloseNothing(_ count: Int) {
    var counter = ZoneCounter(Array(self.counter.corners.prefix(count)))
    #expect(counter.update([Self.object(0, 0), Self.object(25, 0)]).isEmpty)
  }

  @Test mutating func countsWhatEntersAndLeaves() {
    for x in [-20, 20, 40, 120, 40] as [Float] { counter.update([Self.object(x, 75)]) }
    #expect((counter.entered, counter.left) == (2, 1))
  }

  @Test mutating func lostObjectHasNotLeft() {
    counter.update([Self.object(20, 75)])
    #expect(counter.update([]).isEmpty)
    counter.update([Self.object(40, 75)])
    #expect((counter.entered, counter.left) == (1, 0))
  }

  @Test mutating func objectsWithoutIdentifierAreInsideButNotCounted() {
    #expect(counter.update([Self.object(20, 75, nil)]).count == 1)
    #expect(counter.entered == 0)
  }
}
