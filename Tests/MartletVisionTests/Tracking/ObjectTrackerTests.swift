import MartletImage
import Testing

@testable import MartletVision

/// Frames of colored boxes on gray, with detections that the tests choose.
@Suite struct ObjectTrackerTests {
  private static let size = ImageSize(width: 320, height: 240)
  private static let red = RGBImage.Color(red: 220, green: 20, blue: 30)
  private static let blue = RGBImage.Color(red: 20, green: 40, blue: 220)
  private static let home = Box(x: 60, y: 60, width: 40, height: 40)

  private static func detection(_ box: Box, _ score: Float = 0.6) -> DetectedObject {
    var object = DetectedObject(frame: box, score: score)
    object.prominence = score
    return object
  }

  /// A frame with boxes of these colors.
  private static func frame(
    _ items: [(box: Box, color: RGBImage.Color)] = [(home, red)]
  ) throws -> RGBImage {
    var image = try RGBImage(
      width: size.width, height: size.height, filledWith: .init(red: 128, green: 128, blue: 128))
    for item in items {
      guard let area = PixelRectangle(covering: item.box, in: size) else { continue }
      for y in area.y..<area.y + area.height {
        for x in area.x..<area.x + area.width { image[x, y] = item.color }
      }
    }
    return image
  }

  /// A tracker of the localizer's boxes.
  private static func tracker(limit: Int = 5, minimumScore: Float? = nil) -> ObjectTracker {
    ObjectTracker(.init(), limit: limit, minimumScore: minimumScore, hasParts: true)
  }

  private var tracker = Self.tracker()

  /// Passes the next frame to the tracker; every detection is a red box unless `image` is given.
  @discardableResult
  private mutating func next(
    _ detections: [DetectedObject], candidates: [DetectedObject] = [], image: RGBImage? = nil,
    look: ObjectTracker.Look = { _ in [] }
  ) throws -> [DetectedObject] {
    let image = try image ?? Self.frame(detections.map { ($0.frame, Self.red) })
    var frame = FrameDetections(
      detections, candidates: candidates, reader: AppearanceReader(image, features: nil))
    try tracker.update(&frame, look: look)
    return tracker.visible
  }

  // MARK: - Start

  @Test(arguments: [(0.3, true), (0.29, false)] as [(Float, Bool)])
  mutating func sufficientScoreStartsObjectAtOnce(_ score: Float, _ starts: Bool) throws {
    #expect(try next([Self.detection(Self.home, score)]).map(\.trackingID) == (starts ? [0] : []))
  }

  @Test mutating func weakDetectionsStartObjectIfTheyRepeat() throws {
    let weak = Self.detection(Self.home, 0.2)
    #expect(try next([weak]).isEmpty)
    #expect(try next([weak]).isEmpty)
    #expect(try next([weak]).map(\.trackingID) == [0])
  }

  @Test mutating func interruptedWeakDetectionsStartNothing() throws {
    let weak = Self.detection(Self.home, 0.2)
    for _ in 0..<4 {
      try next([weak])
      try next([])
      #expect(try next([]).isEmpty)
    }
  }

  @Test(arguments: [(0.9, 1), (0.2, 2)] as [(Float, Int)])
  mutating func partOfDetectionStartsNothingUnlessItScoresMuchHigher(
    _ whole: Float, _ expected: Int
  ) throws {
    let part = Box(x: 62, y: 62, width: 30, height: 30)
    let found = [Self.detection(part, 0.8), Self.detection(Self.home, whole)]
    for _ in 0..<3 { try next(found) }
    #expect(tracker.visible.contains { $0.frame == part } == (expected == 2))
  }

  @Test(arguments: [(0.3, 1), (0.4, 2)] as [(Float, Int)])
  mutating func boxInsideObjectStartsUnlessItScoresMuchLower(_ score: Float, _ count: Int) throws {
    let whole = Box(x: 20, y: 20, width: 180, height: 180)
    try next([Self.detection(whole, 0.8)])
    let image = try Self.frame([(whole, Self.red), (Self.home, Self.blue)])
    let found = [Self.detection(whole, 0.8), Self.detection(Self.home, score)]
    for _ in 0..<5 { try next(found, image: image) }
    #expect(tracker.visible.count == count)
  }

  @Test(arguments: [true, false])
  mutating func partOrGroupOfObjectStartsAfterFiveDetections(_ isPart: Bool) throws {
    let whole = Box(x: 20, y: 20, width: 180, height: 180)
    let boxes = isPart ? [whole, Self.home] : [Self.home, whole]
    let image = try Self.frame([(whole, Self.red), (Self.home, Self.blue)])
    try next([Self.detection(boxes[0])], image: image)
    for count in 1...5 {
      try next(boxes.map { Self.detection($0) }, image: image)
      #expect(tracker.visible.count == (count < 5 ? 1 : 2))
    }
  }

  @Test(arguments: [(0.8, []), (0.9, [0])] as [(Float, [Int?])])
  mutating func wholeFrameStartsOnlyWithHighScore(_ score: Float, _ expected: [Int?]) throws {
    let scene = Box(x: 5, y: 5, width: 310, height: 230)
    #expect(try next([Self.detection(scene, score)]).map(\.trackingID) == expected)
  }

  // MARK: - Association

  @Test mutating func movingObjectKeepsIdentifier() throws {
    for step in 0..<12 {
      let box = Self.home.offset(x: Float(step * step), y: 0)
      #expect(try next([Self.detection(box)]).map(\.trackingID) == [0], "step \(step)")
    }
  }

  @Test mutating func weakDetectionContinuesObject() throws {
    try next([Self.detection(Self.home, 0.6)])
    let objects = try next([Self.detection(Self.home.offset(x: 4, y: 0), 0.15)])
    #expect(objects.map(\.trackingID) == [0])
    #expect(abs(objects[0].score - (0.6 + 0.15) / 2) < 1e-5)
  }

  @Test mutating func muchWeakerDetectionDoesNotContinueObject() throws {
    try next([Self.detection(Self.home, 0.9)])
    #expect(try next([Self.detection(Self.home, 0.15)]).isEmpty)
  }

  @Test mutating func detectionOfOtherAppearanceDoesNotContinueObject() throws {
    try next([Self.detection(Self.home)])
    let image = try Self.frame([(Self.home, Self.blue)])
    #expect(!(try next([Self.detection(Self.home)], image: image)).contains { $0.trackingID == 0 })
  }

  @Test mutating func crossingObjectsKeepIdentifiers() throws {
    func boxes(_ step: Int) -> [(box: Box, color: RGBImage.Color)] {
      let (left, right) = (Float(20 + 10 * step), Float(200 - 10 * step))
      return [
        (Box(x: left, y: 80, width: 40, height: 40), Self.red),
        (Box(x: right, y: 90, width: 40, height: 40), Self.blue),
      ]
    }
    for step in 0..<18 {
      let items = boxes(step)
      // Near the crossing the detector sees the front one only.
      let isHidden = (7...10).contains(step)
      let found = isHidden ? [Self.detection(items[1].box)] : items.map { Self.detection($0.box) }
      try next(found, image: try Self.frame(items))
    }
    let items = boxes(17)
    for object in tracker.visible {
      let index = object.trackingID ?? -1
      #expect(object.frame.intersectionOverUnion(with: items[index].box) > 0.6)
    }
    #expect(Set(tracker.visible.compactMap(\.trackingID)) == [0, 1])
  }

  @Test mutating func suppressedBoxContinuesObject() throws {
    let other = Box(x: 80, y: 66, width: 70, height: 70)
    let image = try Self.frame([(other, Self.blue), (Self.home, Self.red)])
    let both = [Self.detection(Self.home), Self.detection(other, 0.8)]
    try next(both, image: image)
    #expect(tracker.visible.count == 2)
    try next([both[1]], candidates: both, image: image)
    #expect(tracker.visible.count == 2)
    try next([both[1]], candidates: [both[1]], image: image)
    #expect(tracker.visible.count == 1)
  }

  @Test mutating func suppressedBoxesThatAgreeAreAveraged() throws {
    let wide = Box(x: 60, y: 60, width: 44, height: 40)
    let objects = try next(
      [Self.detection(Self.home)], candidates: [Self.detection(Self.home), Self.detection(wide)])
    let width = objects[0].frame.width
    #expect(width > 41 && width < 43)
  }

  // MARK: - Closer looks

  @Test mutating func closerLookContinuesSmallObject() throws {
    try next([Self.detection(Self.home)])
    var crops: [Box] = []
    let found = Self.detection(Self.home.offset(x: 3, y: 0), 0.4)
    let objects = try next([], image: try Self.frame()) { crop in
      crops.append(crop)
      return [found]
    }
    #expect(objects.map(\.trackingID) == [0])
    // A square of 2.5 times the longer side around the box.
    #expect(crops == [Box(x: 30, y: 30, width: 100, height: 100)])
  }

  @Test mutating func largeOrDetectedObjectsGetNoCloserLook() throws {
    let large = Box(x: 10, y: 10, width: 160, height: 160)
    let small = Box(x: 220, y: 20, width: 40, height: 40)
    let image = try Self.frame([(large, Self.red), (small, Self.blue)])
    try next([Self.detection(large), Self.detection(small)], image: image)
    var count = 0
    try next([Self.detection(small)], image: image) { _ in
      count += 1
      return []
    }
    #expect(count == 0)
  }

  @Test mutating func closerLooksAreLimitedAndTakeTurns() throws {
    let boxes = (0..<4).map { Box(x: Float(20 + 75 * $0), y: 60, width: 40, height: 40) }
    let image = try Self.frame(boxes.map { ($0, Self.red) })
    try next(boxes.map { Self.detection($0) }, image: image)
    var looked: [Float] = []
    for _ in 0..<2 {
      try next([], image: image) { crop in
        looked.append(crop.center.x)
        return []
      }
    }
    #expect(looked.count == 4 && Set(looked).count == 4)
  }

  // MARK: - Loss

  @Test(arguments: [(30, true), (31, false)])
  mutating func lostTrackIsHiddenThenRecoveredOrDropped(
    _ frames: Int, _ isRecovered: Bool
  ) throws {
    try next([Self.detection(Self.home)])
    for _ in 0..<frames { #expect(try next([]).isEmpty) }
    let objects = try next([Self.detection(Self.home)])
    #expect(objects.map(\.trackingID) == [isRecovered ? 0 : 1])
  }

  @Test(arguments: [(ObjectTrackerTests.red, 0), (ObjectTrackerTests.blue, 1)])
  mutating func returningObjectIsRecognizedByItsAppearance(
    _ color: RGBImage.Color, _ identifier: Int
  ) throws {
    try next([Self.detection(Self.home)])
    for _ in 0..<4 { try next([]) }
    let box = Self.home.offset(x: 45, y: 10)
    let objects = try next([Self.detection(box)], image: try Self.frame([(box, color)]))
    #expect(objects.map(\.trackingID) == [identifier])
  }

  @Test(arguments: [(ObjectTrackerTests.red, 0), (ObjectTrackerTests.blue, 1)])
  mutating func lostObjectContinuesAtWhatStartedWeakly(
    _ color: RGBImage.Color, _ identifier: Int
  ) throws {
    try next([Self.detection(Self.home, 0.9)])
    try next([])
    let box = Self.home.offset(x: 42, y: 0)
    let image = try Self.frame([(box, color)])
    // Too weak to be the lost object.
    #expect(try next([Self.detection(box, 0.1)], image: image).isEmpty)
    #expect(
      try next([Self.detection(box, 0.6)], image: image).map(\.trackingID) == [identifier])
    #expect(tracker.tracks.filter { $0.missCount == 0 }.count == 1)
  }

  @Test mutating func objectOutOfReachIsAnotherOne() throws {
    try next([Self.detection(Self.home)])
    for _ in 0..<4 { try next([]) }
    #expect(
      try next([Self.detection(Self.home.offset(x: 150, y: 0))]).map(\.trackingID) == [1])
  }

  @Test mutating func objectThatLeftTheFrameReturnsWithNewIdentifier() throws {
    for step in 0..<6 {
      let box = Box(x: Float(40 - 12 * step), y: 60, width: 40, height: 40)
      try next([Self.detection(box)])
    }
    try next([])
    try next([])
    #expect(try next([Self.detection(Self.home)]).map(\.trackingID) == [1])
  }

  @Test mutating func scoreFallsWhileObjectIsLost() throws {
    try next([Self.detection(Self.home, 0.6)])
    for _ in 0..<5 { try next([]) }
    let score = try next([Self.detection(Self.home, 0.6)])[0].score
    #expect(score < 0.5)
  }

  @Test mutating func duplicatesAreMergedIntoTheOlderObject() throws {
    let other = Self.home.offset(x: 60, y: 0)
    try next([Self.detection(Self.home), Self.detection(other)])
    for step in 1..<5 {
      let nearer = other.offset(x: Float(-12 * step), y: 0)
      try next([Self.detection(Self.home), Self.detection(nearer)])
    }
    #expect(tracker.visible.map(\.trackingID) == [0])
    #expect(tracker.identifiers == [0])
  }

  @Test(arguments: [(ObjectTrackerTests.red, 1), (ObjectTrackerTests.blue, 2)])
  mutating func objectsThatOverlapALittleAreMergedIfTheyLookSimilar(
    _ color: RGBImage.Color, _ count: Int
  ) throws {
    for x in [60, 45, 30, 20, 20, 20] as [Float] {
      let other = Self.home.offset(x: x, y: 0)
      try next(
        [Self.detection(Self.home), Self.detection(other)],
        image: try Self.frame([(other, color), (Self.home, Self.red)]))
    }
    #expect(tracker.identifiers.count == count)
  }

  @Test mutating func duplicateWithMuchMoreSupportStays() throws {
    let other = Self.home.offset(x: 60, y: 0)
    try next([Self.detection(Self.home, 0.3)])
    for step in 0..<6 {
      let nearer = other.offset(x: Float(-10 * step), y: 0)
      try next([Self.detection(Self.home, 0.3), Self.detection(nearer, 0.9)])
    }
    #expect(tracker.identifiers == [1])
  }

  @Test mutating func scoreIsMeanOfFirstDetectionsThenOfTheLatest() throws {
    for score in [0.3, 0.6, 0.9] as [Float] { try next([Self.detection(Self.home, score)]) }
    #expect(abs(tracker.visible[0].score - 0.6) < 1e-5)
    for _ in 0..<20 { try next([Self.detection(Self.home, 0.9)]) }
    #expect(tracker.visible[0].score > 0.88)
  }

  // MARK: - Boxes

  @Test mutating func boxMovesMostOfTheWayToTheDetection() throws {
    try next([Self.detection(Self.home)])
    let box = try next([Self.detection(Self.home.offset(x: 10, y: 0))])[0].frame
    #expect(abs(box.x - (Self.home.x + 8)) < 1e-3)
  }

  @Test mutating func jitterOfStillObjectIsDamped() throws {
    var places: [Float] = []
    for step in 0..<40 {
      let box = Self.home.offset(x: step % 2 == 0 ? -1 : 1, y: 0)
      places.append(try next([Self.detection(box)])[0].frame.x)
    }
    let last = places.suffix(20)
    #expect((last.max() ?? 0) - (last.min() ?? 0) < 1.5)
  }

  @Test mutating func withoutDetectorObjectsMoveOnAndStayInSight() throws {
    for step in 0..<4 { try next([Self.detection(Self.home.offset(x: Float(8 * step), y: 0))]) }
    let before = tracker.visible[0].frame.x
    for _ in 0..<3 { tracker.carry(in: Self.size) }
    #expect(tracker.visible.map(\.trackingID) == [0])
    #expect(tracker.visible[0].frame.x > before + 12)
  }

  // MARK: - Report

  @Test mutating func reportsNoMoreObjectsThanAllowed() throws {
    tracker = Self.tracker(limit: 2)
    let found = (0..<4).map { index in
      let box = Box(x: Float(20 + 75 * index), y: 60, width: 40, height: 40)
      return Self.detection(box, 0.5 + 0.1 * Float(index))
    }
    #expect(try next(found).map(\.trackingID) == [3, 2])
  }

  @Test(arguments: [(0.3, 2), (0.15, 1)] as [(Float, Int)])
  mutating func weakObjectBesideStrongOneIsNotReported(_ score: Float, _ count: Int) throws {
    let other = Self.home.offset(x: 100, y: 0)
    for step in 0..<12 {
      try next([Self.detection(Self.home, 0.9), Self.detection(other, step == 0 ? 0.3 : score)])
    }
    #expect(tracker.visible.count == count)
  }

  @Test mutating func singleObjectStaysUntilItIsOutOfSight() throws {
    tracker = Self.tracker(limit: 1)
    let other = Self.home.offset(x: 100, y: 0)
    try next([Self.detection(Self.home, 0.4)])
    for _ in 0..<5 {
      let objects = try next([Self.detection(other, 0.9), Self.detection(Self.home, 0.4)])
      #expect(objects.map(\.trackingID) == [0])
    }
    #expect(try next([Self.detection(other, 0.9)]).map(\.trackingID) == [1])
  }

  @Test mutating func resetDoesNotReuseIdentifiers() throws {
    try next([Self.detection(Self.home)])
    tracker.reset()
    #expect(try next([Self.detection(Self.home)]).map(\.trackingID) == [1])
  }

  @Test mutating func flickeringDetectionsDoNotAccumulate() throws {
    var most = 0
    for step in 0..<600 {
      let x = Float((step * 97) % 270)
      let y = Float((step * 61) % 190)
      try next([Self.detection(Box(x: x, y: y, width: 30, height: 30), 0.5)])
      most = max(most, tracker.tracks.count)
    }
    #expect(most <= 31)
  }

  // MARK: - Minimum score

  /// Scores are means of the detections: 0.9, then of 0.9 and 0.2, and so on. The object is tracked below
  /// the minimum score, and is the same one when its score rises again.
  @Test mutating func objectBelowTheMinimumScoreIsTrackedWithoutBeingReported() throws {
    tracker = Self.tracker(limit: 5, minimumScore: 0.6)
    #expect(try next([Self.detection(Self.home, 0.9)]).map(\.trackingID) == [0])
    for _ in 0..<2 {
      #expect(try next([Self.detection(Self.home, 0.2)]).isEmpty)
      #expect(tracker.identifiers == [0] && tracker.tracks.allSatisfy { $0.missCount == 0 })
    }
    var reported: [DetectedObject] = []
    for _ in 0..<12 where reported.isEmpty {
      reported = try next([Self.detection(Self.home, 0.95)])
    }
    #expect(reported.map(\.trackingID) == [0])
    #expect(reported.allSatisfy { $0.score >= 0.6 })
  }

  /// An object of 0.2 beside one of 0.9 is reported if the minimum score is 0; by default only from half
  /// of the best score, or 0.25.
  @Test(
    arguments: [(nil, [0.9]), (0, [0.9, 0.2]), (0.2, [0.9, 0.2]), (0.21, [0.9]), (0.91, [])]
      as [(Float?, [Float])])
  mutating func minimumScoreReplacesTheOwnOne(_ minimum: Float?, _ expected: [Float]) throws {
    tracker = Self.tracker(limit: 5, minimumScore: minimum)
    let weak = Box(x: 200, y: 150, width: 40, height: 40)
    for _ in 0..<4 { try next([Self.detection(Self.home, 0.9), Self.detection(weak, 0.2)]) }
    try #require(tracker.visible.count == expected.count)
    for (object, score) in zip(tracker.visible, expected) {
      #expect(abs(object.score - score) < 1e-5)
    }
  }

  /// If only one object is reported, it is the most salient one of those with a sufficient score.
  @Test mutating func singleObjectHasTheMinimumScore() throws {
    tracker = Self.tracker(limit: 1, minimumScore: 0.7)
    let other = Box(x: 200, y: 150, width: 40, height: 40)
    for _ in 0..<3 {
      let reported = try next([Self.detection(Self.home, 0.6), Self.detection(other, 0.8)])
      #expect(reported.count == 1 && reported.allSatisfy { $0.score >= 0.7 })
    }
    #expect(try next([Self.detection(Self.home, 0.6)]).isEmpty)
  }
}
