import MartletImage
import Testing

@testable import MartletTracking

@Suite struct ObjectTracksTests {
  @Test func theMostProminentObjectIsKeptAndComesFirst() throws {
    // Prominent is what lies to the right.
    var parameters = ObjectTracks.Parameters()
    parameters.motionInterval = 0
    parameters.limit = 2
    var tracks = ObjectTracks(parameters) { box, frame, score in
      score * box.center.x / Float(frame.width)
    }
    let scene = Scene()
    tracks.update(try scene.frame)
    let boxes = [10, 40, 70, 100].map { Box(x: Float($0), y: 20, width: 20, height: 20) }
    tracks.associate(boxes.map { Detection(box: $0, score: 0.9) })
    #expect(tracks.visible.map(\.box) == [boxes[3], boxes[2]])
    #expect(tracks.visible.map(\.identifier) == [0, 1])
  }

  static let red = RGBImage.Color(red: 200, green: 20, blue: 30)
  static let blue = RGBImage.Color(red: 20, green: 40, blue: 220)

  /// A thing that goes to the right, and one that goes to the left below it.
  private func boxes(_ step: Int) -> [Box] {
    let time = Float(step)
    return [
      Box(x: 20 + 2 * time, y: 20, width: 26, height: 30),
      Box(x: 110 - 2 * time, y: 70, width: 30, height: 26),
    ]
  }

  private func frame(_ boxes: [Box]) throws -> RGBImage {
    try Scene(
      things: zip(boxes, [Self.red, Self.blue]).map { Scene.Thing(box: $0, color: $1) }
    ).frame
  }

  private func parameters(
    _ change: (inout ObjectTracks.Parameters) -> Void = { _ in }
  ) -> ObjectTracks.Parameters {
    var parameters = ObjectTracks.Parameters()
    parameters.motionInterval = 0
    change(&parameters)
    return parameters
  }

  private func detections(_ boxes: [Box]) -> [Detection] {
    boxes.enumerated().map { Detection(box: $1, score: 0.9 - 0.2 * Float($0)) }
  }

  @Test func objectsKeepTheirIdentifiers() throws {
    var tracks = ObjectTracks(parameters())
    for step in 0..<20 {
      tracks.update(try frame(boxes(step)))
      tracks.associate(step % 5 == 0 ? detections(boxes(step)) : [])
      let visible = tracks.visible
      #expect(visible.map(\.identifier) == [0, 1])
      for (track, box) in zip(visible, boxes(step)) {
        #expect(track.box.intersectionOverUnion(with: box) > 0.6, "frame \(step)")
      }
    }
  }

  @Test func theLimitHoldsBackTheLessProminent() throws {
    var tracks = ObjectTracks(parameters { $0.limit = 1 })
    tracks.update(try frame(boxes(0)))
    tracks.associate(detections(boxes(0)))
    #expect(tracks.visible.map(\.box.center) == [boxes(0)[0].center])
  }

  @Test func aMuchBetterDetectionTakesAPlace() throws {
    var tracks = ObjectTracks(parameters { $0.limit = 1 })
    tracks.update(try frame(boxes(0)))
    tracks.associate([Detection(box: boxes(0)[0], score: 0.5)])
    tracks.associate([
      Detection(box: boxes(0)[0], score: 0.5), Detection(box: boxes(0)[1], score: 0.55),
    ])
    #expect(tracks.visible.map(\.identifier) == [0])
    tracks.associate([Detection(box: boxes(0)[1], score: 0.9)])
    #expect(tracks.visible.map(\.identifier) == [1])
  }

  @Test func weakDetectionsBeginNothing() throws {
    var tracks = ObjectTracks(parameters())
    tracks.update(try frame(boxes(0)))
    tracks.associate([Detection(box: boxes(0)[0], score: 0.29)])
    #expect(tracks.visible.isEmpty)
  }

  @Test func aLostObjectIsHiddenFoundAgainOrGivenUp() throws {
    let still = boxes(0)
    var tracker = TargetTracker.Parameters()
    tracker.leastConfidence = 0.5
    var tracks = ObjectTracks(parameters { $0.patience = 4 }, tracker: tracker)
    tracks.update(try frame(still))
    tracks.associate(detections(still))
    // The first thing is gone for three frames.
    for _ in 0..<3 {
      tracks.update(try Scene(things: [.init(box: still[1], color: Self.blue)]).frame)
      #expect(tracks.visible.map(\.identifier) == [1])
    }
    tracks.update(try frame(still))
    #expect(Set(tracks.visible.map(\.identifier)) == [0, 1])
    for _ in 0..<6 {
      tracks.update(try Scene(things: [.init(box: still[1], color: Self.blue)]).frame)
    }
    #expect(tracks.identifiers == [1])
    // What comes back then is new.
    tracks.update(try frame(still))
    tracks.associate(detections(still))
    #expect(Set(tracks.visible.map(\.identifier)) == [1, 2])
  }

  @Test func whatLeavesTheFrameIsDroppedAndNewWhenItReturns() throws {
    func box(_ step: Int) -> Box { Box(x: 110 + 4 * Float(step), y: 40, width: 30, height: 30) }
    func frame(_ step: Int) throws -> RGBImage {
      try Scene(things: [.init(box: box(step), color: Self.red)]).frame
    }
    var tracks = ObjectTracks(parameters { $0.patience = 2 })
    tracks.update(try frame(0))
    tracks.associate([Detection(box: box(0), score: 0.9)])
    for step in 1..<18 { tracks.update(try frame(step)) }
    #expect(tracks.identifiers.isEmpty)
    tracks.update(try frame(0))
    tracks.associate([Detection(box: box(0), score: 0.9)])
    #expect(tracks.visible.map(\.identifier) == [1])
  }

  @Test func anotherSizeBeginsAnew() throws {
    var tracks = ObjectTracks(parameters())
    tracks.update(try frame(boxes(0)))
    tracks.associate(detections(boxes(0)))
    tracks.update(try Scene(width: 120, height: 160).frame)
    #expect(tracks.identifiers.isEmpty)
    tracks.associate(detections(boxes(0)))
    #expect(tracks.visible.map(\.identifier) == [2, 3])
  }

  @Test func whatMovesIsFoundWithoutADetector() throws {
    var tracks = ObjectTracks(parameters { $0.motionInterval = 1 })
    for step in 0..<14 {
      tracks.update(try frame(boxes(step)))
      tracks.associate([])
    }
    let found = tracks.visible.map(\.box)
    for box in boxes(13) {
      #expect(found.contains { $0.intersectionOverUnion(with: box) > 0.5 })
    }
  }

  @Test func oddDetectionsDoNotTrap() throws {
    var tracks = ObjectTracks(parameters())
    tracks.associate(detections(boxes(0)))
    #expect(tracks.visible.isEmpty)
    tracks.update(try frame(boxes(0)))
    tracks.associate([
      Detection(box: Box(x: .nan, y: 0, width: 9, height: 9), score: 1),
      Detection(box: Box(x: 500, y: 0, width: 9, height: 9), score: 1),
      Detection(box: Box(x: 5, y: 0, width: -9, height: 9), score: .nan),
    ])
    #expect(tracks.visible.isEmpty)
  }
}
