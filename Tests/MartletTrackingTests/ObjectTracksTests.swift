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
    tracks.associate(boxes.map { DetectedObject(frame: $0, score: 0.9) })
    #expect(tracks.visible.map(\.frame) == [boxes[3], boxes[2]])
    #expect(tracks.visible.map(\.trackingID) == [0, 1])
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

  private func detections(_ boxes: [Box]) -> [DetectedObject] {
    boxes.enumerated().map { DetectedObject(frame: $1, score: 0.9 - 0.2 * Float($0)) }
  }

  @Test func objectsKeepTheirIdentifiers() throws {
    var tracks = ObjectTracks(parameters())
    for step in 0..<20 {
      tracks.update(try frame(boxes(step)))
      tracks.associate(step % 5 == 0 ? detections(boxes(step)) : nil)
      let visible = tracks.visible
      #expect(visible.map(\.trackingID) == [0, 1])
      for (track, box) in zip(visible, boxes(step)) {
        #expect(track.frame.intersectionOverUnion(with: box) > 0.6, "frame \(step)")
      }
    }
  }

  @Test func theLimitHoldsBackTheLessProminent() throws {
    var tracks = ObjectTracks(parameters { $0.limit = 1 })
    tracks.update(try frame(boxes(0)))
    tracks.associate(detections(boxes(0)))
    #expect(tracks.visible.map(\.frame.center) == [boxes(0)[0].center])
  }

  @Test func aMuchBetterDetectionTakesAPlace() throws {
    var tracks = ObjectTracks(parameters { $0.limit = 1 })
    tracks.update(try frame(boxes(0)))
    tracks.associate([DetectedObject(frame: boxes(0)[0], score: 0.5)])
    tracks.associate([
      DetectedObject(frame: boxes(0)[0], score: 0.5),
      DetectedObject(frame: boxes(0)[1], score: 0.55),
    ])
    #expect(tracks.visible.map(\.trackingID) == [0])
    tracks.associate([DetectedObject(frame: boxes(0)[1], score: 0.9)])
    #expect(tracks.visible.map(\.trackingID) == [1])
  }

  @Test func weakDetectionsBeginNothing() throws {
    var tracks = ObjectTracks(parameters())
    tracks.update(try frame(boxes(0)))
    tracks.associate([DetectedObject(frame: boxes(0)[0], score: 0.29)])
    #expect(tracks.visible.isEmpty)
  }

  /// An overlap of 0.6 is drift, one of 0.35 may be another thing, and 0.9 is the same place.
  @Test(arguments: [
    (shift: Float(6.5), score: Float(0.9), moves: true), (6.5, 0.29, false), (12.5, 0.9, false),
    (1.3, 0.9, false),
  ])
  func aSureDetectionTakesADriftedObjectBack(
    _ c: (shift: Float, score: Float, moves: Bool)
  ) throws {
    var tracks = ObjectTracks(parameters())
    let began = boxes(0)[0]
    tracks.update(try frame(boxes(0)))
    tracks.associate([DetectedObject(frame: began, score: 0.9)])
    var seen = began
    seen.x += c.shift
    tracks.associate([DetectedObject(frame: seen, score: c.score)])
    #expect(tracks.visible.first?.frame == (c.moves ? seen : began))
    #expect(tracks.visible.first?.trackingID == 0)
  }

  @Test func whatDetectionsNoLongerSpeakForIsFollowedButNotTold() throws {
    var tracks = ObjectTracks(parameters())
    func look(_ detections: [DetectedObject]?) throws -> [Int?] {
      tracks.update(try frame(boxes(0)))
      tracks.associate(detections)
      return tracks.visible.map(\.trackingID)
    }
    let first = DetectedObject(frame: boxes(0)[0], score: 0.9)
    #expect(try look([first]) == [0])
    // Frames without a look say nothing. Each look takes two fifths: 0.54, 0.32, 0.19.
    for _ in 0..<10 { #expect(try look(nil) == [0]) }
    #expect(try look([]) == [0])
    #expect(try look([]) == [0])
    #expect(try look([]) == [])
    #expect(tracks.identifiers == [0])
    #expect(try look([first]) == [0])
  }

  @Test func whatMovesDoesNotSpeakAgainstWhatRests() throws {
    var tracks = ObjectTracks(parameters { $0.motionInterval = 1 })
    let rests = Box(x: 20, y: 70, width: 30, height: 26)
    for step in 0..<14 {
      tracks.update(try frame([boxes(step)[0], rests]))
      tracks.associate(step == 0 ? [DetectedObject(frame: rests, score: 0.5)] : nil)
    }
    #expect(tracks.visible.contains { $0.trackingID == 0 })
    #expect(tracks.visible.count == 2)
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
      #expect(tracks.visible.map(\.trackingID) == [1])
    }
    tracks.update(try frame(still))
    #expect(Set(tracks.visible.map(\.trackingID)) == [0, 1])
    for _ in 0..<6 {
      tracks.update(try Scene(things: [.init(box: still[1], color: Self.blue)]).frame)
    }
    #expect(tracks.identifiers == [1])
    // What comes back then is new.
    tracks.update(try frame(still))
    tracks.associate(detections(still))
    #expect(Set(tracks.visible.map(\.trackingID)) == [1, 2])
  }

  @Test func whatLeavesTheFrameIsDroppedAndNewWhenItReturns() throws {
    func box(_ step: Int) -> Box { Box(x: 110 + 4 * Float(step), y: 40, width: 30, height: 30) }
    func frame(_ step: Int) throws -> RGBImage {
      try Scene(things: [.init(box: box(step), color: Self.red)]).frame
    }
    var tracks = ObjectTracks(parameters { $0.patience = 2 })
    tracks.update(try frame(0))
    tracks.associate([DetectedObject(frame: box(0), score: 0.9)])
    for step in 1..<18 { tracks.update(try frame(step)) }
    #expect(tracks.identifiers.isEmpty)
    tracks.update(try frame(0))
    tracks.associate([DetectedObject(frame: box(0), score: 0.9)])
    #expect(tracks.visible.map(\.trackingID) == [1])
  }

  @Test func anotherSizeBeginsAnew() throws {
    var tracks = ObjectTracks(parameters())
    tracks.update(try frame(boxes(0)))
    tracks.associate(detections(boxes(0)))
    tracks.update(try Scene(width: 120, height: 160).frame)
    #expect(tracks.identifiers.isEmpty)
    tracks.associate(detections(boxes(0)))
    #expect(tracks.visible.map(\.trackingID) == [2, 3])
  }

  @Test func whatMovesIsFoundWithoutADetector() throws {
    var tracks = ObjectTracks(parameters { $0.motionInterval = 1 })
    for step in 0..<14 {
      tracks.update(try frame(boxes(step)))
      tracks.associate(nil)
    }
    let found = tracks.visible.map(\.frame)
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
      DetectedObject(frame: Box(x: .nan, y: 0, width: 9, height: 9), score: 1),
      DetectedObject(frame: Box(x: 500, y: 0, width: 9, height: 9), score: 1),
      DetectedObject(frame: Box(x: 5, y: 0, width: -9, height: 9), score: .nan),
    ])
    #expect(tracks.visible.isEmpty)
  }

  @Test(arguments: [(0.8, true), (1.1, false)])
  func aDetectionThatHoldsAnObjectSpeaksForIt(_ containment: Float, _ isSupported: Bool) throws {
    var tracks = ObjectTracks(parameters { $0.containment = containment })
    let still = boxes(0)
    // Much larger than the first thing, which lies in it.
    let large = Box(x: 2, y: 2, width: 100, height: 80)
    tracks.update(try frame(still))
    tracks.associate([DetectedObject(frame: still[0], score: 0.9)])
    for _ in 0..<10 {
      tracks.update(try frame(still))
      tracks.associate([DetectedObject(frame: large, score: 0.8)])
    }
    let first = try #require(tracks.tracks.first { $0.object.trackingID == 0 })
    #expect((first.support > 0.7) == isSupported)
    #expect(first.object.score == 0.9)
  }

  /// Boxes of what moves too fast for a tracker that never finds anything: it stays where it began.
  private func identifiers(
    youth: Int, _ detections: [Int: DetectedObject] = [:]
  ) throws -> (all: [Int], inSight: [Int]) {
    func thing(_ step: Int) -> Box { Box(x: 4 + 9 * Float(step), y: 30, width: 45, height: 40) }
    var tracker = TargetTracker.Parameters()
    tracker.leastConfidence = .infinity
    tracker.leastColor = .infinity
    var tracks = ObjectTracks(
      parameters {
        $0.motionInterval = 1
        $0.overlap = 0.3
        $0.youth = youth
        $0.patience = 100
      }, tracker: tracker)
    for step in 0..<12 {
      tracks.update(try Scene(things: [.init(box: thing(step), color: Self.red)]).frame)
      tracks.associate(detections[step].map { [$0] })
    }
    return (tracks.identifiers, tracks.visible.compactMap(\.trackingID))
  }

  @Test func whatMovesOnBesideAYoungObjectThatMovedIsThatObject() throws {
    let young = try identifiers(youth: 8)
    #expect(young.all == [0] && young.inSight == [0])
    let old = try identifiers(youth: 0)
    #expect(old.all == [0, 1] && old.inSight == [1])
  }

  @Test func whatRestsKeepsItsIdentifierThoughSomethingMovesBesideIt() throws {
    let resting = DetectedObject(frame: Box(x: 90, y: 60, width: 40, height: 40), score: 0.9)
    #expect(try identifiers(youth: 8, [4: resting]).all == [0, 1])
  }
}
