import MartletImage
import MartletTestSupport
import Testing

@testable import MartletVision

/// Frames of smooth noise with a checkered target.
@Suite struct UserTrackTests {
  static let home = Box(x: 40, y: 40, width: 32, height: 40)

  private static func image(_ target: Box?, seed: UInt64 = 7) throws -> RGBImage {
    var random = SplitMix64(seed: seed)
    let coarse = (0..<400).map { _ in UInt8(truncatingIfNeeded: random.next() >> 57) }
    var image = try RGBImage(width: 160, height: 120, filledWith: .init(red: 0, green: 0, blue: 0))
    for y in 0..<120 {
      for x in 0..<160 {
        let value = coarse[(y / 8) * 20 + x / 8]
        image[x, y] = .init(red: value, green: value + 60, blue: 80)
        guard let target else { continue }
        let across = (Float(x) + 0.5 - target.x) / target.width
        let down = (Float(y) + 0.5 - target.y) / target.height
        guard across >= 0, across < 1, down >= 0, down < 1 else { continue }
        let isDark = (Int(across * 3) + Int(down * 4)) % 2 == 0
        image[x, y] = .init(red: isDark ? 30 : 220, green: 80, blue: isDark ? 160 : 40)
      }
    }
    return image
  }

  private static func detection(_ box: Box, _ score: Float = 0.6) -> DetectedObject {
    DetectedObject(frame: box, score: score)
  }

  private func start(_ detections: [DetectedObject] = []) throws -> UserTrack {
    let image = try Self.image(Self.home)
    var track = try #require(
      UserTrack(
        Self.home, identifier: 3, in: FramePyramid(image), AppearanceReader(image, features: nil)))
    track.relate(to: detections)
    return track
  }

  private func next(
    _ track: inout UserTrack, _ target: Box?, _ detections: [DetectedObject] = [],
    seed: UInt64 = 7
  ) throws {
    let image = try Self.image(target, seed: seed)
    let (pyramid, reader) = (FramePyramid(image), AppearanceReader(image, features: nil))
    track.find(in: pyramid, reader)
    track.correct(by: detections, in: pyramid, reader)
  }

  @Test func followsTargetWithHighScore() throws {
    var track = try start()
    for step in 1..<15 {
      let box = Self.home.offset(x: Float(2 * step), y: Float(step))
      try next(&track, box)
      let object = track.object
      #expect(object.frame.intersectionOverUnion(with: box) > 0.7, "frame \(step)")
      #expect(object.score > 0.8 && object.trackingID == 3)
    }
  }

  @Test func reportsLossWithLowScoreThenNothing() throws {
    var track = try start()
    for _ in 0..<3 { try next(&track, Self.home) }
    for frame in 0..<5 {
      try next(&track, nil, seed: UInt64(100 + frame))
      let score = track.object.score
      #expect(score < 0.3, "frame \(frame)")
    }
    let score = track.object.score
    #expect(score < UserTrack.reportedScore)
  }

  @Test func detectionBringsLostObjectBack() throws {
    var track = try start([Self.detection(Self.home)])
    for _ in 0..<3 { try next(&track, Self.home) }
    for frame in 0..<4 { try next(&track, nil, seed: UInt64(100 + frame)) }
    let box = Self.home.offset(x: 60, y: 30)
    try next(&track, box, [Self.detection(box)])
    let (score, found) = (track.object.score, track.object.frame)
    #expect(score >= UserTrack.reportedScore && found.intersectionOverUnion(with: box) > 0.7)
  }

  @Test func detectionOfOtherAppearanceDoesNotBringItBack() throws {
    var track = try start([Self.detection(Self.home)])
    let other = Self.detection(Self.home.offset(x: 45, y: 20))
    for frame in 0..<8 { try next(&track, nil, [other], seed: UInt64(100 + frame)) }
    let score = track.object.score
    #expect(score < UserTrack.reportedScore)
  }

  @Test func detectionsCorrectTheBoxInItsRelation() throws {
    // The detector's box is 8 pixels wider on both sides than the user's.
    let wider = Box(x: 32, y: 40, width: 48, height: 40)
    var track = try start([Self.detection(wider)])
    for step in 1..<10 {
      let shift = Float(2 * step)
      let box = Self.home.offset(x: shift, y: 0)
      try next(&track, box, [Self.detection(wider.offset(x: shift, y: 0))])
      let found = track.object.frame
      #expect(found.intersectionOverUnion(with: box) > 0.8, "frame \(step)")
    }
  }

  @Test func certainDetectionMovesTheBoxMore() throws {
    let shifts = try [0.6, 0.9, 1].map { (score: Float) in
      var track = try start([Self.detection(Self.home)])
      try next(&track, Self.home, [Self.detection(Self.home.offset(x: 1, y: 0), score)])
      return track.object.frame.x - Self.home.x
    }
    #expect(shifts == shifts.sorted() && Set(shifts).count == 3, "\(shifts)")
  }

  @Test func boxOutsideTheFrameStartsNothing() throws {
    let image = try Self.image(nil)
    let track = UserTrack(
      Box(x: 500, y: 0, width: 9, height: 9), identifier: 0, in: FramePyramid(image),
      AppearanceReader(image, features: nil))
    #expect(track?.object == nil)
  }
}
