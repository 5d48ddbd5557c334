import MartletImage
import Testing

@testable import MartletVision

/// Tracking the boxes of a detector that is not Martlet's.
@Suite struct ObjectTrackerBoxesTests {
  private static let size = ImageSize(width: 320, height: 240)
  private static let home = Box(x: 60, y: 60, width: 40, height: 40)

  private static func box(
    _ frame: Box, _ score: Float = 0.6, _ text: String = "cat"
  ) -> DetectedObject {
    DetectedObject(
      frame: frame, score: score,
      labels: [ObjectLabel(text: text, index: text.count, confidence: score)])
  }

  private var tracker = ObjectTracker()

  @Test mutating func movingBoxesKeepTheirIdentifiers() {
    for step in 0..<20 {
      let boxes = [
        Self.box(Self.home.offset(x: 8 * Float(step), y: 0)),
        Self.box(Self.home.offset(x: 180 - 8 * Float(step), y: 90)),
      ]
      let objects = tracker.update(step.isMultiple(of: 2) ? boxes : boxes.reversed(), in: Self.size)
      #expect(Set(objects.map(\.trackingID)) == [0, 1])
      for object in objects {
        guard let index = object.trackingID, index < 2 else { continue }
        #expect(object.frame.intersectionOverUnion(with: boxes[index].frame) > 0.8)
      }
    }
  }

  @Test(
    arguments: [
      ("inside another", Box(x: 70, y: 70, width: 20, height: 20)),
      ("overlapping", Self.home.offset(x: 16, y: 0)),
      ("the whole frame", Box(x: 0, y: 0, width: 320, height: 240)),
    ])
  mutating func everyBoxIsAnObject(_ name: String, _ other: Box) {
    for _ in 0..<3 {
      let objects = tracker.update([Self.box(Self.home), Self.box(other)], in: Self.size)
      #expect(Set(objects.map(\.trackingID)) == [0, 1], "\(name)")
    }
  }

  /// Detectors of several classes report an object as two, and with two boxes of one class.
  @Test(arguments: ["cat", "tiger"])
  mutating func secondBoxInOnePlaceStartsNoObject(_ text: String) {
    for _ in 0..<3 {
      let boxes = [Self.box(Self.home, 0.9), Self.box(Self.home.offset(x: 8, y: 0), 0.7, text)]
      #expect(tracker.update(boxes, in: Self.size).map(\.trackingID) == [0])
    }
  }

  @Test mutating func weakBoxContinuesButStartsNothing() {
    for _ in 0..<9 { #expect(tracker.update([Self.box(Self.home, 0.59)], in: Self.size).isEmpty) }
    _ = tracker.update([Self.box(Self.home, 0.6)], in: Self.size)
    for _ in 0..<9 {
      #expect(tracker.update([Self.box(Self.home, 0.2)], in: Self.size).map(\.trackingID) == [0])
    }
    #expect(tracker.update([Self.box(Self.home, 0.09)], in: Self.size).isEmpty)
  }

  /// Two objects of different colors that pass each other; while they overlap, only one is detected.
  @Test mutating func pixelsTellObjectsApart() throws {
    let colors = [
      RGBImage.Color(red: 220, green: 20, blue: 30), .init(red: 20, green: 40, blue: 220),
    ]
    for step in 0..<20 {
      let places = [Self.home, Self.home.offset(x: 120, y: 5)]
      let boxes = [
        places[0].offset(x: 6 * Float(step), y: 0), places[1].offset(x: -6 * Float(step), y: 0),
      ]
      var image = try RGBImage(
        width: 320, height: 240, filledWith: .init(red: 128, green: 128, blue: 128))
      for (box, color) in zip(boxes, colors) {
        for y in Int(box.y)..<Int(box.maxY) {
          for x in Int(box.x)..<Int(box.maxX) { image[x, y] = color }
        }
      }
      let found = (8...12).contains(step) ? [boxes[1]] : boxes
      let objects = tracker.update(found.map { Self.box($0) }, in: image)
      guard step == 19 else { continue }
      try #require(objects.count == 2)
      for object in objects {
        let index = try #require(object.trackingID)
        try #require(index < 2)
        #expect(object.frame.intersectionOverUnion(with: boxes[index]) > 0.6)
      }
    }
  }

  @Test(
    arguments: [
      Box(x: .nan, y: 0, width: 10, height: 10), Box(x: 0, y: 0, width: .infinity, height: 10),
      Box(x: 0, y: -.infinity, width: 10, height: 10), Box(x: 0, y: 0, width: 0, height: 10),
      Box(x: 0, y: 0, width: 10, height: -1),
    ])
  mutating func ignoresBoxesThatAreNone(_ box: Box) {
    #expect(tracker.update([Self.box(box), Self.box(Self.home)], in: Self.size).count == 1)
  }

  @Test(arguments: [Float.nan, .infinity])
  mutating func ignoresScoresThatAreNone(_ score: Float) {
    #expect(tracker.update([Self.box(Self.home, score)], in: Self.size).isEmpty)
  }

  @Test mutating func frameOfAnotherSizeStartsAnew() {
    _ = tracker.update([Self.box(Self.home)], in: Self.size)
    let other = ImageSize(width: 640, height: 480)
    #expect(tracker.update([Self.box(Self.home)], in: other).map(\.trackingID) == [1])
    #expect(tracker.skip(in: Self.size).isEmpty)
  }

  @Test mutating func skippedFrameMovesObjectsOn() {
    for step in 0..<4 {
      _ = tracker.update([Self.box(Self.home.offset(x: 10 * Float(step), y: 0))], in: Self.size)
    }
    let objects = tracker.skip(in: Self.size)
    #expect(objects.map(\.trackingID) == [0])
    #expect(objects.allSatisfy { $0.frame.x > 90 })
  }

  @Test(
    arguments: [(2, 0, [2, 1]), (5, 0.65, [2, 1]), (5, 0, [2, 1, 0])] as [(Int, Float, [Int])])
  mutating func returnsAtMostTheLimitFromTheMinimumScoreOn(
    _ limit: Int, _ minimum: Float, _ expected: [Int]
  ) {
    tracker = ObjectTracker(limit: limit, minimumScore: minimum)
    let boxes = (0..<3).map {
      Self.box(Box(x: 140, y: 20 + 70 * Float($0), width: 40, height: 40), 0.6 + 0.1 * Float($0))
    }
    #expect(Set(tracker.update(boxes, in: Self.size).map(\.trackingID)) == Set(expected))
  }

  /// The label is the one with the highest mean confidence, not that of the last box.
  @Test mutating func labelDoesNotFlicker() {
    var labels: [String] = []
    for step in 0..<30 {
      let isOther = step % 5 == 4
      let objects = tracker.update(
        [Self.box(Self.home, 0.6, isOther ? "tiger" : "cat")], in: Self.size)
      labels += objects.flatMap { $0.labels.map(\.text) }
    }
    #expect(labels == [String](repeating: "cat", count: 30))
  }

  @Test mutating func labelChangesIfTheDetectorInsists() {
    for _ in 0..<10 { _ = tracker.update([Self.box(Self.home)], in: Self.size) }
    var texts: [String] = []
    for _ in 0..<20 {
      let objects = tracker.update([Self.box(Self.home, 0.6, "tiger")], in: Self.size)
      texts += objects.flatMap { $0.labels.map(\.text) }
    }
    #expect(texts.first == "cat" && texts.last == "tiger")
  }

  @Test mutating func memoryIsBoundedOver20_000Frames() {
    var most = 0
    for step in 0..<20_000 {
      let boxes = (0..<3).map { place in
        Self.box(
          Box(
            x: Float((step * 97 + place * 31) % 270), y: Float((step * 61 + place * 83) % 190),
            width: 30, height: 30), 0.7, "class \(step % 50)")
      }
      _ = tracker.update(boxes, in: Self.size)
      most = max(most, tracker.tracks.count)
    }
    #expect(most <= 3 * 32)
  }
}
