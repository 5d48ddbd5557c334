import MartletImage
import Testing

@testable import MartletVision

@Suite struct ObjectTracksTests {
  @Test func keepsMostProminentObjectsAndSortsThemFirst() throws {
    // Prominence grows to the right.
    var parameters = ObjectTracks.Parameters()
    parameters.motionInterval = 0
    parameters.limit = 2
    var tracks = ObjectTracks(parameters) { object, frame in
      object.score * object.frame.center.x / Float(frame.width)
    }
    let scene = Scene()
    tracks.update(try scene.frame)
    let boxes = [10, 40, 70, 100].map { Box(x: Float($0), y: 20, width: 20, height: 20) }
    tracks.associate(boxes.map { DetectedObject(frame: $0, score: 0.9) })
    #expect(tracks.visible.map(\.frame) == [boxes[3], boxes[2]])
    #expect(tracks.visible.map(\.trackingID) == [0, 1])
  }

  /// Only a detection with a prominence changes it. Frames without detection keep the last value.
  @Test func tracksKeepTheLastDetectedProminence() throws {
    var tracks = ObjectTracks(parameters()) { object, _ in object.prominence ?? 0 }
    func advance(_ prominences: [Float?]?) throws -> [Int?] {
      tracks.update(try frame(boxes(0)))
      tracks.associate(
        prominences.map { prominences in
          zip(boxes(0), prominences).map { box, prominence in
            var detection = DetectedObject(frame: box, score: 0.9)
            detection.prominence = prominence
            return detection
          }
        })
      return tracks.visible.map(\.trackingID)
    }
    #expect(try advance([0.2, 0.7]) == [1, 0])
    #expect(tracks.visible.map(\.prominence) == [0.7, 0.2])
    #expect(try advance(nil) == [1, 0])
    #expect(try advance([nil, nil]) == [1, 0])
    #expect(try advance([0.8, 0.7]) == [0, 1])
  }

  static let red = RGBImage.Color(red: 200, green: 20, blue: 30)
  static let blue = RGBImage.Color(red: 20, green: 40, blue: 220)

  /// Two objects: one moves right, the other moves left below it.
  private func boxes(_ step: Int) -> [Box] {
    let time = Float(step)
    return [
      Box(x: 20 + 2 * time, y: 20, width: 26, height: 30),
      Box(x: 110 - 2 * time, y: 70, width: 30, height: 26),
    ]
  }

  private func frame(_ boxes: [Box]) throws -> RGBImage {
    try Scene(
      items: zip(boxes, [Self.red, Self.blue]).map { Scene.Item(box: $0, color: $1) }
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

  @Test func limitHidesLessProminentObjects() throws {
    var tracks = ObjectTracks(parameters { $0.limit = 1 })
    tracks.update(try frame(boxes(0)))
    tracks.associate(detections(boxes(0)))
    #expect(tracks.visible.map(\.frame.center) == [boxes(0)[0].center])
  }

  @Test func muchBetterDetectionReplacesTrack() throws {
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

  @Test func weakDetectionsStartNoTrack() throws {
    var tracks = ObjectTracks(parameters())
    tracks.update(try frame(boxes(0)))
    tracks.associate([DetectedObject(frame: boxes(0)[0], score: parameters().minimumScore.nextDown)]
    )
    #expect(tracks.visible.isEmpty)
  }

  /// Detections shifted from a track, and whether they move it. An overlap of 0.6 means drift, 0.35
  /// possibly another object, 0.9 the same position.
  private static let corrections: [(shift: Float, score: Float, moves: Bool)] = {
    let least = ObjectTracks.Parameters().minimumScore
    return [
      (6.5, 0.9, true), (6.5, least, true), (6.5, least.nextDown, false), (12.5, 0.9, false),
      (1.3, 0.9, false),
    ]
  }()

  @Test(arguments: ObjectTracksTests.corrections)
  func confidentDetectionCorrectsDriftedTrack(
    _ c: (shift: Float, score: Float, moves: Bool)
  ) throws {
    var tracks = ObjectTracks(parameters())
    let initial = boxes(0)[0]
    tracks.update(try frame(boxes(0)))
    tracks.associate([DetectedObject(frame: initial, score: 0.9)])
    var seen = initial
    seen.x += c.shift
    tracks.associate([DetectedObject(frame: seen, score: c.score)])
    #expect(tracks.visible.first?.frame == (c.moves ? seen : initial))
    #expect(tracks.visible.first?.trackingID == 0)
  }

  @Test func unsupportedTrackIsKeptButNotVisible() throws {
    var tracks = ObjectTracks(parameters())
    func advance(_ detections: [DetectedObject]?) throws -> [Int?] {
      tracks.update(try frame(boxes(0)))
      tracks.associate(detections)
      return tracks.visible.map(\.trackingID)
    }
    let first = DetectedObject(frame: boxes(0)[0], score: 0.9)
    #expect(try advance([first]) == [0])
    // Frames without detection change nothing. Each empty detection takes 40% of the support:
    // 0.54, 0.32, 0.19 remain.
    for _ in 0..<10 { #expect(try advance(nil) == [0]) }
    #expect(try advance([]) == [0])
    #expect(try advance([]) == [0])
    #expect(try advance([]) == [])
    #expect(tracks.identifiers == [0])
    #expect(try advance([first]) == [0])
  }

  @Test func motionDoesNotReduceSupportOfRestingObject() throws {
    var tracks = ObjectTracks(parameters { $0.motionInterval = 1 })
    let resting = Box(x: 20, y: 70, width: 30, height: 26)
    for step in 0..<14 {
      tracks.update(try frame([boxes(step)[0], resting]))
      tracks.associate(step == 0 ? [DetectedObject(frame: resting, score: 0.5)] : nil)
    }
    #expect(tracks.visible.contains { $0.trackingID == 0 })
    #expect(tracks.visible.count == 2)
  }

  @Test func lostTrackIsHiddenThenRecoveredOrDropped() throws {
    let still = boxes(0)
    var tracker = TargetTracker.Parameters()
    tracker.minimumConfidence = 0.5
    var tracks = ObjectTracks(parameters { $0.maximumLostFrames = 4 }, tracker: tracker)
    tracks.update(try frame(still))
    tracks.associate(detections(still))
    // The first object is absent for three frames.
    for _ in 0..<3 {
      tracks.update(try Scene(items: [.init(box: still[1], color: Self.blue)]).frame)
      #expect(tracks.visible.map(\.trackingID) == [1])
    }
    tracks.update(try frame(still))
    #expect(Set(tracks.visible.map(\.trackingID)) == [0, 1])
    for _ in 0..<6 {
      tracks.update(try Scene(items: [.init(box: still[1], color: Self.blue)]).frame)
    }
    #expect(tracks.identifiers == [1])
    // An object that returns after that gets a new identifier.
    tracks.update(try frame(still))
    tracks.associate(detections(still))
    #expect(Set(tracks.visible.map(\.trackingID)) == [1, 2])
  }

  @Test func objectThatLeftTheFrameReturnsWithNewIdentifier() throws {
    func box(_ step: Int) -> Box { Box(x: 110 + 4 * Float(step), y: 40, width: 30, height: 30) }
    func frame(_ step: Int) throws -> RGBImage {
      try Scene(items: [.init(box: box(step), color: Self.red)]).frame
    }
    var tracks = ObjectTracks(parameters { $0.maximumLostFrames = 2 })
    tracks.update(try frame(0))
    tracks.associate([DetectedObject(frame: box(0), score: 0.9)])
    for step in 1..<18 { tracks.update(try frame(step)) }
    #expect(tracks.identifiers.isEmpty)
    tracks.update(try frame(0))
    tracks.associate([DetectedObject(frame: box(0), score: 0.9)])
    #expect(tracks.visible.map(\.trackingID) == [1])
  }

  @Test func newFrameSizeResetsTracks() throws {
    var tracks = ObjectTracks(parameters())
    tracks.update(try frame(boxes(0)))
    tracks.associate(detections(boxes(0)))
    tracks.update(try Scene(width: 120, height: 160).frame)
    #expect(tracks.identifiers.isEmpty)
    tracks.associate(detections(boxes(0)))
    #expect(tracks.visible.map(\.trackingID) == [2, 3])
  }

  @Test func motionStartsTracksWithoutDetector() throws {
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

  @Test func invalidDetectionsDoNotTrap() throws {
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
  func containingDetectionSupportsTrack(_ containment: Float, _ isSupported: Bool) throws {
    var tracks = ObjectTracks(parameters { $0.containment = containment })
    let still = boxes(0)
    // Much larger than the first object, which it contains.
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

  @Test(arguments: [false, true])
  func stoppedObjectStaysVisibleIfDetected(_ isSeen: Bool) throws {
    var tracks = ObjectTracks(parameters { $0.motionInterval = 1 })
    /// The identifier of the visible track on the first object.
    func identifier(_ items: [Box]) throws -> Int? {
      tracks.update(try frame(items))
      tracks.associate(nil)
      return tracks.visible.first { $0.frame.intersectionOverUnion(with: items[0]) > 0.5 }?
        .trackingID
    }
    // The first object stops, the second keeps moving.
    for step in 0..<13 { _ = try identifier(boxes(step)) }
    let moved = try #require(try identifier(boxes(13)))
    if isSeen { tracks.associate([DetectedObject(frame: boxes(13)[0], score: 0.9)]) }
    for step in 14..<34 { _ = try identifier([boxes(13)[0], boxes(step)[1]]) }
    #expect(try identifier([boxes(13)[0], boxes(34)[1]]) == (isSeen ? moved : nil))
    #expect(tracks.identifiers.contains(moved))
  }

  @Test(arguments: [
    (width: Float(150), score: Float(0.84), begins: false), (150, 0.85, true), (120, 0.5, true),
  ])
  func boxAroundWholeSceneNeedsHigherScore(
    _ c: (width: Float, score: Float, begins: Bool)
  ) throws {
    var tracks = ObjectTracks(parameters())
    tracks.update(try frame(boxes(0)))
    let box = Box(x: 2, y: 2, width: c.width, height: 115)
    tracks.associate([DetectedObject(frame: box, score: c.score)])
    #expect(tracks.visible.isEmpty == !c.begins)
  }

  /// The object is absent for three frames and returns outside its tracker's small search area:
  /// near, far, or near but much larger.
  @Test(arguments: [
    (shift: Float(26), growth: Float(1), identifiers: [0]), (Float(60), Float(1), [0, 1]),
    (Float(30), Float(2.5), [0, 1]),
  ])
  func nearbySimilarDetectionRecoversLostTrack(
    _ c: (shift: Float, growth: Float, identifiers: [Int])
  ) throws {
    let initial = boxes(0)[0]
    let seen = Box(
      x: initial.x + c.shift, y: initial.y, width: initial.width * c.growth,
      height: initial.height * c.growth)
    var tracker = TargetTracker.Parameters()
    tracker.reach = 0.7
    tracker.minimumConfidence = 0.5
    tracker.minimumColor = 1
    var tracks = ObjectTracks(parameters(), tracker: tracker)
    tracks.update(try frame([initial]))
    tracks.associate([DetectedObject(frame: initial, score: 0.9)])
    for _ in 0..<3 { tracks.update(try Scene().frame) }
    tracks.update(try frame([seen]))
    #expect(tracks.visible.isEmpty)
    tracks.associate([DetectedObject(frame: seen, score: 0.9)])
    #expect(tracks.identifiers == c.identifiers)
    #expect(tracks.visible.map(\.frame) == [seen])
  }

  @Test func userProvidedTrackKeepsItsBoxSize() throws {
    let drawn = boxes(0)[0]
    func seen(_ shift: Float) -> [DetectedObject] {
      // A detector's boxes are tighter.
      let (width, height) = (0.9 * drawn.width, 0.9 * drawn.height)
      return [
        DetectedObject(
          frame: Box(x: drawn.x + shift, y: drawn.y, width: width, height: height), score: 0.9)
      ]
    }
    var tracks = ObjectTracks(parameters())
    tracks.update(try frame([drawn]))
    tracks.begin([drawn])
    let initial = try #require(tracks.visible.first).frame
    tracks.matchInCrop(of: 0, found: seen(0))
    #expect(tracks.visible.map(\.frame) == [initial])
    let shift = 0.25 * drawn.width
    tracks.matchInCrop(of: 0, found: seen(shift))
    let moved = try #require(tracks.visible.first).frame
    #expect(abs(moved.x - initial.x - shift) < 0.1 && abs(moved.y - initial.y) < 0.1)
    #expect(abs(moved.width - initial.width) < 0.1 && abs(moved.height - initial.height) < 0.1)
  }

  @Test func userProvidedTrackGetsCropOnlyAtLowConfidence() throws {
    let drawn = boxes(0)[0]
    var tracks = ObjectTracks(parameters())
    tracks.update(try frame([drawn]))
    tracks.begin([drawn])
    for _ in 0..<8 {
      tracks.update(try frame([drawn]))
      #expect(tracks.nextCrop() == nil)
    }
    tracks.update(try Scene().frame)
    #expect(tracks.nextCrop()?.identifier == 0)
  }

  @Test func cropsAlternateBetweenSmallObjects() throws {
    var tracks = ObjectTracks(parameters())
    #expect(tracks.nextCrop() == nil)
    let small = [
      Box(x: 20, y: 20, width: 18, height: 24), Box(x: 130, y: 80, width: 22, height: 18),
    ]
    let large = Box(x: 40, y: 10, width: 80, height: 100)
    var croppedIdentifiers: [Int?] = []
    for step in 0..<14 {
      tracks.update(try frame(small))
      if step == 0 {
        tracks.associate((small + [large]).map { DetectedObject(frame: $0, score: 0.9) })
      }
      let next = tracks.nextCrop()
      croppedIdentifiers.append(next?.identifier)
      guard let next else { continue }
      // The crop is a square around the object, inside the frame except for rounding.
      let frame = Box(x: 0, y: 0, width: 160, height: 120)
      let box = small[next.identifier]
      #expect(next.part.width == next.part.height)
      #expect(next.part.intersection(frame).area > 0.9999 * next.part.area)
      #expect(abs(next.part.width - parameters().cropFactor * max(box.width, box.height)) < 10)
      #expect(next.part.intersection(box).area > 0.9 * box.area)
    }
    #expect(croppedIdentifiers.allSatisfy { $0 != 2 })
    let turns = croppedIdentifiers.indices.filter { croppedIdentifiers[$0] == 0 }
    #expect(turns.count >= 2 && croppedIdentifiers.contains(1))
    for (turn, next) in zip(turns, turns.dropFirst()) { #expect(next - turn >= 5) }
  }

  /// Same as for detections in whole frames, except that an empty result changes nothing.
  @Test(arguments: ObjectTracksTests.corrections)
  func detectionInCropCorrectsDriftedTrack(_ c: (shift: Float, score: Float, moves: Bool)) throws {
    var tracks = ObjectTracks(parameters())
    let initial = boxes(0)[0]
    tracks.update(try frame(boxes(0)))
    tracks.associate([DetectedObject(frame: initial, score: 0.9)])
    let seen = initial.offset(x: c.shift, y: 0)
    tracks.matchInCrop(of: 0, found: [DetectedObject(frame: seen, score: c.score)])
    #expect(tracks.visible.map(\.frame) == [c.moves ? seen : initial])
    for _ in 0..<9 { tracks.matchInCrop(of: 0, found: []) }
    tracks.matchInCrop(of: 7, found: [DetectedObject(frame: initial, score: 0.9)])
    #expect(tracks.visible.map(\.trackingID) == [0])
    #expect(tracks.visible.map(\.frame) == [c.moves ? seen : initial])
  }
}
